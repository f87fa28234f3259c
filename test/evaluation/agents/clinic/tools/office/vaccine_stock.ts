import type { Handler } from "cairn-gitops/host-api";

interface Input {
  vaccine?: string;
  site: string;
  below?: number;
  include_expired: boolean;
}

const FRIDGE = [
  { site: "main", vaccine: "rabies", doses: 42, expires: "2027-03-31", batch: "RB-881", expired: false },
  { site: "main", vaccine: "distemper", doses: 18, expires: "2026-11-30", batch: "DS-402", expired: false },
  { site: "main", vaccine: "fvrcp", doses: 7, expires: "2026-05-31", batch: "FV-077", expired: true },
  { site: "mobile_van", vaccine: "rabies", doses: 10, expires: "2027-03-31", batch: "RB-881", expired: false },
  { site: "mobile_van", vaccine: "parvo", doses: 3, expires: "2026-12-31", batch: "PV-120", expired: false },
];

const vaccineStock: Handler<Input> = (input) => ({
  vaccines: FRIDGE.filter(
    (one) =>
      one.site === input.site &&
      (input.vaccine === undefined || one.vaccine === input.vaccine) &&
      (input.below === undefined || one.doses < input.below) &&
      (input.include_expired || !one.expired),
  ).map(({ vaccine, doses, expires, batch }) => ({ vaccine, doses, expires, batch })),
});

export default vaccineStock;
