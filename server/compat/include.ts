import type { Conjunction } from "./located.ts";
import type { CompatRule } from "./rules.ts";

/** Told where a proof fails. The path leads into a value: names of members, `[]` for items, `*` for other members. */
export type Report = (path: readonly string[], rule: CompatRule, phrase: string) => void;

/** Whether it is proven that every value of `inner` is one of `outer`. */
export type Include = (inner: Conjunction, outer: Conjunction, path: readonly string[], report: Report) => boolean;

export const SILENT: Report = () => undefined;
