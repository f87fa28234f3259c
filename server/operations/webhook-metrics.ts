import { Counter, type Registry } from "prom-client";

/** Counts a delivery by what became of it. */
export type CountDelivery = (result: "taken" | "repeated" | "ignored" | "refused") => void;

export function createCountDelivery(registry: Registry): CountDelivery {
  const deliveries = new Counter({
    name: "cairn_webhook_deliveries_total",
    help: "Deliveries of webhooks, by what became of them.",
    labelNames: ["result"] as const,
    registers: [registry],
  });
  return (result) => deliveries.inc({ result });
}
