import type { Handler } from "cairn-gitops/host-api";
import { PARCELS } from "../_lib/parcels.ts";

const trackParcel: Handler<{ tracking_no: string; detail?: string; max_events?: number }> = (input, ctx) => {
  const parcel = PARCELS[input.tracking_no];
  if (parcel === undefined) throw ctx.fail("NOT_FOUND", `There is no parcel ${input.tracking_no}.`);
  const { status, events } = parcel;
  return { status, ...(input.detail === "full" ? { events: events.slice(0, input.max_events ?? 10) } : {}) };
};

export default trackParcel;
