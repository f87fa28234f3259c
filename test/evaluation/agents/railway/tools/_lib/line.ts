/** The trains of the valley on a weekday. A real railway would ask its timetable. */
export interface Train {
  readonly train_no: string;
  readonly origin: string;
  readonly destination: string;
  readonly departs: string;
  readonly arrives: string;
  readonly minutes: number;
  readonly changes: number;
  readonly fare: number;
  readonly level: boolean;
  readonly racks: number;
  /** From empty (0) to full (1). */
  readonly crowd: number;
}

const train = (
  train_no: string,
  origin: string,
  destination: string,
  departs: string,
  arrives: string,
  minutes: number,
  changes: number,
  fare: number,
  level: boolean,
  racks: number,
  crowd: number,
): Train => ({ train_no, origin, destination, departs, arrives, minutes, changes, fare, level, racks, crowd });

export const TRAINS: readonly Train[] = [
  train("R2104", "ulverby", "garthside", "06:52", "07:31", 39, 0, 7.5, true, 4, 0.9),
  train("R2118", "garthside", "ulverby", "07:44", "08:25", 41, 0, 7.5, true, 4, 0.8),
  train("R2130", "ulverby", "pennmoor", "08:10", "09:26", 76, 1, 11, true, 4, 0.4),
  train("R2142", "ulverby", "tarnfoot", "10:05", "10:23", 18, 0, 3.8, false, 2, 0.2),
  train("R2155", "pennmoor", "ulverby", "12:30", "13:35", 65, 0, 12, true, 4, 0.5),
  train("R2166", "tarnfoot", "pennmoor", "16:20", "17:41", 81, 2, 9, false, 2, 0.6),
];

/** What a kind of ticket costs, in single fares; what is not listed costs one. */
export const FARES: Readonly<Record<string, number>> = { single: 1, day_return: 1.8, weekly: 7 };
