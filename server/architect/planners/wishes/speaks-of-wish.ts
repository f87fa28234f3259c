import { maskQuotations } from "../../message/find-quotations.ts";
import type { Places } from "./places/places.ts";
import { takesBack } from "./unmeant.ts";
import { toStems } from "./words/words.ts";

/** Words of those who speak of a wish, as "rejected by legal", "that is done" and "in theory" do, and of hardly any reason for one. */
const META = new RegExp(
  [
    String.raw`(?<!\p{L})(?:ideas?|propos\w+|opinions?|doubts?|doubtful|unsure|theor(?:y|etically)|hypothetical\w*|rumou?rs?|jok(?:e|es|ing)|kidding|imagin\w+|dream\w*|wishful|myth|nonsense|fiction|fake|tb[dc]|wip)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:(?<!\bas )discuss\w*|debate\w*|talk(?:ed|ing)? about|consider(?:ed|ing)?|thinks?|(?<!than (?:we|i) )thought|believes?|undecided|(?:voted|vote) against|consult|reject\w*|refused|declin\w+|veto\w*|denied|dismiss\w*|undo\w*|undid|revert\w*|roll(?:ed)? ?back|puts? (?:it|that|this|them) back|rephras\w+|simulat\w+)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:(?:is|was|been|['’]s|this|that|(?<!(?:see|get|have|want|need) )it) (?:already )?(?:done|finished|shipped|merged)|(?<!it )already|not (?:yet|now|today)|wait for|hold on|on hold|(?:to|should|must|has to|needs? to) be (?:discussed|decided|confirmed|done|seen|agreed|checked)|(?:was|were|am|are|been) told|against (?:it|that|this)|(?:said|told \p{L}+|says?|answer is|is a) no|nope)(?!\p{L})|^\W*(?:no|nah|never)\W*$`,
    String.raw`(?<!\p{L})(?:legal|attackers?|spam\w*|phish\w+|scam\w*|hackers?|malicious|injections?|forum|quot(?:e|es|ed|ation)|(?:for )?example of|temporar\w+|false alarm)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:turn(?:ed)? (?:\p{L}+ )?down|wrong (?:chat|channel|window|thread|person|address|recipient|project)|meant for|(?:about|for|in) (?:the|an) ?other (?:server|agent|repository|system|project)|not this one|make (?:things|it|that) worse|what (?:that|this|it) (?:would|will) (?:cost|mean|break)|act on (?:this|it)|ignore (?:me|this|that)|please ignore)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:thanks for (?:doing|changing|fixing|adding|setting|removing) (?:this|that|it)|works (?:great|fine|well) now|grammar|spelling|training (?:slides|material)|slides|sample for|unknown sender|click here|you(?:['’]ve| have) won|lottery|translate into)(?!\p{L})|^for .+ only$`,
    String.raw`(?<!\p{L})(?:(?:it|that|this)(?:['’]s| is) (?:fine|good|ok|okay|all right) (?:the way|as) (?:it|that|this) is|actually,? no|sleep on it|nothing to do with (?:you|us|this|your \p{L}+)|(?:every(?:one|body)|any(?:one|body)) else keeps)(?!\p{L})|^(?:just|only|solely|exclusively|nur|ausschließlich|solo|sólo|solamente|únicamente|exclusivamente|rien que|seulement|uniquement) (?:for|für|para|pour)(?!\p{L})|^只(?:针对|给|对)`,
    String.raw`^(?:subject(?: line)?|betreff|asunto|objet) (?:of|der|des|del|du)(?: the| our| my| an?)? (?:e-?mail|mail|message|nachricht|correo|mensaje|courriel)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:abgelehnt|verworfen|zurückgezogen|(?:schon|bereits) (?:erledigt|gemacht|passiert)|noch nicht|(?:zu|noch zu) (?:besprechen|klären|diskutieren)|(?:nur )?(?:ein|als) (?:scherz|witz)|theoretisch|schnapsidee|keine gute idee|dagegen (?:entschieden|gestimmt)|frag\w* \p{L}+ (?:erst|vorher|zuerst)|(?:erst|zuerst|vorher) \p{L}+ fragen|vergiss (?:das|es)|vergessen sie (?:das|es)|falsche[rs]? (?:fenster|chat|kanal|empfänger)|hieß es|nichts (?:mit \p{L}+ )?zu tun)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:rechazad\w+|descartad\w+|todavía no|aún no|ya está hecho|por (?:discutir|decidir|confirmar)|(?:es|era|fue) (?:una |solo )?broma|olvíd(?:alo|enlo|ese|elo)|me equivoqu[ée]|que nadie|nada que ver|en teoría|mala idea|en contra)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:refusée?s?|rejetée?s?|abandonnée?s?|pas encore|déjà fait|à (?:discuter|décider|confirmer|voir)|(?:une )?(?:blague|plaisanterie)|je (?:plaisante|rigole|blague)|pour rire|finalement,? non|laissez? (?:tout|ça|cela|les choses) comme|(?<!n['’])oublie[zr]?(?! pas)|trompée? de|quelle idée|rien à voir|en théorie|mauvaise idée)(?!\p{L})|还没|已拒绝|被拒|待讨论|待定|开玩笑|已经做了|反对|没关系|无关|忘了吧|当我没说`,
  ].join("|"),
  "iu",
);
/** Words that only speak of a wish where no tool or field has to do with them. */
const DOMAIN =
  /(?<!\p{L})(?:drafts?|withdr[ae]w\w*|cancel\w*|abort\w*|permission|translate|explain|summari[sz]e|pending|testing)(?!\p{L})/giu;
