/** The tanks and taps of the brewery. A real one would ask its control panel. */
interface Tank {
  readonly tank: string;
  readonly holds: number;
  readonly shape: string;
  /** The coldest it gets, in degrees. */
  readonly coldest: number;
  readonly jacketed: boolean;
  readonly free_in_days: number;
}

export const TANKS: readonly Tank[] = [
  { tank: "FV-1", holds: 500, shape: "open", coldest: 14, jacketed: false, free_in_days: 0 },
  { tank: "FV-2", holds: 1000, shape: "conical", coldest: 4, jacketed: true, free_in_days: 5 },
  { tank: "FV-3", holds: 1200, shape: "conical", coldest: 2, jacketed: true, free_in_days: 2 },
  { tank: "FV-4", holds: 2500, shape: "conical", coldest: 1, jacketed: true, free_in_days: 6 },
  { tank: "FV-5", holds: 1500, shape: "open", coldest: 12, jacketed: false, free_in_days: 1 },
];

interface Beer {
  readonly tap: number;
  readonly name: string;
  readonly style: string;
  readonly abv: number;
  /** Euros for a small glass. */
  readonly price: number;
  readonly gluten_free: boolean;
}

export const BEERS: readonly Beer[] = [
  { tap: 1, name: "Millrace Pale", style: "ale", abv: 4.9, price: 3.8, gluten_free: false },
  { tap: 4, name: "Otter Small", style: "ale", abv: 2.8, price: 3.2, gluten_free: true },
  { tap: 7, name: "Weir Stout", style: "stout", abv: 6.2, price: 4.4, gluten_free: false },
  { tap: 9, name: "Sluice Wheat", style: "wheat", abv: 5.3, price: 3.9, gluten_free: false },
  { tap: 12, name: "Eel Trap", style: "sour", abv: 4.1, price: 4.8, gluten_free: false },
];
