import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";

/** A number that is set in an arm or an experiment, by the name of the change. */
const OF_ARM = /\/arms\/([^/]+)\/[^/=]+=(-?[\d.]+)$/;
const OF_EXPERIMENT = /\/parameters\/([^/]+)\.yaml#experiment\/(?!arms\/)\S+=(-?[\d.]+)$/;
const OF_DEFAULT = /#parameters\/[^/]+\/default=/;
const STAYS = /^(?:stays?|remains?|unchanged|bleibt|queda|reste)$/;

/**
 * Makes a check whether a change of a name is of something else than a clause says: of the arm or the experiment that it names before another one
 * ("familiar has 0.5, expert should have 0.4"), of a default where it speaks of an arm, or of what is to stay as it is ("drop stays 0.15").
 */
export function toOfOther(clause: Clause, { version, named }: Places): (part: string) => boolean {
  const sets = [...version.parameters.values()];
  const arms = new Set(sets.flatMap(({ experiment }) => experiment?.arms.map(({ name }) => name.toLowerCase()) ?? []));
  const names = new Set(sets.map(({ name }) => name.toLowerCase()));
  const isOfArm = speaksOfArm(clause, arms);
  return (part) => {
    const [, arm, inArm] = OF_ARM.exec(part) ?? [];
    if (arm !== undefined && isBehindOther(clause, arm, Number(inArm), arms)) return true;
    const [, set, inSet] = OF_EXPERIMENT.exec(part) ?? [];
    if (set !== undefined && isBehindOther(clause, set, Number(inSet), names)) return true;
    if (isOfArm && OF_DEFAULT.test(part)) return true;
    const key = named.get(/^\S+#[^\s=]+/.exec(part)?.[0] ?? "")?.key;
    const phrases = key === undefined ? [] : (clause.keys.get(key) ?? []);
    return phrases.some((phrase) => STAYS.test(clause.tokens[(phrase.at(-1) ?? 0) + 1]?.lower ?? ""));
  };
}

/** Tells whether the last of some names before a number, which may be a share in per cent, is not that of what it is set in. */
function isBehindOther({ tokens, amounts }: Clause, own: string, value: number, names: ReadonlySet<string>): boolean {
  const at = amounts.find((amount) => [value, value * 100].includes(amount.value))?.tokens[0] ?? 0;
  const last = tokens.findLast(({ lower, kind }, place) => place < at && kind !== "sign" && names.has(lower))?.lower;
  return last !== undefined && last !== own.toLowerCase();
}

/** Tells whether a clause says of an arm by its name what it should have, and nothing of defaults. */
function speaksOfArm({ tokens, keys, text }: Clause, arms: ReadonlySet<string>): boolean {
  const isAnew = /\brename\b.*\bits\b/iu.test(text) && tokens.some(({ lower }) => arms.has(lower));
  const isArm = (at: number) => arms.has(tokens[at]?.lower ?? "");
  const isSaid = tokens.some(
    ({ lower }, at) =>
      (lower === "arm" && (isArm(at - 1) || isArm(at + 1))) || (isArm(at - 1) && /^(?:has|had|gets|runs)$/.test(lower)),
  );
  return !keys.has("default") && (isAnew || isSaid);
}

/** Tells whether a value that comes is said to take the place of one that there is: "change breakdown to engine_trouble". */
export function isRenamed(part: string, { text }: Clause, { named }: Places): boolean {
  const [, id = "", list = "[]"] = /^(\S+#\S+) add (\[.*\])$/s.exec(part) ?? [];
  const known = named.get(id)?.thing.values ?? [];
  const fresh: readonly unknown[] = id === "" ? [] : JSON.parse(list);
  const mark = String.raw`["'“”‘’\x60]?`;
  const write = (value: unknown) => RegExp.escape(String(value)).replaceAll("_", "[_ ]");
  return fresh.some((to) =>
    known.some((from) =>
      new RegExp(
        String.raw`(?<![\p{L}\d])${write(from)}${mark} ?(?:to|into|->|→|=>|in|zu|a|en) ?${mark}${write(to)}(?![\p{L}\d])`,
        "iu",
      ).test(text),
    ),
  );
}
