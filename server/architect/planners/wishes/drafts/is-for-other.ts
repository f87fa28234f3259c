import type { Clause } from "../clause.ts";
import { exactName } from "../guess/relevance.ts";
import type { Places, Thing } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import type { Token } from "../words/words.ts";
import { isHost } from "./host-drafts.ts";

/** Between a value and the name of what it is for. */
const AS = /^(?:as|als|como|comme)$/;
const JOINT = /^(?:,|and|or|und|oder|y|o|et|ou|\/)$/;
/** Before such a name: "as a new kind of permit". */
const NEW =
  /^(?:new|another|further|additional|extra|valid|possible|allowed|neue[rsn]?|weitere[rsn]?|otr[oa]|nuev[oa]|autre|nouve(?:au|lle))$/;

/** Tells whether a word can be no value of a thing: it is a host, where no value is one, or it is said to be for something else, as in "crane as machine". */
export function isForOther({ tokens }: Clause, at: number, thing: Thing, { things }: Places): boolean {
  if (isHost(tokens[at]?.text ?? "") && !thing.values.some((value) => isHost(String(value)))) return true;
  let place = at + 1;
  while (JOINT.test(tokens[place]?.lower ?? "") && tokens[place + 1]?.kind !== "sign") place += 2;
  if (!AS.test(tokens[place]?.lower ?? "")) return false;
  const isNamed = ({ lower, stems }: Token, other: Thing) =>
    stems.length > 0 && (exactName(other) === lower || other.names.some((name) => name.join() === stems.join()));
  const isOwn = ({ stems }: Token) =>
    stems.length > 0 && thing.names.some((name) => stems.every((stem) => name.includes(stem)));
  const isOther = (token: Token) =>
    things.some((other) => other !== thing && other.values.length > 0 && isNamed(token, other));
  const isLead = ({ lower, stems }: Token) =>
    STOP.has(lower) || NEW.test(lower) || stems.every((stem) => thing.owners.has(stem));
  const name = tokens.slice(place + 1).find((token) => isOwn(token) || isOther(token) || !isLead(token));
  return name !== undefined && !isOwn(name) && isOther(name);
}
