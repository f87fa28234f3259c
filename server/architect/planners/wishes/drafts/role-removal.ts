import type { Clause } from "../clause.ts";
import { type Draft, draftAction, hasNoun, type Match } from "./draft.ts";

/** Where the reason for a wish may begin. */
const TURN = /[,;]\s|\s[-–—]\s|\s(?:because|since|as|for)\s/iu;
/** A part of a sentence that says how others manage: "operators have migrate_* anyway". */
const REASON =
  /^(?:as |since |because |for )?(?:(?:the|our|all) )?[\w-]+ (?:already |now |also )?(?:have|has|do|does|did|can|get|gets|use|uses|cover|covers|handle|handles|look|looks|take|takes|took|work|works|grant|grants)\b/iu;
const WISH =
  /\b(?:(?:has|have|had) to|agree\w*|first|ask\w*|decid\w*|check\w*|confirm\w*|think|says?|said|will|may|might|not|should|must|please|give|let|needs?|ought|add|grant|make|want|instead|if|unless|until|once|when|but)\b/iu;

/** "Remove it from the docs" takes no role away. */
const ELSEWHERE =
  /\bfrom (?!(?:(?:the|our|its|this|that|all|every) )*(?:polic|roles?\b|access\b|lists?\b|agent\b|manifests?\b|versions?\b|now\b|here\b))/iu;

/** Drafts that take a role away, with the reason behind that. */
export function draftRoleRemoval(clause: Clause, match: Match): readonly Draft[] {
  const { thing } = match;
  const { tokens, text } = clause;
  const turn = TURN.exec(text);
  const rest = turn === null ? "" : text.slice(turn.index + turn[0].length);
  const isReasoned = turn !== null && REASON.test(rest) && !WISH.test(rest);
  const end = isReasoned ? turn.index : text.length;
  const isHead = (at: number) => (tokens[at]?.end ?? 0) <= end;
  const isNamed = thing.names.flat().some((stem) => tokens.some(({ stems }, at) => isHead(at) && stems.includes(stem)));
  const verbs = clause.actions.get("remove") ?? [];
  const namesCapability = tokens.some(
    ({ text: own, stems }, at) => isHead(at) && (/:/.test(own) || (stems.length > 1 && !match.explained.has(at))),
  );
  if (ELSEWHERE.test(text.slice(0, end))) return [];
  if (!hasNoun(clause, "role") || namesCapability || !isNamed || !verbs.every(isHead)) return [];
  const drafts = draftAction(
    clause,
    match,
    ["remove"],
    "remove",
    async (bench) => {
      await bench.remove(thing.file, thing.at);
      bench.say(`The role \`${thing.role}\` is gone.`);
      bench.need("major");
    },
    { words: isReasoned ? tokens.flatMap((_, at) => (isHead(at) ? [] : [at])) : [] },
  );
  return isReasoned ? drafts.map((draft) => ({ ...draft, settles: true as const })) : drafts;
}
