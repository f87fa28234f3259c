/** A value that JSON can carry unchanged; `-0`, `NaN` and `undefined` cannot. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Validates a value. With `first`, stops at the first violation, for callers who only ask whether there is one. */
export type Check = (value: unknown, extent?: "first") => readonly Violation[];

/** A part of a value that a schema does not allow. */
export interface Violation {
  /** JSON Pointer to the part; "" is the whole value. */
  readonly path: string;
  readonly message: string;
}
