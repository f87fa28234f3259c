import { renameRole } from "../../../directives/rename-role.ts";
import { hasNoun } from "../../drafts/draft.ts";
import { PLAIN } from "../../words/phrase-index.ts";
import { toStem } from "../../words/words.ts";
import { STOP } from "../../words/word-lists.ts";
import type { Guess } from "../guess-value.ts";
import type { Aim } from "./near-tools.ts";

/** What stands before a new name, surely or where the message speaks of a new name besides, with words between that say nothing. */
const BEFORE =
  /(?:(?<arrow>(?:->|=>|→|⇒|:=|改名为|改名叫|改为|改成|叫做?|更名为)\s*)|(?<![\p{L}\p{N}_])(?:(?<sure>renamed?|named|called|becomes?|go by|call (?:it|them|that|this)|rename (?:it|them)|(?:heißen|heißt|nennen|nennt)(?: (?:sie|ihn|es))?|llam(?:ar|a|e|en|ad)(?:se|la|lo|le)?|s['’]appelle\w*|appele[rz]|(?:re)?nomme[rz]?|devien(?:t|ne)|devenir)|to|into|as|be|zu|in|a|por|en)\s+)(?:(?:künftig|fortan|jetzt|nun|the|a|now|just|simply|to|as|ahora|désormais|role|rolle)\s+)*(?<mark>["'`«„“‘「]\s?)?(?!(?:call|nam|renam|llam|appel|nomm)\w*(?:ed|se|[ée]e?)\b)(?<name>[a-z][\w-]{1,62}\w)(?![\w:*]|[.-]\w)/giu;
/** A new name before the old one: "releaser instead of release-manager". */
const INSTEAD =
  /(?<mark>["'`«„“‘「])?(?<name>[a-z][\w-]{1,62}\w)["'`»“”’」]?,?\s+(?:instead of|rather than|in place of|and not|not|statt|anstatt|anstelle von|en vez de|en lugar de|au lieu de|plutôt que)\s+(?:the |la |el |der |die |le )?(?:role |rol |rolle |rôle )?["'`«„“‘「]?(?<old>[a-z][\w.-]*\w)/giu;

/** Words of naming, which are no names. */
const SAYING = /^(?:llam\w*|called|named|rename[ds]?|heißen|appel\w*|roles?|rolle|rôle)$/i;

/** Another name for a role, its rights being as they are: "release-manager -> releaser", "the role watcher should be called observer". */
export function guessRoleName({ clause, places, mood, near }: Aim): readonly Guess[] {
  const isSaid = hasNoun(clause, "role");
  const { text, tokens } = clause;
  return places.things.flatMap((thing): readonly Guess[] => {
    const { role, names } = thing;
    if (role === undefined || thing.kind !== "role") return [];
    const own = tokensAt(clause, findWord(text, role));
    const isNamed = own.length > 0 || (isSaid && names.some((name) => isSpoken(tokens, name)));
    if (!isNamed) return [];
    return findFresh(text, role, places).flatMap(({ name, span, isArrow, isSure, isMarked }): readonly Guess[] => {
      const isWritten = isMarked || isArrow || /[_-]/.test(name);
      if (!isArrow && !isSure && !mood.isRenamed) return [];
      if (!isWritten && (PLAIN.has(toStem(name)) || !isSaid)) return [];
      const at = tokensAt(clause, [span]);
      const verbs = [...(clause.actions.get("rename") ?? []), ...(clause.actions.get("replace") ?? [])];
      return [
        {
          name: `rename ${thing.id} ${name}`,
          signs: {
            rename: 1,
            verb: 1,
            marked: 1,
            name: 1,
            rare: 1,
            ...(own.length > 0 ? { exact: 1 } : {}),
            ...(isSaid ? { key: 1 } : {}),
            ...(isWritten ? {} : { loose: 1 }),
          },
          words: [...at, ...own, ...(near.get(thing)?.words ?? []), ...verbs, ...clause.nouns.keys()],
          core: at,
          deed: async (bench) => {
            await renameRole(places.version, role, name)(bench);
          },
        },
      ];
    });
  });
}

interface Fresh {
  readonly name: string;
  readonly span: readonly [number, number];
  readonly isArrow: boolean;
  readonly isSure: boolean;
  readonly isMarked: boolean;
}

/** Words of a message that may be the new name: behind what says that one follows, or before "instead of" the old one. */
function findFresh(text: string, role: string, { version, identifiers }: Aim["places"]): readonly Fresh[] {
  const behind = [...text.matchAll(BEFORE)].filter(({ index }) => index > 0);
  const before = [...text.matchAll(INSTEAD)].filter(
    ({ groups }) => groups?.["old"]?.toLowerCase() === role.toLowerCase(),
  );
  const found = [...behind, ...before].flatMap(({ index, groups, 0: whole }): readonly Fresh[] => {
    const name = groups?.["name"] ?? "";
    const from = index + whole.indexOf(name, groups?.["arrow"]?.length ?? groups?.["sure"]?.length ?? 0);
    const isTaken = version.policies.some(({ roles }) => roles.has(name)) || identifiers.has(name.toLowerCase());
    return isTaken || STOP.has(name.toLowerCase()) || SAYING.test(name)
      ? []
      : [
          {
            name,
            span: [from, from + name.length],
            isArrow: groups?.["arrow"] !== undefined,
            isSure: groups?.["sure"] !== undefined || groups?.["old"] !== undefined,
            isMarked: groups?.["mark"] !== undefined,
          },
        ];
  });
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
}

/** Where a word stands in a text, by itself. */
function findWord(text: string, word: string): readonly (readonly [number, number])[] {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_-])${escaped}(?![\p{L}\p{N}_-])`, "giu");
  return [...text.matchAll(pattern)].map(({ index }) => [index, index + word.length]);
}

function tokensAt({ tokens }: Aim["clause"], spans: readonly (readonly [number, number])[]): readonly number[] {
  return tokens.flatMap(({ start, end }, at) => (spans.some(([from, to]) => start < to && end > from) ? [at] : []));
}

function isSpoken(tokens: Aim["clause"]["tokens"], name: readonly string[]): boolean {
  return name.length > 0 && name.every((stem) => tokens.some(({ stems }) => stems.includes(stem)));
}
