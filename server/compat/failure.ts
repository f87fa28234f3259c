/** Why the one schema is not proven to be part of the other, at one place. */
export interface Failure {
  /** Where in a value: member names, `[]` for items. */
  readonly path: readonly string[];
  readonly rule: CompatRule;
  /** What the one allows and the other does not, in a phrase. */
  readonly message: string;
}

/** What can make one schema no part of another. `docs/semver.md` explains each. */
export const COMPAT_RULES = {
  "type-narrowed": "A type is not allowed any more.",
  "values-narrowed": "A value is not among the allowed ones any more.",
  "bound-narrowed": "A number beyond a bound, or no multiple, is not allowed any more.",
  "length-narrowed": "A text, list or object of some length is not allowed any more.",
  "pattern-narrowed": "A text need not have matched a pattern or format, and must now.",
  "required-added": "A member that could be absent must be there.",
  "member-closed": "A member that could be there is not allowed any more.",
  "items-narrowed": "Items must be different, or contain something, and need not have been so.",
  "condition-unproven": "A condition cannot be compared, and it is not the same on both sides.",
} as const;

export type CompatRule = keyof typeof COMPAT_RULES;

export type Report = (path: readonly string[], rule: CompatRule, message: string) => void;

export const SILENT: Report = () => undefined;
