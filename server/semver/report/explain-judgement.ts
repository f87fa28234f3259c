import type { Judgement } from "../../versions/registry/judge/claims.ts";

/** Lists the versions that a version was measured against, and why, a sentence each. */
export function explainJudgement(name: string, { bases, presumed }: Judgement): readonly string[] {
  if (bases.length === 0)
    return [`No version that is served is below ${name}, so there is nothing to measure it against.`];
  return [
    ...bases.map(({ version, because }) => {
      const why = because ?? "versions.yaml names it as the parent";
      return `${name} is measured against ${version.name}: ${why}.`;
    }),
    ...(presumed.length === 0
      ? []
      : [`${presumed.join(" and ")} was taken for served: there are too many below to look at all.`]),
  ];
}
