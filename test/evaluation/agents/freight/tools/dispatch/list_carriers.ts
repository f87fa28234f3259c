import type { Handler } from "cairn-gitops/host-api";

interface Carrier {
  readonly code: string;
  readonly name: string;
  readonly modes: readonly string[];
  readonly regions: readonly string[];
  readonly active: boolean;
}

const CARRIERS: readonly Carrier[] = [
  { code: "bluevan", name: "Bluevan", modes: ["road"], regions: ["domestic", "europe"], active: true },
  { code: "norfreight", name: "Norfreight", modes: ["road", "sea"], regions: ["europe", "world"], active: true },
  { code: "swiftair", name: "Swiftair Cargo", modes: ["air"], regions: ["europe", "world"], active: true },
  { code: "kestrel", name: "Kestrel Couriers", modes: ["road"], regions: ["domestic", "europe"], active: true },
  { code: "oldmill", name: "Old Mill Haulage", modes: ["road"], regions: ["domestic"], active: false },
];

interface Input {
  mode?: string;
  region?: string;
  active_only?: boolean;
  limit?: number;
}

const listCarriers: Handler<Input> = ({ mode, region, active_only = true, limit = 10 }) => ({
  carriers: CARRIERS.filter(
    ({ modes, regions, active }) =>
      (mode === undefined || modes.includes(mode)) &&
      (region === undefined || regions.includes(region)) &&
      (active || !active_only),
  )
    .slice(0, limit)
    .map(({ code, name, modes }) => ({ code, name, modes: [...modes] })),
});

export default listCarriers;
