import { VERBS as ORDERING } from "../../message/lexicon.ts";
import { speaksForOthers, toCore, toWords } from "../../message/find-mood.ts";
import { maskQuotations } from "../../message/find-quotations.ts";
import type { Sentence } from "../../message/message.ts";
import { TELLING, VERBS, words } from "./words/word-lists.ts";
import { toStem } from "./words/words.ts";

/**
 * What a sentence may bring about. `order`: asks for something. `fragment`: names a thing and a value, and acts where it says
 * nothing else. `aside`: tells something. The others never act, and keep the rest of their message from being acted on
 * without asking.
 */
export type Standing = "order" | "fragment" | "aside" | "question" | "condition" | "negation" | "others";
export type Language = "en" | "de" | "es" | "fr" | "zh";

const FUNCTION_WORDS: Readonly<Record<Exclude<Language, "zh">, ReadonlySet<string>>> = {
  en: words("the of for to and in is should be please a an it with from at by on as that this we you can could would"),
  de: words(
    "der die das den dem des ein eine einen und oder nicht kein keine auf von für bitte soll sollte ist sind wenn falls zu zur zum mit bei aus im vom nie kannst könntest würdest",
  ),
  es: words(
    "el la los las del de un una y o por favor para con en que es son debe debería no si al quita añade cambia pon sube baja podrías puedes",
  ),
  fr: words(
    "le la les des du un une et ou pour avec dans sur que est sont doit ne pas si au aux de veuillez vous plaît pouvez pourriez peux mettez ajoutez",
  ),
};
const NEGATED: Readonly<Record<Exclude<Language, "en">, RegExp>> = {
  de: /(?<![\p{L}])(?:nicht|kein\w*|nie|niemals|ohne|außer)(?![\p{L}])/iu,
  es: /(?<![\p{L}])(?:no|nunca|ningún|ninguna|sin|tampoco|jamás)(?![\p{L}])/iu,
  fr: /(?<![\p{L}])(?:pas|jamais|aucune?|sans|surtout pas|n['’]\p{L}+|ne)(?![\p{L}])/iu,
  zh: /不要|别|不能|不应|不|没有|勿/u,
};
const CONDITIONAL: Readonly<Record<Exclude<Language, "en">, RegExp>> = {
  de: /(?<![\p{L}])(?:wenn|falls|sofern|sobald|nachdem|bevor)(?![\p{L}])/iu,
  es: /(?<![\p{L}])(?:si|cuando|siempre que|a menos que|en caso de|en cuanto|una vez que|tan pronto)(?![\p{L}])/iu,
  fr: /(?<![\p{L}])(?:si|quand|lorsque|à condition|au cas où|dès que|une fois que)(?![\p{L}])/iu,
  zh: /如果|要是|假如|除非|当.*时|等.{1,20}(?:后|再)/u,
};
const ASKED: Readonly<Record<Exclude<Language, "en">, RegExp>> = {
  de: /^(?:warum|wieso|was|wie|wer|wo|wann|welche[rsn]?|ist|sind|soll(?:te)?n? (?:wir|ich))(?![\p{L}])/iu,
  es: /^¿?(?:por qué|qué|cómo|quién|dónde|cuándo|cuál|es|está|debería)(?![\p{L}])/iu,
  fr: /^(?:pourquoi|que|comment|qui|où|quand|quel\w*|est-ce|faut-il|combien)(?![\p{L}])/iu,
  zh: /吗[?？]?$|还是.{1,20}[?？]|为什么|怎么|什么|哪/u,
};
/** "Wer einen Build startet, soll ..." asks for something. */
const OUGHT = /(?<![\p{L}])(?:soll|sollen|darf|dürfen|muss|müssen|bitte|debe|deben|doit|doivent)(?![\p{L}])/iu;
const POLITE =
  /^[¿ ]*(?:k[öo]nn(?:t?e(?:st|n|t)?)|kannst|könnt|w[üu]rde(?:st|n|t)|podr[ií]as?|puedes?|pueden|peux|pourri?ez|pourrais|pouvez|能否|可以|能不能)(?![\p{L}])/iu;
/** Verbs of saying; "our site goes live" says nothing of anybody's words. */
const SPOKEN =
  /\b(?:say|said|says|saying|writes?|wrote|written|tells?|told|asks?|asked|asking|claims?|claimed|wants?|wanted|demands?|demanded|requests?|requested|insists?|insisted|orders?|ordered|forwarded|quotes?|quoted|reports?|reported|mentions?|mentioned|suggests?|suggested|proposes?|proposed|according|sent|sends|posted|commented|recommends?|recommended|begs?|urges?|instructs?|instructed|would like|wishes|got|received|found|saw|read|heard|replied|replies|answered|scribbled|noted|jotted|muttered|whispered|texted|tweeted)\b|\ufffc/;
/** "Who on earth still has a pager?" asks nothing. */
const RHETORICAL =
  /^(?:who|why|what|how) (?:on earth|in the world|the (?:heck|hell)|the dickens)\b|^who (?:even|still|really)\b(?!.*\b(?:which|when|where)\b)/;
/** Verbs of speech that pass on no words: "hotels order more than 20 rooms", "customs sends everything back". */
const SILENT = new RegExp(
  String.raw`\b(?:orders?|ordered|sends?|sent|writes?|wrote|reads?|reports?|quotes?|requests?|posts?)\b(?!\W*[:\ufffc]| (?:that|to|us|me|in|if|whether|this|the following|please|${[...ORDERING].join("|")})\b|\W*$)`,
  "g",
);
/** "The code must never show up in our logs" says what is to be. */
const UNLOGGED =
  /\b(?:must|should|may|ought)(?:n't| not| never) (?:to )?(?:(?:show|turn|end) up|appear|land|be (?:written|kept|recorded|visible|stored)|go) (?:in|to|into) (?:the |any |our )?(?:logs?|audit(?: log)?)\b|\b(?:must|should|may)(?:n't| not| never) be logged\b/;
/** Phrases that report what the speaker or others do, and so ask for nothing. */
const TOLD =
  /\b(?:i|we|he|she|they|you|someone|somebody|customers?|users?|people)\b(?! (?:need|want|would|should|must|could|can|may|might)\b)|\b(?:was|were|had|did)\b/;
/** "The threshold is 0.7" says how it is. */
export const STATED = /^(?:(?:the|our) )?[\w.`' ]{1,60} (?:is|are) [\d.,]+ ?[\w%]*\W*$/;
const VERB_STEMS = new Set(
  Object.values(VERBS).flatMap((list) => list.split(/\s+/).map((text) => toStem(text.split("_")[0] ?? ""))),
);

/** How it was, what took place, or has long been so: "last year it allowed 5", "take_order may have taken 10 seconds", "2.1.1 läuft seit Wochen". */
const PAST = new RegExp(
  [
    String.raw`^\W*(?:(?:only |just )?(?:last (?:year|month|week|quarter|spring|summer|autumn|fall|winter|time)|yesterday|(?:\p{L}+|\d+) (?:years?|months?|weeks?|days?) ago|formerly|originally|back then|in (?:the past|(?:19|20)\d\d)|until (?:yesterday|last \p{L}+|recently)))\b`,
    String.raw`\b(?:may|might|must|could) have (?!to\b|an?\b|the\b)\p{L}+(?:ed|en|ne|ut|ept|wn|ad)\b|\bby now\W*$`,
    String.raw`(?<!\p{L})(?:letzte[sn]? (?:jahr|woche|monat|mal|sommer|winter)|vor \p{L}+ (?:jahren|wochen|monaten|tagen)|früher|damals|(?:läuft|laufen|funktioniert|gilt|steht) (?:nun |jetzt |schon )?seit)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:el (?:año|mes|verano|invierno) pasado|la semana pasada|hace (?:un|una|dos|tres|\d+) (?:años?|mes(?:es)?|semanas?|días?)|(?:era|costaba|estaba|tenía)\b.* (?:antes|entonces))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:l['’]an(?:née)? derni(?:er|ère)|la semaine dernière|le mois dernier|il y a (?:une?|deux|trois|\d+) (?:ans?|mois|semaines?|jours?)|autrefois|(?:était|étaient|coûtait|coûtaient|avait|valait)(?!\p{L}).* (?:avant|alors|jusqu))(?!\p{L})`,
    "去年|上周|上个月|以前|过去|曾经|当时",
  ].join("|"),
  "iu",
);
/** Words of those who want something of it now, or back. */
const NOW =
  /\b(?:should|must|please|pls|(?<!by )now|again|back|make|set|raise|lower|bring|restore|return)\b|(?<!\p{L})(?:wieder|zurück|bitte|soll\w*|à nouveau|remett\w*|doit|de nuevo|vuelv\w*|debe\w*|por favor)(?!\p{L})|[请改应回]/iu;

/** Tells whether a sentence only says how something was, or what took place. */
export function tellsOfPast(text: string): boolean {
  return PAST.test(text) && !NOW.test(text);
}

export function standingOf({ mood, text }: Sentence): Standing {
  const masked = maskQuotations(text);
  const language = findLanguage(masked);
  const said = toWords(masked);
  if (language !== "en") return foreignStanding(masked, language);
  if (mood === "question" && RHETORICAL.test(said)) return "aside";
  if (mood === "negation" && UNLOGGED.test(said)) return "order";
  if (mood === "question" || mood === "condition" || mood === "negation") return mood;
  if (tellsOfPast(masked)) return "aside";
  if (mood === "imperative") return "order";
  if (/\bused to\b/.test(said)) return "aside";
  if (speaksForOthers(said.replaceAll(SILENT, "does"))) return SPOKEN.test(said) ? "others" : "aside";
  const isTelling = said.split(/[^\p{L}\p{N}_.]+/u).some((word) => TELLING.has(word));
  if (isTelling) return "aside";
  const core = toCore(said).replace(/^(?:(?:oh|and|also|ah|btw|ps|plus|so|then)\W+)+/, "");
  const pieces = [
    core,
    ...core
      .split(/[,;:] |\s-+\s/)
      .slice(1)
      .map(toCore),
  ];
  const isOrder = pieces.some(
    (piece) =>
      VERB_STEMS.has(toStem(/^[\p{L}']+/u.exec(piece)?.[0] ?? "")) && !/^\S+ (?:is|are|was|has|does)\b/.test(piece),
  );
  if (isOrder && !/^(?:i|we|he|she|they)\b/.test(core)) return "order";
  if (
    /^(?:(?:the|our|a) )?[\w.` \ufffc']{1,60} needs? (?!to know)/.test(core) &&
    !/^(?:i|he|she|they|nobody|no one)\b/.test(core)
  )
    return "order";
  return TOLD.test(said) || STATED.test(core) ? "aside" : "fragment";
}

function foreignStanding(text: string, language: Exclude<Language, "en">): Standing {
  if (NEGATED[language].test(text)) return "negation";
  if (CONDITIONAL[language].test(text)) return "condition";
  if (POLITE.test(text.trim())) return "order";
  if (/[?？]\W*$/.test(text) || (ASKED[language].test(text.trim()) && !OUGHT.test(text))) return "question";
  if (tellsOfPast(text)) return "aside";
  const isTelling = text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => TELLING.has(word));
  return isTelling ? "aside" : "order";
}

/** The language whose small words a text has most of; English where none has more. */
export function findLanguage(text: string): Language {
  if (/\p{Script=Han}/u.test(text)) return "zh";
  const said = text.toLowerCase().split(/[^\p{L}'’]+/u);
  const count = (language: Exclude<Language, "zh">) => said.filter((word) => FUNCTION_WORDS[language].has(word)).length;
  const english = count("en");
  const [first] = (["de", "es", "fr"] as const)
    .map((language) => [count(language), language] as const)
    .sort(([one], [other]) => other - one);
  return first !== undefined && first[0] > english ? first[1] : "en";
}