/** Orders to somebody else, behind a wish. */
const ASKS =
  /^\W*(?:(?:please|pls|but|and|then|so) )*(?:ask|tell|wait|discuss|talk to|check with|clear it|consult)\b/iu;
/** Names, values and words of those who want something, which belong to a wish. */
const WISH =
  /[_\d\ufffc]|\w\.\w|\b(?:should|must|ha(?:s|ve) to|needs? to|ought to|rather than|(?:can|may)(?! (?:write|say|try|send|ask)))\b(?! be (?:discussed|decided|confirmed|agreed|checked))/iu;
/** Words of a piece that is looked at: what is longer tells something. */
const WORDS = 12;

/**
 * Tells whether a piece of a message that names nothing speaks of its wish, in place of giving a reason: "raise it to 5 (to be discussed)",
 * "the following was refused: ...", "... Ida thinks this is a bad idea".
 */
export function speaksOfWish(message: string, { vocabulary }: Pick<Places, "vocabulary">): boolean {
  const pieces = toPieces(maskQuotations(message));
  if (pieces.length < 2) return false;
  return pieces.some((piece, at) => {
    if (WISH.test(piece) || piece.split(/\s+/u).length > WORDS) return false;
    const isForeign = [...piece.matchAll(DOMAIN)].some(([word]) => !toStems(word).some((stem) => vocabulary.has(stem)));
    return META.test(piece) || (at > 0 && (isForeign || ASKS.test(piece)));
  });
}

/** Tells whether a message takes back what it asks for, or says of it that it is not meant: nothing of it is done unasked. */
export function isWithheld(message: string, places: Pick<Places, "vocabulary">): boolean {
  return takesBack(message) || speaksOfWish(message, places);
}

/** The pieces of a message: what leads to a colon, sentences, what stands in parentheses or behind a dash, and behind the last comma. */
function toPieces(text: string): readonly string[] {
  const [lead = ""] = /^[^:："\n]{3,80}(?=:\s|：)/u.exec(text) ?? [];
  const parts = text
    .slice(lead === "" ? 0 : lead.length + 1)
    .split(/(?<=[.!?;])\s+|(?<=[。！？；])|\n/u)
    .flatMap((sentence) => sentence.split(/\s+[-–—]+\s+|[()[\]（）]/u));
  const last = parts.pop() ?? "";
  const [, ...ends] = /^(.*)(?:,\s|，)([^,，]*)$/su.exec(last) ?? ["", last];
  return [lead, ...parts, ...ends].map((piece) => piece.trim()).filter((piece) => /\p{L}{2}/u.test(piece));
}
