import type { Clause } from "../clause.ts";
import { isIdentifierOf } from "../drafts/draft.ts";
import type { Places, Thing } from "../places/places.ts";
import { toCode } from "../../directives/codes.ts";
import type { KeyWord } from "../words/key-words.ts";
import { words } from "../words/word-lists.ts";
import { placesOfMatch } from "../words/words.ts";
import type { Relevance } from "./relevance.ts";

/** Sayings of what holds for all tools that say nothing of their own. */
const GENERAL =
  /\b(?:inherit\w*|in general|general\w*|by default|default\w*|(?:whole|entire|of the|per|for the) agent|agent['-]?(?:s|wide)|across the board|overall|every (?:call|tool|handler)|all (?:calls|tools|handlers)|(?:any|every|each|no) (?:tool|handler|call)s?\b[^.!?]{0,40}\b(?:of (?:its|their) own|otherwise|else)|says? nothing|standardmäßig|allgemein\w*|alle (?:tools|werkzeuge|aufrufe)|en general|por defecto|todas las herramientas|en général|par défaut|tous les outils)\b|默认|全局|所有工具/iu;
/** Keys that no other words are: `maxDrop`. */
const CAMEL = /[a-z][A-Z]/;
/** Words that no other thing than an experiment has a key for; "the deadline" alone may be any. */
const TUNED: Readonly<Partial<Record<KeyWord, RegExp>>> = {
  share: /\b(?:exploration (?:share|rate|traffic)|share of exploration)\b/iu,
  floor: /\b(?:exploration floor|floor of exploration)\b/iu,
  minSamples: /\b(?:min(?:imum)?[ _-]?samples|minimum number of samples|samples per arm)\b/iu,
  maxSamples: /\b(?:max(?:imum)?[ _-]?samples|maximum number of samples)\b/iu,
  maxErrorRate: /\b(?:max(?:imum)?[ _-]?error[ _-]?rate|error guardrail)\b/iu,
  maxDrop: /\b(?:max(?:imum)?[ _-]?drop)\b/iu,
  deadline: /\b(?:rewards?['’]? deadline|deadline (?:of|for) (?:the )?rewards?|reward window)\b/iu,
  sigma: /\bsigma\b/iu,
  evaluations: /\bevaluations\b/iu,
};
const LIMITS = ["time", "cpu", "memory", "payload"] as const;

const NONE = { name: 0, rare: 0, isExact: false, owner: 0, soft: 0, tool: 0, rival: 0 };

/** Words for what texts of a format are. */
const FORMATS: Readonly<Record<string, ReadonlySet<string>>> = {
  date: words("date day datum tag fecha día date jour 日期"),
  "date-time": words("date day time moment datum fecha hora heure 时间"),
  email: words("email e-mail mail address mailadresse correo courriel 邮箱"),
  uri: words("link url address lien enlace 链接"),
};

/**
 * The things that a clause names without a word of their names: by a title or description that it quotes, or by the word for a
 * code beside the codes that a field has, such as a language. A key as
 * manifests write it stands for each experiment. Limits that are said to be general are the agent's.
 */
export function findIndirect(clause: Clause, places: Places): ReadonlyMap<Thing, Relevance> {
  const { text, tokens, keys } = clause;
  const { things, placesOf } = places;
  const found = new Map<Thing, Relevance>();
  const agent = things.find(({ kind }) => kind === "agent");
  const isCall = tokens.some(({ lower }) =>
    /^(?:calls?|handlers?|tools?|aufrufe?|llamadas?|appels?|调用)$/.test(lower),
  );
  if (agent !== undefined && GENERAL.test(text) && (isCall || LIMITS.some((key) => keys.has(key))))
    found.set(agent, { ...NONE, name: 1, rare: 0.8, tool: 0.5, words: new Set() });
  for (const thing of things) {
    const spelt = (placesOf.get(thing) ?? []).flatMap(({ key }) =>
      CAMEL.test(key) && thing.kind === "experiment"
        ? tokens.flatMap(({ text: one, kind }, at) => (kind !== "sign" && one === key ? [at] : []))
        : [],
    );
    // What only this experiment has is meant as if it were named.
    const tuned = thing.kind === "experiment" ? wordsOfTuning(clause, thing, places) : undefined;
    if (tuned !== undefined) found.set(thing, tuned);
    else if (spelt.length > 0) found.set(thing, { ...NONE, name: 0.7, rare: 0.7, words: new Set(spelt) });
    const texts = new Set(
      (placesOf.get(thing) ?? []).flatMap(({ accepts, now }) =>
        accepts.kind === "text" && typeof now === "string" ? [now.toLowerCase()] : [],
      ),
    );
    const isOfThese = (part: string) =>
      [...texts].some((one) => one.startsWith(part) || one.endsWith(part) || one.endsWith(`${part}.`));
    const quoted = tokens.flatMap(({ kind, lower }, at) =>
      kind === "quoted" && lower.includes(" ") && isOfThese(lower) ? [at] : [],
    );
    if (quoted.length > 0)
      found.set(thing, { ...NONE, name: 1, rare: 1, isExact: true, tool: 1, words: new Set(quoted) });
    const coded = tokens.flatMap(({ kind, lower }, at) =>
      kind === "word" && lower.length > 3 && toCode(lower, thing.values) !== undefined ? [at] : [],
    );
    const format = String(thing.field?.schema["format"] ?? "");
    const said = FORMATS[format];
    const kinds =
      said === undefined
        ? []
        : tokens.flatMap(({ kind, lower }, at) => (kind === "word" && said.has(lower) ? [at] : []));
    if (kinds.length > 0 && quoted.length === 0)
      found.set(thing, { ...NONE, name: 0.5, rare: 0.4, words: new Set(kinds) });
    if (coded.length > 0) found.set(thing, { ...NONE, name: 0.5, rare: 0.5, words: new Set(coded) });
  }
  return found;
}

/** How a clause names an experiment by one of its settings; undefined where it does not, or where it names one by its name. */
function wordsOfTuning({ text, tokens }: Clause, thing: Thing, { things, placesOf }: Places): Relevance | undefined {
  const has = (other: Thing, key: KeyWord) =>
    placesOf.get(other)?.some((one) => one.key === key && one.now !== undefined) === true;
  const [said] = Object.entries(TUNED).flatMap(([key, pattern]) => {
    const spots = placesOfMatch(tokens, text, pattern);
    return spots.length > 0 && has(thing, key as KeyWord) ? [{ key: key as KeyWord, spots }] : [];
  });
  if (said === undefined || namesOther(tokens, thing, things)) return undefined;
  const rivals = things.filter((other) => other.kind === "experiment" && has(other, said.key));
  const isOnly = rivals.length === 1;
  return {
    ...NONE,
    name: isOnly ? 1 : 0.7,
    rare: 0.7,
    isExact: isOnly,
    tool: isOnly ? 1 : 0,
    words: new Set(said.spots),
  };
}

/** Tells whether a clause names another set of parameters, or a tool that does not read this one. */
function namesOther(tokens: Clause["tokens"], { set }: Thing, things: readonly Thing[]): boolean {
  const name = set?.name ?? "";
  const isSaid = (own: string) => tokens.some(({ lower }) => lower === own.toLowerCase());
  if (isSaid(name)) return false;
  return things.some(({ kind, tool, set: other }) =>
    kind === "tool" && tool !== undefined
      ? !tool.parameters.includes(name) && tokens.some(({ lower }) => isIdentifierOf(tool, lower))
      : kind === "experiment" && isSaid(other?.name ?? ""),
  );
}
