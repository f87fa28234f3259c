/** The telescopes and evenings of the hill. A real observatory would ask its calendar. */
interface Slot {
  readonly slot_no: string;
  readonly telescope: string;
  readonly starts: string;
  readonly rate: number;
  /** Light of the moon, from 0 to 1. */
  readonly moon: number;
  readonly camera: boolean;
  readonly quiet: boolean;
}

export const SLOTS: readonly Slot[] = [
  { slot_no: "T1-2000", telescope: "refractor", starts: "20:00", rate: 18, moon: 0.6, camera: false, quiet: false },
  { slot_no: "T1-2200", telescope: "refractor", starts: "22:00", rate: 22, moon: 0.3, camera: false, quiet: true },
  { slot_no: "T2-2130", telescope: "newtonian", starts: "21:30", rate: 28, moon: 0.4, camera: true, quiet: false },
  { slot_no: "T2-0100", telescope: "newtonian", starts: "01:00", rate: 25, moon: 0, camera: true, quiet: true },
  { slot_no: "T3-2300", telescope: "astrograph", starts: "23:00", rate: 45, moon: 0.1, camera: true, quiet: false },
];

/** Euros an hour, by the first letters of a slot's number. */
export const RATES: Readonly<Record<string, number>> = { T1: 20, T2: 28, T3: 45 };

interface Evening {
  readonly night_no: string;
  readonly date: string;
  readonly topic: string;
  readonly audience: string;
  readonly spoken: readonly string[];
  readonly price: number;
  readonly seats: number;
  readonly step_free: boolean;
}

export const EVENINGS: readonly Evening[] = [
  {
    night_no: "G-104",
    date: "2026-10-16",
    topic: "moon",
    audience: "families",
    spoken: ["en", "fr"],
    price: 9,
    seats: 14,
    step_free: true,
  },
  {
    night_no: "G-105",
    date: "2026-10-23",
    topic: "planets",
    audience: "adults",
    spoken: ["en", "de"],
    price: 16,
    seats: 20,
    step_free: false,
  },
  {
    night_no: "G-108",
    date: "2026-11-06",
    topic: "deep_sky",
    audience: "students",
    spoken: ["en"],
    price: 12,
    seats: 8,
    step_free: true,
  },
];
