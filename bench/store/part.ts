import type { Goal } from "../protocol/goals.ts";
import type { BenchDatabase } from "./database.ts";

export interface PartOptions {
  readonly database: BenchDatabase;
  readonly rounds: number;
  /** Length of each window. */
  readonly seconds: number;
  /** Tells how far it is. */
  readonly say: (line: string) => void;
}

export type Part = (options: PartOptions) => Promise<{
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly goals: readonly Goal[];
}>;
