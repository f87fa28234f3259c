/** The lockers as they stand in the streets. A real service would ask them. */
export interface Locker {
  readonly locker_no: string;
  readonly street: string;
  readonly area: string;
  readonly km: number;
  readonly free: Readonly<Record<string, number>>;
  readonly always: boolean;
  readonly kerb: boolean;
  readonly shelter: "none" | "roofed" | "indoors";
}

const locker = (
  locker_no: string,
  street: string,
  area: string,
  km: number,
  [small, medium, large]: readonly [number, number, number],
  always: boolean,
  kerb: boolean,
  shelter: Locker["shelter"],
): Locker => ({ locker_no, street, area, km, free: { small, medium, large }, always, kerb, shelter });

export const LOCKERS: readonly Locker[] = [
  locker("L-031", "Domplatz 2", "48", 0.4, [9, 4, 3], true, false, "roofed"),
  locker("L-034", "Hafenweg 18", "48", 2.1, [14, 6, 4], true, true, "none"),
  locker("L-040", "Bahnhofsallee 1", "48", 1.3, [5, 5, 2], false, false, "indoors"),
  locker("L-052", "Ringstrasse 77", "48", 3.6, [11, 3, 1], true, false, "roofed"),
  locker("L-107", "Am Deich 5", "26", 0.9, [7, 2, 2], true, true, "none"),
];
