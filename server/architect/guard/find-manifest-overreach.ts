import { listMembers, memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Overreach } from "./overreach.ts";
import { canonicalJson } from "../../json/canonical-json.ts";

/** State that a server would share with others, and what its resources would show that they do not now. */
export function findServerOverreach(server: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  if (after === undefined) return [];
  const [old, young] = [before?.["state"], after["state"]];
  const shown = new Set(listProviders(before));
  const providers = listProviders(after)
    .filter((provider) => !shown.has(provider))
    .map((provider): Overreach => {
      const message = `The server \`${server}\` would show \`${provider}\`.`;
      const sentence = `Show the provider \`${provider}\` in the server \`${server}\`.`;
      const words = [["provider"], [provider], [server]];
      return { rule: "server", path, message, ask: { sentence, words } };
    });
  if (young === undefined || young === old) return providers;
  const message = `The server \`${server}\` would have the state \`${String(young)}\`, and has ${old === undefined ? "its own" : `\`${String(old)}\``}.`;
  const sentence = `Give the server \`${server}\` the state \`${String(young)}\`.`;
  const words = [["state"], [server], [String(young)]];
  return [{ rule: "server", path, message, ask: { sentence, words } }, ...providers];
}

/** Views of the running service that its resources and prompts show. */
function listProviders(server: ChangedManifest["before"]): readonly string[] {
  const found = new Set<string>();
  const todo: unknown[] = [server?.["resources"], server?.["prompts"]];
  while (todo.length > 0) {
    const part = todo.pop();
    const provider = memberOf(part, "provider");
    if (typeof provider === "string") found.add(provider);
    if (typeof part === "object" && part !== null) todo.push(...Object.values(part));
  }
  return [...found];
}

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

/** Finds changes that remove an experiment's safeguards: its guardrail, and promotion by a person. */
export function findExperimentOverreach(name: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  if (before === undefined || after === undefined) return [];
  const [old, young] = [before["experiment"], after["experiment"]];
  const find = (message: string, sentence: string, ...words: readonly (readonly string[])[]): Overreach => ({
    rule: "experiment",
    path,
    message,
    ask: { sentence, words: [[name], ...words] },
  });
  const guardrails = ["maxErrorRate", "maxDrop"].flatMap((key) => {
    const was = memberOf(memberOf(old, "guardrail"), key);
    const is = memberOf(memberOf(young, "guardrail"), key);
    if (typeof was !== "number" || (typeof is === "number" && is <= was)) return [];
    const value = typeof is === "number" ? String(is) : undefined;
    return [
      find(
        `The guardrail \`${key}\` of the experiment \`${name}\` would be ${value ?? "gone"}, and is ${was}.`,
        value === undefined
          ? `Remove the guardrail \`${key}\` of \`${name}\`.`
          : `Raise the guardrail \`${key}\` of \`${name}\` to ${value}.`,
        ["guardrail"],
        [key],
        value === undefined ? ["remove", "delete", "drop"] : [value],
      ),
    ];
  });
  return promotes(young) && !promotes(old)
    ? [
        ...guardrails,
        find(
          `What wins the experiment \`${name}\` would become active by itself.`,
          `Have the experiment \`${name}\` promote by itself.`,
          ["promote"],
          ["itself"],
        ),
      ]
    : guardrails;
}

/** A stop rule promotes unless it says otherwise. */
function promotes(experiment: unknown): boolean {
  const stop = memberOf(experiment, "stop");
  return stop !== undefined && memberOf(stop, "promote") !== false;
}
