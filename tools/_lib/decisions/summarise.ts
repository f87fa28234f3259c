import type { Dominated, Verdict } from "./decision.ts";

/** One or two sentences for people: who chooses what, and what need not be considered. */
export function summarise(criteria: readonly Verdict[], dominated: readonly Dominated[]): string {
  const byChoice = Map.groupBy(criteria, ({ choices }) => join(choices.map((name) => `"${name}"`)));
  const said = [...byChoice].map(([choices, verdicts]) => {
    const names = verdicts.map(({ criterion }) => criterion.replaceAll("_", " "));
    return `${choices} by ${join(names)}`;
  });
  const best = `Best: ${said.join("; ")}.`;
  if (dominated.length === 0) return best;
  const lost = dominated.map(({ alternative }) => `"${alternative}"`);
  return `${best} Dominated: ${join(lost)}.`;
}

function join(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
