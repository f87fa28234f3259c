import { type BranchRules, needsReview } from "./branch-rules.ts";
import { nameReviews } from "./review.ts";
import { RULE_TYPES } from "./rule-types.ts";

/** Says on a pull request when it merges, as Markdown. */
export function toMergeNote(rules: BranchRules): string {
  const { names } = rules.required;
  const types = rules.types.flatMap((type) => RULE_TYPES[type] ?? { meaning: `\`${type}\``, isBeyond: true });
  const conditions = [
    ...(names.length === 0 ? ["a rule of its base requires a check that passes"] : []),
    ...names.map((name) => `the check \`${name}\` passes`),
    ...(needsReview(rules) ? [`it has ${nameReviews(rules)}`] : []),
    ...(rules.conversations ? ["conversations on its code are resolved"] : []),
    ...types.flatMap(({ awaits }) => awaits ?? []),
  ];
  const how = rules.types.includes("merge_queue") ? "puts it into the merge queue" : "merges it";
  const others = types.filter(({ isBeyond, awaits }) => isBeyond && awaits === undefined).map(({ meaning }) => meaning);
  const sentences = [
    `Cairn ${how} by itself once ${conditions.join(", and ")}.`,
    ...(rules.dismissesStale && needsReview(rules)
      ? ["A push takes approvals back, and Cairn then asks for them again."]
      : []),
    ...(others.length > 0 ? [`GitHub alone sees to other rules, and may refuse it: ${others.join("; ")}.`] : []),
  ];
  return `## When it merges\n\n${sentences.join(" ")}`;
}
