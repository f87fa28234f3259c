import { vi } from "vitest";

/** Waits until `check` passes, for what comes about by itself, however busy the machine is. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}
