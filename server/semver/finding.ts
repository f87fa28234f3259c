import type { Json } from "../json/types.ts";
import type { AcceptedBreak } from "../versions/loaded-history.ts";
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
  /** Kind and name of the part of the surface, as `cairn surface` has them: `tool runner.greet`. */
  readonly of: string;
  /** Member, argument or capability that it names, if any; with rule and `of` it tells the finding from all others. */
  readonly member?: string;
  /** Set where versions.yaml accepts the break next to the version before: then it asks for no more than a patch. */
  readonly accepted?: Pick<AcceptedBreak, "reason" | "by">;
  /** In plain words, one sentence. */
  readonly message: string;
  readonly place: Place;
  /** Of what a schema lost: see `docs/compatibility.md`. */
  readonly schemaRule?: CompatRule;
  /** Example: of a break an input that worked before, or an output that could not come before; else one that is possible since. */
  readonly value?: Json;
  /** The output that came in place of the example, or the example as the tool read it, before the change. */
  readonly before?: Json;
  /** The output that comes in place of the example, or the example as the tool reads it, since the change. */
  readonly after?: Json;
  /** Sentence on why one of the versions refuses the example. */
  readonly refusal?: string;
}

type About = Partial<Omit<Finding, "rule" | "level" | "accepted" | "message" | "place">>;

export function createFinding(rule: BumpRule, message: string, place: Place, about: About = {}): Finding {
  const { tool, server } = about;
  const of = tool !== undefined ? `tool ${tool}` : server !== undefined ? `server ${server}` : "agent";
  return Object.freeze({ rule, level: BUMP_RULES[rule].level, of, ...about, message, place });
}

/** Returns the bump that a finding asks for, once what is accepted is taken off. */
export function demandOf({ level, accepted }: Pick<Finding, "level" | "accepted">): Level {
  return accepted === undefined ? level : "patch";
}

export function placeIn(side: Place["side"], file: string, ...path: readonly Step[]): Place {
  return { side, file, path };
}
