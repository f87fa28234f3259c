import type { ParameterSet } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import type { Guess } from "./guess-value.ts";

const NAME = String.raw`["'“‘„«「\x60]?\s?([a-z][\w-]*)\s?["'”’“»」\x60]?`;
/** Words before the new name of something, by language. */
const BECOMES = new RegExp(
  [
    String.raw`\b(?:(?:should|shall|must|ought to|needs? to|to|will|would|is) (?:rather |better |now |from now on )?be (?:called|named|known as|renamed(?: to| into)?)|(?:call|name|rename|dub) (?:it|that|this|him|her)(?: to| into| as)?|(?:rename|call|name)s?\b[^.!?]{0,40}?(?:\bto|\binto|\bas|->|→)|renamed (?:to|into)|better (?:called|named)|nenn\w* (?:ihn|es|sie|den arm)(?: in| lieber| besser)?|umbenenn\w*[^.!?]{0,20}?(?:in|zu)|\bin(?= \S{1,40} (?:umbenenn|umzubenenn))|\bsoll\w*(?: künftig| lieber| besser)?|debería llamarse|(?:que )?se llame|llám(?:alo|ela|elo|ala)|renómbra\w*(?: a| como)?|renombr\w*[^.!?]{0,40}?(?:\ba|\bcomo|\bpor)|devrait s['’]appeler|appel(?:le|ez|ons)-l[ea]|qu['’]il s['’]appelle|renomm\w*[^.!?]{0,40}?\ben) `,
    "(?:改名为|改名叫|改名成|改叫|改称|重命名为|命名为|改为|改成|叫做|叫)",
  ]
    .map((pattern) => `(?:${pattern})${NAME}`)
    .join("|"),
  "giu",
);
const RENAMING =
  /\b(?:re-?nam\w*|nam(?:e|ed|ing)|call(?:ed)?|umbenenn\w*|umbenannt|heißen|heißt|nenn\w*|nombre|llam\w+|llám\w+|renombr\w+|renómbr\w+|nom|appel\w+|renomm\w+)\b|改名|改叫|改称|命名|叫|名字/i;
const ARM = /^(?:arms?|variants?|varianten?|brazos?|bras|variantes?|group|gruppe|grupo|groupe|组|变体|分组)$/;
/** Words between the name of an arm and what says that it is one, at most. */
const NEAR = 2;

/** Another name for an arm that the message names: "arm full is a bad name, call it everything". */
export function guessArmName(clause: Clause, set: ParameterSet): readonly Guess[] {
  const { tokens, text } = clause;
  const arms = set.experiment?.arms ?? [];
  const isTaken = (name: string) =>
    arms.some((arm) => arm.name === name) || set.name === name || set.parameters.has(name);
  const marks = tokens.flatMap(({ lower }, at) => (ARM.test(lower) ? [at] : []));
  const owners = tokens.flatMap(({ lower }, at) => (lower === set.name.toLowerCase() ? [at] : []));
  if (!RENAMING.test(text) || (marks.length === 0 && owners.length === 0)) return [];
  const fresh = [...text.matchAll(BECOMES)]
    .map((match) => match.slice(1).find((one) => one !== undefined) ?? "")
    .filter((name) => !isTaken(name) && !NOT_NAMES.has(name.toLowerCase()));
  return arms.flatMap(({ name: old }): readonly Guess[] => {
    const own = tokens.flatMap(({ lower }, at) => (lower === old.toLowerCase() ? [at] : []));
    const isMarked = own.some((at) => marks.some((mark) => Math.abs(mark - at) <= NEAR));
    if (own.length === 0 || (!isMarked && owners.length === 0)) return [];
    return [...new Set(fresh)].map((name): Guess => {
      const at = tokens.flatMap(({ text: one }, place) => (one === name ? [place] : []));
      const verbs = [...(clause.actions.get("rename") ?? []), ...(clause.actions.get("replace") ?? [])];
      return {
        name: `rename arm ${set.name}/${old} ${name}`,
        signs: {
          arm: 1,
          name: 1,
          exact: 1,
          ...(verbs.length > 0 ? { verb: 1 } : {}),
          ...(isMarked ? { marked: 1 } : {}),
          ...(owners.length > 0 ? { tool: 1 } : {}),
        },
        words: [
          ...own,
          ...at,
          ...marks,
          ...owners,
          ...verbs,
          ...clause.nouns.keys(),
          ...(clause.keys.get("title")?.flat() ?? []),
        ],
        core: at,
        deed: async (bench) => {
          const values = await bench.find(set.file, ["experiment", "arms", old]);
          if (values === undefined) return;
          await bench.set(set.file, ["experiment", "arms", name], values);
          await bench.remove(set.file, ["experiment", "arms", old]);
          bench.say(`The arm \`${old}\` of the experiment \`${set.name}\` is called \`${name}\`.`);
          bench.need("patch");
        },
      };
    });
  });
}

/** Words behind "call it" and "in" that are no names. */
const NOT_NAMES: ReadonlySet<string> = new Set(
  "the a an it its this that them to der die das den dem el la los las le les un une una un something anything else differently besser lieber otherwise arm variant".split(
    " ",
  ),
);
