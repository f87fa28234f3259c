/** Who works here, and which animals they know. A real clinic would ask its database. */
export const STAFF = ["dr_ahmadi", "dr_castell", "dr_okoro", "nurse"] as const;

export const OPENS = 8 * 60;
export const CLOSES = 18 * 60;

export interface Patient {
  readonly patient_id: string;
  readonly name: string;
  readonly species: string;
  readonly owner: string;
  readonly microchip: string;
  readonly born: string;
  readonly last_visit: string;
  readonly weight_kg: number;
  readonly deceased: boolean;
}

export const PATIENTS: readonly Patient[] = [
  {
    patient_id: "P-00101",
    name: "Biscuit",
    species: "dog",
    owner: "Hana Novak",
    microchip: "900000000000101",
    born: "2019-05-01",
    last_visit: "2026-06-11",
    weight_kg: 24.5,
    deceased: false,
  },
  {
    patient_id: "P-00102",
    name: "Miso",
    species: "cat",
    owner: "Leo Brandt",
    microchip: "900000000000102",
    born: "2022-03-17",
    last_visit: "2026-02-03",
    weight_kg: 4.2,
    deceased: false,
  },
  {
    patient_id: "P-00103",
    name: "Clover",
    species: "rabbit",
    owner: "Hana Novak",
    microchip: "900000000000103",
    born: "2016-09-09",
    last_visit: "2025-01-20",
    weight_kg: 1.8,
    deceased: true,
  },
  {
    patient_id: "P-00104",
    name: "Captain",
    species: "bird",
    owner: "Ruth Adeyemi",
    microchip: "900000000000104",
    born: "2014-07-30",
    last_visit: "2026-07-02",
    weight_kg: 0.4,
    deceased: false,
  },
];

export function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

export function toTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
