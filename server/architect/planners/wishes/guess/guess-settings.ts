import type { Json } from "../../../../store/store.ts";
import type { ParameterSet, Version } from "../../../../versions/version.ts";
import { requireRole, revokeFrom } from "../../directives/phrases/change-capabilities.ts";
import { toPromotion } from "../../directives/phrases/tune.ts";
import type { Clause } from "../clause.ts";
import { toGrant } from "../drafts/access-drafts.ts";
import { has } from "../drafts/draft.ts";
import type { Places, Thing } from "../places/places.ts";
import type { Action } from "../words/word-lists.ts";
import { isSame } from "../words/values.ts";
import type { Relevance } from "./relevance.ts";
import { toStems } from "../words/words.ts";
import type { Guess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";

const EVERYBODY =
  /\b(?:everybody|everyone|for all|all (?:users|customers|conversations)|now on|winner|won|alle[nr]?|todos|todo el mundo|tout le monde|tous)\b|所有人|大家/i;
/** Tools that a description of a right may mean. */
const DESCRIBED = 3;
const ARM = /\b(?:arm|variant|variante|arms|brazo|bras)\b|变体/i;

/** Arms that are to be used for everybody, new arms, and rights that a message describes; `near` are the things that its words speak of. */
export function guessSettings(
  clause: Clause,
  mood: Mood,
  places: Places,
  near: ReadonlyMap<Thing, Relevance>,
): readonly Guess[] {
  const sets = [...places.version.parameters.values()].filter(({ experiment }) => experiment !== undefined);
  return [
    ...sets.flatMap((set) => [...guessPromotion(clause, set), ...guessArm(clause, set)]),
    ...guessRights(clause, mood, places, near),
  ];
}

function guessPromotion(clause: Clause, set: ParameterSet): readonly Guess[] {
  if (!EVERYBODY.test(clause.text) && !has(clause, "promote")) return [];
  const placesOf = (text: string) => clause.tokens.flatMap(({ lower }, at) => (isSame(lower, text) ? [at] : []));
  const own = placesOf(set.name);
  return (set.experiment?.arms ?? []).flatMap(({ name }): readonly Guess[] => {
    const words = placesOf(name);
    return words.length === 0
      ? []
      : [
          {
            name: `promote ${set.name} ${name}`,
            signs: {
              promote: 1,
              ...(own.length > 0 ? { tool: 1 } : {}),
              ...(has(clause, "promote") ? { verb: 1 } : {}),
              ...(ARM.test(clause.text) ? { marked: 1 } : {}),
            },
            words: [...words, ...own, ...(clause.actions.get("promote") ?? []), ...clause.nouns.keys()],
            deed: (bench) => bench.adjust(toPromotion(set, name)),
          },
        ];
  });
}

/** "A new arm called bold, with lead margin and diversity 0.4" */
function guessArm({ tokens, text, amounts }: Clause, set: ParameterSet): readonly Guess[] {
  const { experiment, name: owner, file } = set;
  if (!ARM.test(text) || experiment === undefined) return [];
  const values: Record<string, Json> = {};
  const words: number[] = [];
  const taken = new Set<string>();
  for (const [name, parameter] of set.parameters) {
    const stems = toStems(name);
    const at = tokens.findIndex((_, from) =>
      stems.every(
        (stem, offset) =>
          tokens[from + offset]?.stems.includes(stem) === true || tokens[from]?.stems.includes(stem) === true,
      ),
    );
    if (at < 0) continue;
    const behind = (place: number) => place > at && place <= at + stems.length + 2;
    const value =
      parameter.type === "categorical"
        ? parameter.values.find((own) => tokens.some((token, place) => behind(place) && isSame(own, token.text)))
        : amounts.find((amount) => behind(amount.tokens[0] ?? -1))?.value;
    if (value === undefined) continue;
    values[name] = value;
    words.push(...tokens.flatMap((_, place) => (place === at || behind(place) ? [place] : [])));
    taken.add(String(value).toLowerCase());
  }
  const called = /(?:called|named|namens|llamad[oa]|nommée?|:|叫)\s*["'“‘`]?([a-z][\w-]*)/iu.exec(text)?.[1];
  const quoted = tokens.find(({ kind, text: one }) => kind === "quoted" && /^[a-z][\w-]*$/.test(one))?.text;
  const arm = quoted ?? called;
  const isNew = arm !== undefined && !experiment.arms.some(({ name }) => name === arm) && !taken.has(arm);
  if (!isNew || Object.keys(values).length === 0) return [];
  const at = ["experiment", "arms", arm];
  return [
    {
      name: `arm ${owner}/${arm}`,
      signs: {
        arm: 1,
        siblings: Math.min(2, Object.keys(values).length),
        ...(tokens.some(({ lower }) => lower === owner.toLowerCase()) ? { tool: 1 } : {}),
      },
      words: [
        ...words,
        ...tokens.flatMap(({ text: own, lower }, place) =>
          own === arm || lower === owner.toLowerCase() || lower === "new" ? [place] : [],
        ),
      ],
      deed: async (bench) => {
        const isChanged = await bench.set(file, at, values);
        if (isChanged) bench.say(`The experiment \`${owner}\` has an arm \`${arm}\`.`);
        bench.need("minor");
      },
    },
  ];
}

/** A right whose words a message has beside the name of a role: "release managers must be able to stop a build". */
function guessRights(
  clause: Clause,
  mood: Mood,
  places: Places,
  near: ReadonlyMap<Thing, Relevance>,
): readonly Guess[] {
  const { version, things } = places;
  const { tokens, text } = clause;
  const said = new Set(tokens.flatMap(({ stems }) => stems));
  const isSaid = (stems: readonly string[]) => stems.length > 0 && stems.every((stem) => said.has(stem));
  const roles = things.filter(({ kind, names }) => kind === "role" && names.some(isSaid));
  if (
    roles.length === 0 ||
    !/\b(?:able|allow\w*|may|can|must|right|access|let|use|permission)\b|dürfen|darf|können|puede\w*|peu(?:t|vent)|可以|能够|应该能/i.test(
      text,
    )
  )
    return [];
  const isGone = mood.isGone && !mood.isNew;
  const rights = listRights(version);
  const exact = rights.filter((capability) => isSaid(toStems(capability.replace(/^tool:/, ""))));
  const described = describedTools(near).filter((right) => rights.includes(right) && !exact.includes(right));
  return roles.flatMap((thing) => [
    ...exact.map((capability) => toRight({ clause, version, thing, capability, isGone, isDescribed: false })),
    ...described.map((capability) => toRight({ clause, version, thing, capability, isGone, isDescribed: true })),
  ]);
}

/** The rights to the tools that words of a message come nearest to: "they may look up how far a claim has come". */
function describedTools(near: ReadonlyMap<Thing, Relevance>): readonly string[] {
  const tools = [...near].flatMap(([{ kind, tool }, { name, soft }]) =>
    kind === "tool" && tool !== undefined ? [{ right: `tool:${tool.name}`, weight: name + soft }] : [],
  );
  return tools
    .sort((one, other) => other.weight - one.weight)
    .slice(0, DESCRIBED)
    .map(({ right }) => right);
}

function listRights({ tools }: Version): readonly string[] {
  return [
    ...new Set(
      [...tools.values()].flatMap(({ name, requiredCapabilities }) => [`tool:${name}`, ...requiredCapabilities]),
    ),
  ];
}

interface Right {
  readonly clause: Clause;
  readonly version: Version;
  readonly thing: Thing;
  readonly capability: string;
  readonly isGone: boolean;
  /** Says whether the message only describes what is allowed. */
  readonly isDescribed: boolean;
}

function toRight({ clause, version, thing, capability, isGone, isDescribed }: Right): Guess {
  const { id, role = "", names } = thing;
  const stems = new Set([...toStems(capability.replace(/^tool:/, "")), ...names.flat()]);
  const verbs = (isGone ? ["revoke", "remove"] : ["grant", "add"]) as readonly Action[];
  return {
    name: `${isGone ? "revoke" : "grant"} ${id} ${capability}`,
    signs: {
      right: 1,
      ...(has(clause, ...verbs) ? { verb: 1 } : {}),
      ...(isContrary(clause, isGone) ? { against: 1 } : {}),
      ...(clause.tokens.some(({ lower }) => lower === capability) ? { exact: 1 } : {}),
      ...(capability.startsWith("tool:") ? { plain: 1 } : {}),
      ...(isDescribed ? { unsure: 1 } : {}),
    },
    words: clause.tokens.flatMap((token, at) =>
      token.stems.length > 0 && token.stems.every((stem) => stems.has(stem)) ? [at] : [],
    ),
    deed: (bench) =>
      isGone
        ? revokeFrom(requireRole(version, role), [capability])(bench)
        : toGrant(version, role, [capability])(bench),
  };
}

/** Tells whether the verbs of a message ask for the opposite of giving, or of taking away. */
export function isContrary(clause: Clause, isGone: boolean): boolean {
  return isGone ? has(clause, "grant", "enable") && !has(clause, "revoke", "remove") : has(clause, "revoke", "remove");
}
