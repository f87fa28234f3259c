import type { Problem } from "../../problem.ts";

/** Content of one file, with its problems; a value with problems still helps to check the files around it. */
export interface FileRead<Value> {
  readonly value: Value;
  readonly problems: readonly Problem[];
  /** Problems that versions are served with all the same. */
  readonly notices?: readonly Problem[];
}
