import type { Json } from "../../../../store/store.ts";
import type { Path } from "../../../edit/edit-json.ts";
import type { Accepts } from "./places.ts";

/** Something that a manifest may set, and that is said in words of its own, which mean other things elsewhere: "the lease of a workflow". */
export interface Setting {
  /** For sentences, from "The" on: "lease of the workflow `change`". */
  readonly label: string;
  readonly file: string;
  readonly at: Path;
  readonly accepts: Accepts | { readonly kind: "range" };
  /** Absent: not set. */
  readonly now?: Json | undefined;
  /** Least and most that it may be. */
  readonly within?: readonly [least: number, most: number];
  /** Words that say it. */
  readonly key: RegExp;
  /** Words of which one stands beside it: for an experiment, a workflow. */
  readonly about: RegExp;
  /** Stems of the names of what it belongs to, of which one is said, and of what is said besides. */
  readonly names: readonly (readonly string[])[];
  readonly owners: ReadonlySet<string>;
  /** Words of which one stands right beside the name; absent: none has to. */
  readonly beside?: RegExp;
  /** Values by the words that say them, where there are few. */
  readonly values?: readonly (readonly [RegExp, Json])[];
  /** True: words for what goes are words for its values, as in "take no unknown fields". */
  readonly isOfRefusal?: true;
  /** What is to be undone where it is set: others that say the same. */
  readonly others?: readonly { readonly file: string; readonly at: Path }[];
}

/** Values of which each has words of its own. */
export const CHOICE: Accepts = { kind: "choice", values: [] };
