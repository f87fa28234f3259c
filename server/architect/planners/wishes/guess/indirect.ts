import type { Clause } from "../clause.ts";
import type { Places, Thing } from "../places/places.ts";
import { toCode } from "../../directives/codes.ts";
import { words } from "../words/word-lists.ts";
import type { Relevance } from "./relevance.ts";

/** Sayings of what holds for all tools that say nothing of their own. */
const GENERAL =
  /\b(?:inherit\w*|in general|general\w*|by default|default\w*|(?:whole|entire|of the|per|for the) agent|agent['-]?(?:s|wide)|across the board|overall|every (?:call|tool|handler)|all (?:calls|tools|handlers)|(?:any|every|each|no) (?:tool|handler|call)s?\b[^.!?]{0,40}\b(?:of (?:its|their) own|otherwise|else)|says? nothing|standardmäßig|allgemein\w*|alle (?:tools|werkzeuge|aufrufe)|en general|por defecto|todas las herramientas|en général|par défaut|tous les outils)\b|默认|全局|所有工具/iu;
/** Keys that no other words are: `maxDrop`. */
const CAMEL = /[a-z][A-Z]/;
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
export function findIndirect(
  { text, tokens, keys }: Clause,
  { things, placesOf }: Places,
): ReadonlyMap<Thing, Relevance> {
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
    if (spelt.length > 0) found.set(thing, { ...NONE, name: 0.7, rare: 0.7, words: new Set(spelt) });
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
