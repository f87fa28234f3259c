import type { Clause } from "../clause.ts";
import type { Intent, Likelihoods } from "../intent/read-intent.ts";
import { has } from "../drafts/draft.ts";
import { NEEDLESS } from "../words/is-value-word.ts";

/** The wants of a message, as far as single words tell them. */
export interface Mood {
  readonly isNew: boolean;
  readonly isGone: boolean;
  /** It says in words that something goes; those may be verbs, too. */
  readonly isSaidGone: boolean;
  readonly isMore: boolean;
  readonly isLess: boolean;
  readonly isNeeded: boolean;
  readonly isOptional: boolean;
  /** It says in words that something need not be given. */
  readonly isSaidOptional: boolean;
  readonly isRenamed: boolean;
  readonly isDeprecated: boolean;
  /** A title or a description is to read otherwise. */
  readonly isText: boolean;
  /** A text is to say something besides what it says. */
  readonly isMoreText: boolean;
  /** Something is to be given that nothing takes yet. */
  readonly isField: boolean;
}

const NEW =
  /\b(?:missing|godsend|possible|as well|too|also|another|new|third|fourth|ready|would help|ought to know|besides)\b|\bput [\w-]+ (?:in ?to|on ?to) |也|新|添加|增加|加上|[请再]?加(?=[一两个])/i;
