/** The rows as they are painted on the barn door. */
export interface Row {
  readonly row_no: string;
  readonly fruit: string;
  readonly variety: string;
  readonly ripeness: number;
  readonly slope: "level" | "gentle" | "steep";
  readonly height_m: number;
  readonly sprayed: boolean;
  readonly kilos: number;
  /** Metres from the yard. */
  readonly metres: number;
}

const row = (
  row_no: string,
  fruit: string,
  variety: string,
  ripeness: number,
  slope: Row["slope"],
  height_m: number,
  sprayed: boolean,
  kilos: number,
  metres: number,
): Row => ({ row_no, fruit, variety, ripeness, slope, height_m, sprayed, kilos, metres });

export const ROWS: readonly Row[] = [
  row("A-01", "apple", "Topaz", 9, "level", 3.2, true, 820, 60),
  row("A-02", "apple", "Topaz", 8, "level", 3.1, true, 790, 70),
  row("C-07", "apple", "Boskoop", 9, "gentle", 5.5, false, 1340, 310),
  row("D-03", "apple", "Boskoop", 8, "steep", 6.1, false, 1490, 520),
  row("B-04", "pear", "Conference", 7, "level", 3.8, true, 640, 150),
  row("B-05", "pear", "Conference", 8, "gentle", 3.9, false, 600, 170),
  row("E-11", "plum", "Hauszwetsche", 8, "gentle", 4.2, false, 410, 390),
  row("F-02", "quince", "Portugieser", 4, "steep", 3.5, false, 220, 610),
];
