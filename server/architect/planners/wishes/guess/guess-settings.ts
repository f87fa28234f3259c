import type { Json } from "../../../../store/store.ts";
import type { ParameterSet } from "../../../../versions/version.ts";
import { toPromotion } from "../../directives/phrases/tune.ts";
import type { Clause } from "../clause.ts";
import { has } from "../drafts/draft.ts";
import { isSame } from "../words/values.ts";
import { toStems } from "../words/words.ts";
import { guessRights } from "./guess-rights.ts";
import type { Guess } from "./guess-value.ts";
import { guessCommands } from "./guess-commands.ts";
import { guessDemands } from "./guess-demands.ts";
import { guessHosts } from "./guess-hosts.ts";
import { guessPromises } from "./guess-promises.ts";
import { guessRetirement } from "./guess-retirement.ts";
import { guessRole } from "./guess-role.ts";
import type { Aim } from "./near-tools.ts";

const EVERYBODY =
  /\b(?:everybody|everyone|for all|all (?:users|customers|conversations)|now on|winner|won|alle[nr]?|todos|todo el mundo|tout le monde|tous)\b|所有人|大家/i;
const ARM = /\b(?:arm|variant|variante|arms|brazo|bras)\b|变体/i;

/** Arms that are to be used for everybody, new arms, and who may do what, what tools promise and how long they will be. */
export function guessSettings(aim: Aim): readonly Guess[] {
  const { clause, places } = aim;
  const sets = [...places.version.parameters.values()].filter(({ experiment }) => experiment !== undefined);
  return [
    ...sets.flatMap((set) => [...guessPromotion(clause, set), ...guessArm(clause, set)]),
    ...guessRights(aim),
    ...guessRole(aim),
    ...guessDemands(aim),
    ...guessHosts(aim),
    ...guessCommands(aim),
    ...guessPromises(aim),
    ...guessRetirement(aim),
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
    if (at < 0) {
      // "The cheapest first": a value may stand for its parameter.
      const own = parameter.type === "categorical" ? parameter.values : [];
      const said = tokens.flatMap(({ text: one }, place) => {
        const value = own.find((known) => typeof known === "string" && known.length > 3 && isSame(known, one));
        return value === undefined ? [] : [{ value, place }];
      });
      const [only, ...others] = said;
      if (only === undefined || others.length > 0) continue;
      values[name] = only.value;
      words.push(only.place);
      taken.add(String(only.value).toLowerCase());
      continue;
    }
    const isBefore = (place: number) => place >= 0 && place < at && at - place <= 2;
    const behind = (place: number) => place > at && place <= at + stems.length + 2;
    const value =
      parameter.type === "categorical"
        ? parameter.values.find((own) => tokens.some((token, place) => behind(place) && isSame(own, token.text)))
        : (
            amounts.find((amount) => behind(amount.tokens[0] ?? -1)) ??
            amounts.find((amount) => isBefore(amount.tokens.at(-1) ?? -1))
          )?.value;
    if (value === undefined) continue;
    values[name] = value;
    words.push(...tokens.flatMap((_, place) => (place === at || behind(place) || isBefore(place) ? [place] : [])));
    taken.add(String(value).toLowerCase());
  }
  const called = /(?:called|named|call it|name it|namens|llamad[oa]|nommée?|:|叫)\s*["'“‘`]?([a-z][\w-]*)/iu.exec(
    text,
  )?.[1];
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
