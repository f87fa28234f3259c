/** The slots and aircraft of the field. A real airfield would ask its planning system. */
interface Slot {
  readonly slot_no: string;
  readonly strip: "asphalt" | "grass";
  readonly starts: string;
  readonly fee: number;
  readonly lit: boolean;
  readonly closed_to: readonly string[];
  /** Movements that are usual in that hour. */
  readonly traffic: number;
}

const slot = (
  slot_no: string,
  strip: Slot["strip"],
  starts: string,
  fee: number,
  lit: boolean,
  closed_to: readonly string[],
  traffic: number,
): Slot => ({ slot_no, strip, starts, fee, lit, closed_to, traffic });

export const SLOTS: readonly Slot[] = [
  slot("S-A0930", "asphalt", "09:30", 24, false, ["glider"], 9),
  slot("S-A1100", "asphalt", "11:00", 28, false, ["glider"], 14),
  slot("S-A1930", "asphalt", "19:30", 36, true, ["glider", "microlight"], 3),
  slot("S-G0900", "grass", "09:00", 12, false, ["twin"], 6),
  slot("S-G1400", "grass", "14:00", 14, false, ["twin"], 11),
];

/** Direction of a strip in degrees. */
export const HEADING: Readonly<Record<string, number>> = { asphalt: 270, grass: 180 };

interface Aircraft {
  readonly euros_an_hour: number;
  readonly litres_an_hour: number;
}

export const AIRCRAFT: Readonly<Record<string, Aircraft>> = {
  skylark: { euros_an_hour: 150, litres_an_hour: 24 },
  kite: { euros_an_hour: 190, litres_an_hour: 36 },
  wren: { euros_an_hour: 95, litres_an_hour: 14 },
};
