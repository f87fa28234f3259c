/** The berths as the plan on the wall has them. A real harbour would keep them in a database. */
export interface Berth {
  readonly berth_no: string;
  readonly pontoon: string;
  readonly length_m: number;
  readonly depth_m: number;
  readonly fee: number;
  readonly amps: number;
  readonly wide: boolean;
  /** Steps to the gate. */
  readonly steps: number;
  readonly free_weeks: number;
}

export const BERTHS: readonly Berth[] = [
  {
    berth_no: "N-07",
    pontoon: "north",
    length_m: 10,
    depth_m: 2.4,
    fee: 28,
    amps: 16,
    wide: false,
    steps: 90,
    free_weeks: 1,
  },
  {
    berth_no: "N-15",
    pontoon: "north",
    length_m: 14,
    depth_m: 3.1,
    fee: 41,
    amps: 32,
    wide: true,
    steps: 210,
    free_weeks: 5,
  },
  {
    berth_no: "S-03",
    pontoon: "south",
    length_m: 8,
    depth_m: 1.6,
    fee: 19,
    amps: 0,
    wide: false,
    steps: 40,
    free_weeks: 2,
  },
  {
    berth_no: "V-01",
    pontoon: "visitors",
    length_m: 12,
    depth_m: 2.8,
    fee: 32,
    amps: 16,
    wide: true,
    steps: 25,
    free_weeks: 1,
  },
  {
    berth_no: "V-04",
    pontoon: "visitors",
    length_m: 18,
    depth_m: 3.4,
    fee: 55,
    amps: 32,
    wide: true,
    steps: 60,
    free_weeks: 3,
  },
];

const AMPS: Readonly<Record<string, number>> = { none: 0, "16a": 16, "32a": 32 };

export function ampsOf(socket: string): number {
  return AMPS[socket] ?? Number.parseInt(socket, 10);
}
