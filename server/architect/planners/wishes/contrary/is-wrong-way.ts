import type { Clause } from "../clause.ts";
import { words } from "../words/word-lists.ts";

/** Verbs in the form of orders, which say the direction of a change, and hardly anything else. */
const RAISING = words(
  "raise increase bump lengthen extend grow boost enlarge widen expand erhöhe erhöhen steigere verlängere vergrößere anheben sube subir aumenta aumentar incrementa augmente augmenter augmentez allonge 提高 增大 增加 调高 延长 上调",
);
const LOWERING = words(
  "lower reduce decrease cut shorten shrink drop tighten trim senke senken verringere reduziere reduzieren verkürze verkürzen kürze baja bajar reduce reducir disminuye acorta réduis réduire réduisez baisse baisser diminue diminuer raccourcis 降低 减少 减小 调低 缩短 下调",
);

/** Words before what is no order: "a drop of half a star", "notes are cut". */
const NO_VERB = /^(?:an?|the|its|of|no|is|are|was|were|be|been|gets?|got|getting|being)$/;

/**
 * Tells whether an order goes against its own verb: it raises something to less than it is, lowers it to more, or says so of the two
 * numbers that it gives.
 */
export function isWrongWay({ tokens, keys, amounts }: Clause, now: number, to: number): boolean {
  const wanted = amounts.filter(({ role }) => role === "to");
  const [first] = wanted;
  if (first === undefined || amounts.some(({ role }) => role === "factor" || role === "by")) return false;
  const end = wanted.at(-1)?.tokens[0] ?? 0;
  // "The lower bound" lowers nothing.
  const named = new Set([...keys.values()].flat().flatMap((said) => (said.length > 1 ? said : [])));
  const says = (verbs: ReadonlySet<string>) =>
    tokens.some(
      ({ lower }, at) =>
        at < end &&
        verbs.has(lower) &&
        !named.has(at) &&
        !NO_VERB.test(tokens[at - 1]?.lower ?? "") &&
        tokens[at + 1]?.lower !== "off",
    );
  const [up, down] = [says(RAISING), says(LOWERING)];
  if (up === down) return false;
  const before = amounts.find(({ role }) => role === "from");
  const isBackwards =
    before !== undefined &&
    wanted.length === 1 &&
    before.unit === first.unit &&
    (up ? first.value < before.value : first.value > before.value);
  return isBackwards || (up ? to < now : to > now);
}
