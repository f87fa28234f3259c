/** Intents that want no change. */
export const IDLE_INTENTS = ["question", "bug", "code", "nothing", "keep", "later", "quoted", "vague"] as const;

/** What messages may want, as an author of examples would name it. */
export const INTENTS = [
  ...(["value-add", "value-remove", "value-rename", "default-set", "default-remove"] as const),
  ...(["bound-looser", "bound-tighter", "bound-none", "required", "optional"] as const),
  ...(["field-add", "field-remove", "field-rename", "field-deprecate"] as const),
  ...(["tool-remove", "tool-rename", "tool-deprecate", "tool-undeprecate"] as const),
  ...(["text-replace", "text-extend", "example-add", "example-remove"] as const),
  ...(["limit-up", "limit-down", "cost-set", "promise-on", "promise-off"] as const),
  ...(["right-grant", "right-revoke", "role-new", "need-capability", "free-capability"] as const),
  ...(["host-add", "host-remove", "command-add", "command-remove", "command-rename"] as const),
  ...(["label-move", "label-remove", "param-set", "param-up", "param-down", "param-bound"] as const),
  ...(["arm-add", "arm-remove", "arm-promote", "experiment-start", "experiment-stop"] as const),
  ...(["experiment-set", "guardrail-set", "promotion-set"] as const),
  ...IDLE_INTENTS,
] as const;

export type Intent = (typeof INTENTS)[number];
