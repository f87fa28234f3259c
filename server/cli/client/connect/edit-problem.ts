import { CairnError } from "../../../errors.ts";

/** Place where a text is not what it must be, for `createEditError`, which knows the file. */
export interface EditProblem {
  readonly offset: number;
  readonly message: string;
}

/** Error of a file that cannot be edited; nothing of it was changed. */
export function createEditError(file: string, text: string, { offset, message }: EditProblem): CairnError {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  return new CairnError("BAD_REQUEST", `${file}:${before.length}:${column}: ${message}. Nothing was written.`);
}
