import { canonicalJson } from "../../json/canonical-json.ts";
import { listMembers, memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Overreach } from "./overreach.ts";

/** In versions.yaml only labels may move, and only those that the message names. */
export function findHistoryOverreach({ path, before, after }: ChangedManifest): readonly Overreach[] {
  const [old, young] = [before?.["labels"], after?.["labels"]];
  const rest = (history: ChangedManifest["before"]) => canonicalJson({ ...history, labels: null });
  const others: readonly Overreach[] =
    rest(before) === rest(after)
      ? []
      : [{ rule: "history", path, message: "`versions.yaml` would have another `current` or other `versions`." }];
  const moved = listMembers(young).flatMap(([label, target]): readonly Overreach[] => {
    if (memberOf(old, label) === target) return [];
    const message = `The label \`${label}\` would mean \`${String(target)}\`.`;
    const sentence = `Move the label \`${label}\` to \`${String(target)}\`.`;
    return [{ rule: "label", path, message, ask: { sentence, words: [["label"], [label], [String(target)]] } }];
  });
  const lost = listMembers(old).flatMap(([label]): readonly Overreach[] => {
    if (memberOf(young, label) !== undefined) return [];
    const sentence = `Remove the label \`${label}\`.`;
    const words = [["label"], [label], ["remove", "delete", "drop"]];
    return [{ rule: "label", path, message: `The label \`${label}\` would be gone.`, ask: { sentence, words } }];
  });
  return [...others, ...moved, ...lost];
}
