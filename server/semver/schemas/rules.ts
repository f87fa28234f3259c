/** Rules by which one schema is no part of another. `docs/compatibility.md` explains each. */
export const COMPAT_RULES = {
  "type-narrowed": "A type of value was allowed, and is not any more.",
  "values-narrowed": "A value was allowed, and is not among the allowed ones any more.",
  "bound-narrowed":
    "A number beyond a bound, with a fraction, or that is no multiple was allowed, and is not any more.",
  "length-narrowed": "A text, list or object of some length was allowed, and is not any more.",
  "pattern-narrowed": "A text needed not match a pattern or format, and must now.",
  "required-added": "A member could be left out, and must be there now.",
  "member-closed": "A member was allowed, and is not any more.",
  "items-narrowed": "Items needed not be different, or contain something, and must now.",
  "default-changed": "What an input means that leaves a member out has changed.",
  "condition-unproven": "A condition is new or different, and cannot be compared.",
} as const;

export type CompatRule = keyof typeof COMPAT_RULES;
