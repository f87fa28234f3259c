/** The season as the board in the foyer has it. A real theatre would keep it in a database. */
export interface Performance {
  readonly show_no: string;
  readonly title: string;
  readonly genre: string;
  readonly day: string;
  readonly tier: string;
  readonly price: number;
  readonly seats_left: number;
  readonly step_free: boolean;
  /** From behind a pillar (0) to the middle of the third row (1). */
  readonly view: number;
}

export const SEASON: readonly Performance[] = [
  {
    show_no: "P-0412",
    title: "Hamlet",
    genre: "drama",
    day: "2026-09-18",
    tier: "circle",
    price: 34,
    seats_left: 41,
    step_free: false,
    view: 0.7,
  },
  {
    show_no: "P-0413",
    title: "Hamlet",
    genre: "drama",
    day: "2026-09-19",
    tier: "stalls",
    price: 46,
    seats_left: 12,
    step_free: true,
    view: 0.9,
  },
  {
    show_no: "P-0420",
    title: "The Miser",
    genre: "comedy",
    day: "2026-09-24",
    tier: "balcony",
    price: 18,
    seats_left: 60,
    step_free: false,
    view: 0.4,
  },
  {
    show_no: "P-0431",
    title: "Dido and Aeneas",
    genre: "opera",
    day: "2026-10-02",
    tier: "stalls",
    price: 58,
    seats_left: 25,
    step_free: true,
    view: 0.8,
  },
  {
    show_no: "P-0440",
    title: "The Tin Soldier",
    genre: "family",
    day: "2026-10-04",
    tier: "circle",
    price: 14,
    seats_left: 77,
    step_free: true,
    view: 0.6,
  },
];

/** Euros for a seat in each part of the house. */
export const TIERS: Readonly<Record<string, number>> = { stalls: 46, circle: 34, balcony: 18 };

export interface Room {
  readonly room_no: string;
  readonly holds: number;
  readonly floor: string;
  readonly piano: boolean;
}

export const ROOMS: readonly Room[] = [
  { room_no: "S-1", holds: 10, floor: "concrete", piano: true },
  { room_no: "S-2", holds: 25, floor: "sprung", piano: false },
  { room_no: "B-1", holds: 60, floor: "stage", piano: true },
];
