/** The classes of the mill. A real club would ask its calendar. */
export interface Class {
  readonly class_no: string;
  readonly discipline: string;
  readonly level: string;
  readonly trainer: string;
  readonly starts: string;
  readonly minutes: number;
  readonly capacity: number;
  readonly taken: number;
  /** How well it is liked, from 0 to 1. */
  readonly liked: number;
  readonly fresh: boolean;
}

const one = (
  class_no: string,
  discipline: string,
  level: string,
  trainer: string,
  starts: string,
  minutes: number,
  capacity: number,
  taken: number,
  liked: number,
  fresh: boolean,
): Class => ({ class_no, discipline, level, trainer, starts, minutes, capacity, taken, liked, fresh });

export const CLASSES: readonly Class[] = [
  one("YO-204", "yoga", "beginner", "Ines", "07:30", 60, 18, 9, 0.7, false),
  one("YO-207", "yoga", "advanced", "Ines", "18:00", 75, 16, 12, 0.9, false),
  one("SP-101", "spinning", "any", "Radu", "17:15", 45, 24, 20, 0.8, false),
  one("SP-103", "spinning", "advanced", "Radu", "19:00", 50, 24, 24, 0.6, true),
  one("BX-110", "boxing", "beginner", "Keela", "20:00", 60, 12, 5, 0.5, true),
  one("PI-301", "pilates", "any", "Marek", "12:10", 40, 14, 11, 0.75, false),
];
