/** The sailings of a day, as they are chalked on the board at the quay. */
interface Sailing {
  readonly sailing_no: string;
  readonly from: string;
  readonly to: string;
  readonly ship: string;
  readonly departs: string;
  readonly minutes: number;
  readonly spaces: number;
  readonly lift: boolean;
  readonly direct: boolean;
}

const sailing = (
  sailing_no: string,
  from: string,
  to: string,
  ship: string,
  departs: string,
  minutes: number,
  spaces: number,
  direct = true,
): Sailing => ({ sailing_no, from, to, ship, departs, minutes, spaces, lift: ship !== "petrel", direct });

export const SAILINGS: readonly Sailing[] = [
  sailing("MH101", "mainland", "holm", "kittiwake", "06:40", 45, 22),
  sailing("MH103", "mainland", "holm", "petrel", "11:15", 35, 8),
  sailing("MV201", "mainland", "vard", "fulmar", "08:00", 95, 40),
  sailing("MO301", "mainland", "oyra", "fulmar", "13:30", 150, 31, false),
  sailing("HM102", "holm", "mainland", "kittiwake", "07:50", 45, 25),
  sailing("VM202", "vard", "mainland", "fulmar", "17:10", 95, 12),
  sailing("OV302", "oyra", "vard", "petrel", "16:00", 70, 6),
];

/** Euros for one person on foot, by the harbour that is not the mainland. */
export const FARES: Readonly<Record<string, number>> = { holm: 12, vard: 17, oyra: 23 };
