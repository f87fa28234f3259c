/** Words of the promised languages that show what a sentence is: a request, a report, a condition, a judgement. */

/** Words that may stand before a request, and ask for nothing themselves. */
export const FILLER =
  /^(?:(?:hi|hello|hey|ok|okay|so|now|then|also|and|well|great|good|right|alright|thanks|thank you|yes|cairn|bot|just|hallo|gut|ja|hola|vale|bueno|bonjour|salut|bon|oui)(?![\p{L}\p{N}_-])|你好|好的?|[\s,.!¡¿，。！、])+/iu;

/** Forms of a request: "can you ...", "por favor ...". */
export const POLITE =
  /^(?:(?:please|pls|plz|kindly|(?:can|could|will|would) you(?: (?:please|kindly|also|now|just|quickly))*|i (?:want|need) you to|i(?:['’]d| would) like you to|go ahead and|bitte|(?:kannst|könntest|würdest) du|(?:können|könnten|würden) sie|por favor|(?:puedes|podrías|puede|podría)(?: usted)?|s['’]il (?:te|vous) pla[iî]t|svp|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous)(?![\p{L}\p{N}_-])|请你?|帮我|麻烦你?|能不能|可以|劳驾)[\s,，]*/iu;

const NEGATED =
  /(?<![\p{L}\p{N}])(?:no|not|never|don['’]?t|do\s+not|didn['’]?t|won['’]?t|cannot|can['’]?t|without|instead\s+of|stop|nicht|keine?[nr]?|nie|niemals|pas|jamais|nunca)(?![\p{L}\p{N}'’])|不|别|勿/iu;
/** Words of conditions and of restrictions, which no tool can be told. */
const CONDITION =
  /(?<![\p{L}\p{N}])(?:if|only|except|unless|when|whenever|once|after|before|as soon as|in case|provided|suppose|assuming|wenn|falls|nur|außer|sobald|sofern|bevor|nachdem|si|solo|sólo|salvo|cuando|quand|lorsque|seulement|sauf|avant|après)(?![\p{L}\p{N}])|如果|只|除了|要是|假如|等到|之后|以后/iu;
/** Times other than now. */
const LATER =
  /(?<![\p{L}\p{N}])(?:tomorrow|tonight|later|soon|some ?day|yesterday|next (?:week|month|year|time)|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|morgen|später|mañana|luego|demain|plus tard)(?![\p{L}\p{N}])|明天|稍后/iu;
/** Verbs that hand on what others say. */
const REPORTED =
  /(?<![\p{L}\p{N}])(?:said|says|say|wrote|writes|told|tells|asked|asks|suggested|suggests|quoted?|reads|example|e\.g|hypothetical(?:ly)?|sagte|sagt|schrieb|schreibt|meinte|dijo|dice|escribió|dit|écrit)(?![\p{L}\p{N}])|[说写问]/iu;
const TAKEN_BACK =
  /(?<![\p{L}\p{N}])(?:kidding|joking|jk|never ?mind|scratch that|forget (?:it|that)|hold on|no,? wait|vergiss es|olvídalo|laisse tomber)(?![\p{L}\p{N}])|算了|开玩笑/iu;
/** Finite verbs, by grammar and not by meaning: what stands before one is a subject, of which the sentence says something. */
const FINITE =
  /(?<![\p{L}\p{N}])(?:am|is|are|was|were|isn['’]?t|aren['’]?t|wasn['’]?t|has|have|had|does|did|will|would|should|could|can|must|may|might|seems?|looks|feels|needs|broke|went|took|made|gave|got|hung|froze|died|ran|came|began|fell|lost|became|threw|kept|hurts?|ist|sind|war|waren|wurden?|hat|haben|wird|werden|kann|muss|soll|sollte|es|está|son|fue|era|ha|han|será|falló|est|était|sont|ont|sera)(?![\p{L}\p{N}])/iu;
/** Participles that lead to a value rather than end a sentence: "a ticket labelled bug". */
const LEADING = /^(?:labell?ed|tagged|marked|pinned|assigned|dated|addressed|based|titled|named|called)$/;

export function isNegated(text: string): boolean {
  return NEGATED.test(text);
}

export function isConditional(text: string): boolean {
  return CONDITION.test(text);
}

export function isDeferred(text: string): boolean {
  return LATER.test(text);
}

/** True where a sentence hands on what others say, or leads to it. */
export function isReported(text: string): boolean {
  return REPORTED.test(text) || /[:：]\s*$/.test(text);
}

export function isTakenBack(text: string): boolean {
  return TAKEN_BACK.test(text);
}

export function hasFiniteVerb(text: string): boolean {
  return FINITE.test(text);
}

/** Checks that a folded word has the form of an English verb in the past, or of the third person. */
export function isVerbForm(word: string): boolean {
  return word.length > 3 && /(?:ed|[^s]s)$/.test(word) && !LEADING.test(word);
}