const GONE =
  /\b(?:any ?more|any longer|no longer|strike|off with|has to go|have to go|(?:has|have|needs?) to leave|(?:should|must|can) leave the|can go|go away|relic|left ?over|history|no business|none of (?:their|its|his|her) business|lose|loses|nobody|nothing|never|unused|useless|misleading|obsolete|gone|without|must not|should not|must only)\b|(?:should|must)n['’]?t\b|nicht mehr|niemand|ya no|plus d|不再|没有用/i;
const MORE =
  /\b(?:enough|cut off|tight|short|too (?:small|low|short|little)|more|longer|up to|even)\b|最多|bis zu|hasta/i;
const LESS =
  /\b(?:too (?:big|high|long|much|many)|less|fewer|shorter|smaller|flood\w*|(?:take|cut|knock|shave|trim)(?:s|ting|ing)? [^.!?]{1,40}? off)\b|\b(?:menos|moins|weniger)\b/i;
const NEEDED =
  /\b(?:no|not|never|nobody|no one|cannot|can['’]?t|useless|impossible|nuisance)\b[^.!?]{0,60}\bwithout\b|\bwithout\b[^.!?]{0,60}\b(?:useless|nuisance|worthless|no (?:good|use|help)|floods?|pointless)\b|\bimpossible\b[^.!?]{0,60}\bsans\b|\b(?:make|have) (?:them|people|everybody|everyone|callers|users|customers) (?:choose|pick|say|give|state|name|provide|enter|fill)\b|(?:n['’]t|not|never) (?:let (?:it|that|them|people|anybody) (?:be )?|be )(?:skip\w*|left (?:out|empty)|omit\w*|leave|missing)\b|\b(?:must|has to|have to|should|needs? to) (?:always )?(?:know|be there|be filled(?: in| out)?|say (?:why|how|which|what|where|who)|state|specify|provide|choose|pick)\b|\b(?:mandatory|required|compulsory|(?:must|has to|have to|needs? to) (?:be )?(?:give|given|say|said|name|named|come with|filled in|present|not be optional)|(?:must|has to|have to|needs? to) (?:send|include|add|fill|enter|tell|attach|pass)|insists? on|no more \w+ without|not without|may not be (?:left out|empty)|muss\b[^.!?]{0,60}\b(?:angegeben|ausgefüllt|genannt|mitgegeben|gesetzt)|darf nicht (?:fehlen|leer)|hay que (?:indicar|poner|dar|decir)|doit être (?:indiquée?|renseignée?|donnée?|fournie?)|pflicht\w*|zwingend|obligator\w+|obligatoires?)\b|必填|必须|一定要|不能(?:空|为空|不填|省略)/i;
/** Callers need not give it, which does not take it away. */
const LEFT_OUT =
  /\b(?:(?:can|may|could|might|should|able to|free to|allowed to|possible to|let \w+|to) (?:just |simply |also )?(?:leave|skip|omit) (?:it|that|this|them|these|those)(?: out| empty| off)?|(?:stop|quit|cease)\w* (?:requir|demand|insist)\w*|(?:stop|quit|cease)\w* (?:making|having|treating|marking|declaring|keeping)\b[^.,;!?]{1,40}?\b(?:mandatory|required|compulsory|obligatory)\b|no longer (?:requir|demand|insist)\w*|(?:n['’]t|not) (?:have|need) to (?:give|send|fill|pass|provide|enter|supply)\w*)\b|weglassen (?:können|dürfen)|(?:poder|puedan|pueda) omitir|pouvoir (?:l['’])?omettre/i;
const OPTIONAL =
  /\b(?:should|must|need)(?:n['’]t| not| no longer)(?: have to)? be (?:\w+ )?(?:compulsory|obligatory|mandatory|required)\b|\b(?:also|even) (?:work|go|be possible|succeed)\w*\b[^.!?]{0,20}\b(?:without|if no|when no)\b|\b(?:no longer|(?:does|do|should|must)(?:n['’]t| not)) (?:has|have|needs?) to be (?:given|said|stated|named|filled in|there|set|provided|supplied|passed|mandatory|required|compulsory|obligatory)\b|\b(?:do not|don['’]t) require (?!an?\b|more\b)|\bne (?:doi(?:t|vent)|soit) (?:plus|pas) être (?:obligatoires?|requis\w*)|\bneeds? no longer (?:to )?be (?:given|said|stated|named|filled in|set|provided|required)\b|\bleav(?:e|es|ing) (?:[\w.]+ ){1,5}out of\b|\b(?:no|without (?:an?|any)) \w+ (?:(?:is|was|are|were|being) )?(?:stated|given|named|filled in|said|told|entered)\b[^.!?]{0,40}\b(?:go|goes|pass|work|works|be (?:accepted|possible|fine|taken)|be able)\b|\b(?:can|may|could) be (?:skipped|omitted|missing|empty|absent)\b|\b(?:compulsory|mandatory|required|obligatory) any ?(?:more|longer)\b|(?<!not be )\boptional\b|\b(?:not (?:be )?(?:required|mandatory|needed|necessary)|n['’]t (?:be )?(?:required|mandatory|needed)|need ?n['’]?o?t|(?:may|can) be left (?:out|empty)|keine pflicht|nicht (?:mehr )?(?:nötig|pflicht|zwingend)|freiwillig|opcional|no (?:sea |es |debe ser )?obligatori\w+|facultati\w+|plus obligatoire)\b|可选|非必填|不必/i;

const RENAMED =
  /\b(?:name|call) (?:it|them|that|this|these|those)\b|\bdevenir\b|\b(?:better|clearer|plainer) (?:word|name|term)\b|\b(?:easier|better|clearer|plainer)\b[^.!?]{0,30}\bas\b|\b(?:called|named|rename[ds]?|renaming|instead|replaced by|umbenannt|umbenennen|heißen|heißt|llamarse|renombr\w+|renomm\w+|appel\w+)\b|->|→|=>|改名|改为|改成/i;

/** How likely one of its intents has to be for a message to have a mood. */
const LIKELY = 0.08;

/** Reads what a message wants from its verbs and from words that stand for one. */
export function readMood(clause: Clause, likelihoods: Likelihoods): Mood {
  const { text } = clause;
  const wants = (...intents: readonly Intent[]) => intents.some((intent) => (likelihoods.get(intent) ?? 0) > LIKELY);
  const isLeftOut = LEFT_OUT.test(text);
  const isOptional = isLeftOut || OPTIONAL.test(text) || (has(clause, "relax") && !/\bnot be optional\b/i.test(text));
  return {
    isNew:
      has(clause, "add") ||
      NEW.test(text) ||
      wants(
        "value-add",
        "field-add",
        "example-add",
        "right-grant",
        "role-new",
        "need-capability",
        "host-add",
        "command-add",
        "arm-add",
      ),
    isGone:
      has(clause, "remove", "revoke") ||
      (has(clause, "stop") && !isLeftOut) ||
      (!isLeftOut && (GONE.test(text) || NEEDLESS.test(text))) ||
      (!isLeftOut &&
        wants(
          "value-remove",
          "default-remove",
          "bound-none",
          "field-remove",
          "tool-remove",
          "example-remove",
          "right-revoke",
          "free-capability",
          "host-remove",
          "command-remove",
          "label-remove",
          "arm-remove",
        )),
    isSaidGone: has(clause, "remove", "revoke", "stop") || GONE.test(text),
    isMore: has(clause, "raise") || MORE.test(text) || wants("bound-looser", "limit-up", "param-up"),
    isLess: has(clause, "lower") || LESS.test(text) || wants("bound-tighter", "limit-down", "param-down"),
    isNeeded: !isOptional && (has(clause, "require") || NEEDED.test(text) || wants("required")),
    isOptional: isOptional || wants("optional"),
    isSaidOptional: isOptional,
    isRenamed:
      has(clause, "rename") ||
      RENAMED.test(text) ||
      wants("value-rename", "field-rename", "tool-rename", "command-rename"),
    isDeprecated: has(clause, "deprecate") || wants("field-deprecate", "tool-deprecate"),
    isText: wants("text-replace", "text-extend"),
    isMoreText: wants("text-extend"),
    isField: wants("field-add"),
  };
}
