import type { Contender } from "../contenders.ts";
import type { Goal } from "../goals.ts";
import type { Load } from "../load/run-load.ts";
import type { Unavailable } from "../subjects.ts";

export interface PartOptions {
  readonly contenders: readonly Contender[];
  readonly load: Load;
  readonly rounds: number;
  readonly seconds: number;
  /** Tells how far it is. */
  readonly say: (line: string) => void;
}

export interface PartResult {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What to know about the table. */
  readonly note?: string;
  readonly goals: readonly Goal[];
  readonly unavailable: readonly Unavailable[];
  /** Everything that was measured, for `--json`. */
  readonly raw: unknown;
}

export type Part = (options: PartOptions) => Promise<PartResult>;
