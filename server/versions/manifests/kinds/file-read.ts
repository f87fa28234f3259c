import type { Problem } from "../../problem.ts";

/** What one file says, and what is wrong with it; a value with problems still helps to check the files around it. */
export interface FileRead<Value> {
  readonly value: Value;
  readonly problems: readonly Problem[];
}
