/** What is on the road. A real forwarder would ask its warehouse. */
export interface Parcel {
  readonly status: string;
  readonly events: readonly { readonly at: string; readonly place: string }[];
}

export const PARCELS: Readonly<Record<string, Parcel>> = {
  PK00000001: { status: "in_transit", events: [{ at: "2026-09-01T05:30:00Z", place: "Liège" }] },
  PK00000002: {
    status: "delivered",
    events: [
      { at: "2026-08-31T09:12:00Z", place: "Graz" },
      { at: "2026-08-30T22:40:00Z", place: "Passau" },
    ],
  },
};
