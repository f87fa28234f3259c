import { pointAt, removeLabels } from "../../directives/phrases/move-labels.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, has, hasNoun } from "./draft.ts";
import type { Places } from "../places/places.ts";
import { roleOf } from "../words/values.ts";

const VERSION = /^v?(\d+\.\d+\.\d+(?:[+-][\w.+-]+)?)$/;
const NAME = /^[a-z][\w.-]{0,63}$/i;

/** Drafts about which version a label stands for. */
export function draftLabels(clause: Clause, { version, identifiers }: Places): readonly Draft[] {
  const { labels, versions } = version.history;
  const all = clause.tokens.flatMap(({ text }, at) => (VERSION.test(text) ? [at] : []));
  const everyLabel = clause.tokens.flatMap(({ text, kind }, at) =>
    kind !== "sign" && labels.has(text.toLowerCase()) ? [{ label: text.toLowerCase(), at }] : [],
  );
  const targets = clause.tokens.flatMap(({ text, kind }, at) => {
    const target = kind === "number" ? undefined : VERSION.exec(text)?.[1];
    return target === undefined || roleOf(clause.tokens, at) === "from" ? [] : [{ target, at }];
  });
  const nouns = clause.tokens.flatMap(({ lower }, at) =>
    clause.nouns.get(at)?.has("label") === true || /^(?:version|release|released?)$/.test(lower) ? [at] : [],
  );
  const isNegated = clause.negators.length > 0;
  const [target, ...more] = targets;
  // Of several labels, the one before the version is probably meant.
  const isOneOfSeveral = everyLabel.length > 1 && target !== undefined && !has(clause, "remove");
  const before = everyLabel.findLast(({ at }) => at < (target?.at ?? 0));
  const named = isOneOfSeveral && before !== undefined ? [before] : everyLabel;
  const base = { thing: undefined, soft: new Set<number>(), label: "a label" };
  if (isNegated || more.length > 0) return [];
  const gone = explainActions(clause, ["remove"]);
  if (gone !== undefined && named.length > 0 && nouns.length > 0) {
    return [
      {
        ...base,
        name: `label - ${named.map(({ label }) => label).join()}`,
        explained: new Set([...gone, ...nouns, ...all, ...named.map(({ at }) => at)]),
        doubt: target !== undefined && labels.get(named[0]?.label ?? "") !== target.target ? 1.5 : 0,
        deed: removeLabels(named.map(({ label }) => label)),
      },
    ];
  }
  const verbs = explainActions(clause, ["label", "set", "promote", "add", "revert", "start", "rename"]);
  const back = has(clause, "revert");
  if (target === undefined || (verbs === undefined && named.length === 0) || has(clause, "remove")) return [];
  const fresh =
    named.length > 0
      ? []
      : clause.tokens.flatMap(({ text, kind, lower }, at) => {
          const isTaken =
            ((clause.weights[at] ?? 0) === 0 && !isKeyed(clause, at)) ||
            kind === "sign" ||
            kind === "number" ||
            all.includes(at) ||
            nouns.includes(at) ||
            (verbs ?? []).includes(at);
          const isOther = identifiers.has(lower) && !isKeyed(clause, at);
          return isTaken || !NAME.test(text) || isOther || clause.keys.size > 3
            ? []
            : [{ label: text.toLowerCase(), at }];
        });
  const isCalled = (at: number) =>
    /^(?:called|named|namens|genannt|llamad[oa]|nommée?|:|叫)$/.test(clause.tokens[at]?.lower ?? "");
  const called = fresh.filter(({ at }) => isCalled(at - 1));
  const besideNoun = called.length === 1 ? called : fresh.filter(({ at }) => nouns.includes(at - 1));
  const wanted = named.length > 0 ? named : besideNoun.length === 1 ? besideNoun : fresh;
  const [only, ...others] = wanted;
  if (only === undefined || others.length > 0) return [];
  // A new label is only made where a word says that a label is meant.
  const isSaid = named.length > 0 || hasNoun(clause, "label") || has(clause, "label");
  const now = labels.get(only.label);
  const isForward = back && now !== undefined && versions.has(target.target) && now < target.target;
  return [
    {
      ...base,
      label: `the label \`${only.label}\``,
      name: `label ${only.label}=${target.target}`,
      explained: new Set([...(verbs ?? []), ...nouns, ...all, ...wanted.map(({ at }) => at)]),
      doubt: (isSaid ? 0 : 1) + (isForward ? 1.5 : 0) + (isOneOfSeveral ? 1 : 0),
      deed: (bench) => pointAt(version, [only.label], target.target)(bench),
    },
  ];
}

/** Tells whether a word stands between the word for labels and a colon, so that it can only be a name: "label next: 1.2.0". */
function isKeyed({ tokens, nouns }: Clause, at: number): boolean {
  return nouns.get(at - 1)?.has("label") === true && /^(?:[:=：]|->|→)$/.test(tokens[at + 1]?.text ?? "");
}
