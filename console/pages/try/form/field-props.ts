import type { Schema } from "../../../parts/schema.ts";

/** One value that a form asks for. */
export interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  /** The schema that references are in. */
  readonly root: Schema;
  readonly isRequired: boolean;
  readonly depth: number;
  /** Absent: it is not given. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}
