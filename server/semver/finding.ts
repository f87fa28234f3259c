import type { Json } from "../json/types.ts";
import { BUMP_RULES, type BumpRule } from "./bump-rules.ts";
import type { Level } from "./level.ts";
import type { CompatRule } from "./schemas/rules.ts";

/** One step from a value in a manifest to a part of it; an object means the item of a list with that member. */
export type Step = string | number | Readonly<Record<string, string>>;

/** Place of a change in the manifests: of the new tree, or of the old one where something was removed. */
export interface Place {
  readonly side: "before" | "after";
  readonly file: string;
  readonly path: readonly Step[];
}

/** One way in which two trees differ. */
export interface Finding {
  readonly rule: BumpRule;
  readonly level: Level;
  readonly server?: string;
  readonly tool?: string;
  /** Whose rights it is about: shown to whoever reads the manifests, and to no caller. */
  readonly isPolicy?: true;
  /** In plain words, one sentence. */
  readonly message: string;
  readonly place: Place;
  /** Of what a schema lost: see `docs/compatibility.md`. */
  readonly schemaRule?: CompatRule;
  /** Example that worked before and fails now: an input, or an output that no client could receive before. */
  readonly value?: Json;
}

type About = Pick<Finding, "server" | "tool" | "isPolicy" | "schemaRule" | "value">;

export function createFinding(rule: BumpRule, message: string, place: Place, about: About = {}): Finding {
  return Object.freeze({ rule, level: BUMP_RULES[rule].level, ...about, message, place });
}

export function placeIn(side: Place["side"], file: string, ...path: readonly Step[]): Place {
  return { side, file, path };
}
