import type { Json } from "../../../store/store.ts";
import type { Parameter } from "../../../versions/version.ts";
import { showValue } from "../../show-value.ts";
import { addFieldValues, removeFieldValues, toCase } from "../directives/change-values.ts";
import { modulesOf } from "../directives/knows-value.ts";
import type { Deed } from "../directives/phrase.ts";
import { addChoices, removeChoices } from "../directives/set-parameters.ts";
import type { Clause } from "./clause.ts";
import { type Draft, explainActions, explainKey, has, type Match, nameDoubt } from "./draft.ts";
import type { Place, Places } from "./places.ts";
import { isSame, roleOf } from "./values.ts";
import { STOP } from "./word-lists.ts";
import type { Token } from "./words.ts";

interface Item {
  readonly value: Json;
  readonly at: number;
}

const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d{1,5})?$/i;

/** Drafts that add values to lists of a thing, or take some out: what a field can be, which hosts may be reached. */
export function draftLists(clause: Clause, match: Match, all: readonly Place[], places: Places): readonly Draft[] {
  return all.flatMap((place) => {
    if (place.accepts.kind !== "list") return [];
    return place.accepts.of === "host"
      ? draftHosts(clause, match, place)
      : place.accepts.of === "value"
        ? draftValues(clause, match, place, places)
        : [];
  });
}

function draftValues(clause: Clause, match: Match, place: Place, places: Places): readonly Draft[] {
  const { thing } = place;
  const known = thing.values;
  const present = findItems(clause, known);
  const fresh = findFresh(clause, match, place, places);
  if (match.own === 0 && present.length === 0 && !match.explained.size) return [];
  const drafts: Draft[] = [];
  const said = explainKey(clause, "values") ?? [];
  const ofTool =
    thing.field?.side === "output" && ![...clause.nouns.values()].some((kinds) => kinds.has("output")) ? 0.6 : 0;
  // Values that are there name the field as well as its name does.
  const named = match.own > 0 ? nameDoubt(match) : present.length > 0 && !has(clause, "remove") ? 0.2 : 0.3;
  const toDraft = (
    kind: string,
    words: readonly number[],
    items: readonly Item[],
    others: readonly Item[],
    deed: Deed | undefined,
  ): Draft => ({
    name: `${place.file}#${place.at.join("/")} ${kind} ${JSON.stringify(items.map(({ value }) => value).sort())}`,
    label: `the values of ${thing.label}`,
    thing,
    explained: new Set([
      ...match.explained,
      ...said,
      ...words,
      ...items.map(({ at }) => at),
      ...others.map(({ at }) => at),
    ]),
    soft: match.soft,
    doubt: named + ofTool,
    ...(deed === undefined ? { missing: "Which value?" } : { deed }),
  });
  const add = explainActions(clause, ["add"]);
  const remove = explainActions(clause, ["remove", "stop"]);
  const set = explainActions(clause, ["set", "restrict"]);
  const wanted = fresh.filter(({ at }) => roleOf(clause.tokens, at) !== "from");
  if (
    remove === undefined &&
    wanted.length > 0 &&
    (add !== undefined ||
      (set !== undefined &&
        (present.length > 0 || said.length > 0 || clause.tokens[(wanted[0]?.at ?? 0) + 1]?.lower === "as")))
  ) {
    drafts.push(
      toDraft(
        "add",
        [...(add ?? []), ...(add === undefined ? (set ?? []) : [])],
        wanted,
        present,
        adding(places, place, wanted),
      ),
    );
  }
  if (remove !== undefined && add === undefined && present.length > 0 && fresh.length === 0) {
    drafts.push(toDraft("remove", [...remove, ...clause.negators], present, [], removing(place, present)));
  }
  // "units should be one of metric, imperial and kelvin", "only metric"
  const only = clause.negators.filter((at) =>
    /^(?:only|nur|solo|sólo|seulement)$/.test(clause.tokens[at]?.lower ?? ""),
  );
  const gone = known.filter((value) => !present.some((item) => isSame(item.value, value)));
  const listed = [...present, ...fresh];
  if (
    remove === undefined &&
    (set !== undefined || only.length > 0 || add === undefined) &&
    listed.length > (only.length > 0 ? 0 : 1) &&
    match.own > 0 &&
    (gone.length > 0 || fresh.length > 0)
  ) {
    const doubt = gone.length > 0 && only.length === 0 && !isListed(clause) ? 1 : 0;
    const draft = toDraft(
      "be",
      [...(set ?? []), ...(add ?? []), ...only],
      listed,
      [],
      restricting(places, place, fresh, gone),
    );
    drafts.push({ ...draft, doubt: draft.doubt + doubt });
  }
  return drafts;
}

function isListed({ text }: Clause): boolean {
  return /\b(?:one of|either|any of|should be|must be|allowed|values?|enum|options|choices)\b/i.test(text);
}

function findItems({ tokens, amounts }: Clause, known: readonly Json[]): readonly Item[] {
  const words = tokens.flatMap((token, at) => {
    const isTalk = token.kind === "word" && STOP.has(token.lower) && !isBracketed({ tokens }, at);
    const value =
      token.kind === "sign" || isTalk
        ? undefined
        : known.find((own) => isSame(own, token.kind === "number" ? token.value : token.text));
    return value === undefined ? [] : [{ value, at }];
  });
  const numbers = amounts.flatMap(({ value, tokens: [at = 0] }) =>
    known.includes(value) && !words.some((item) => item.at === at) ? [{ value, at }] : [],
  );
  return [...words, ...numbers];
}

/** Words for values that are not there yet: those that the code knows beside the present ones, or one in quotes. */
function findFresh(clause: Clause, match: Match, { thing }: Place, { version }: Places): readonly Item[] {
  const tools =
    thing.tool === undefined
      ? [...version.tools.values()].filter(
          ({ parameters }) => thing.set !== undefined && parameters.includes(thing.set.name),
        )
      : [thing.tool];
  if (match.own === 0 && !isOwnerNamed(clause, match) && findItems(clause, thing.values).length === 0) return [];
  const code = tools.flatMap((tool) => modulesOf(version, tool));
  const isKnown = (value: Json) => {
    const text = String(value).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return code.some((one) => new RegExp(`["'\`]${text}["'\`]|(?:^|[{,\\s])["']?${text}["']?\\s*:`, "m").test(one));
  };
  const items = clause.tokens.flatMap((token, at): readonly Item[] => {
    const isText =
      (token.kind === "word" && !/\p{Script=Han}/u.test(token.text)) ||
      (token.kind === "quoted" && !/\s/.test(token.text));
    const isTaken = thing.values.some((own) => isSame(own, token.text)) || clause.negators.includes(at);
    if (!isText || isTaken || token.text.length < 2) return [];
    const value = toCase(token.text, thing.values);
    const isSaid = token.kind === "quoted" || (clause.weights[at] ?? 0) > 0 || token.stems.length > 1;
    // Names of languages and units are also words: such a value has to be all that is said of it.
    return isKnown(value) &&
      !(STOP.has(token.lower) && token.kind === "word" && !isBracketed(clause, at)) &&
      (isSaid || (token.text.length < 4 && isMarked(clause, at)))
      ? [{ value, at }]
      : [];
  });
  const own = new Set(thing.names.flat());
  const fresh = items.filter(
    ({ at }) =>
      !(
        clause.tokens[at]?.kind === "word" &&
        clause.tokens[at]?.stems.every((stem) => own.has(stem) || thing.owners.has(stem))
      ),
  );
  return fresh.length > 0 ? fresh : findUnknown(clause, thing);
}

/** A value that only the sender knows: in quotes, written like an identifier, or the one word beside what says where it goes. */
function findUnknown(clause: Clause, { values, names, owners }: Place["thing"]): readonly Item[] {
  const { tokens, weights, actions, keys, nouns } = clause;
  const said = new Set([...[...actions.values()].flat(), ...[...keys.values()].flat(2), ...nouns.keys()]);
  const isName = ({ stems }: Token) =>
    stems.length > 0 && stems.every((stem) => owners.has(stem) || names.some((name) => name.includes(stem)));
  const fresh = tokens.flatMap((token, at) =>
    values.some((own) => isSame(own, token.text)) || isName(token) || said.has(at) || /\p{Script=Han}/u.test(token.text)
      ? []
      : [{ token, at, value: toCase(token.text, values) }],
  );
  const marked = fresh.filter(({ token, at }) =>
    token.kind === "quoted"
      ? !/\s/.test(token.text)
      : token.kind === "word" &&
        (((weights[at] ?? 0) > 0 && /[_-]/.test(token.text)) || (token.text.length < 4 && isMarked(clause, at))),
  );
  if (marked.length > 0) return marked.length === 1 ? marked : [];
  const own = (at: number) => names.some((name) => name.some((stem) => tokens[at]?.stems.includes(stem) === true));
  const beside = fresh.filter(
    ({ token, at }) =>
      token.kind === "word" &&
      (weights[at] ?? 0) > 0 &&
      (own(at - 1) ||
        (actions.get("add") ?? []).includes(at - 1) ||
        ["as", ":", "als", "como", "comme"].includes(tokens[at + 1]?.lower ?? "") ||
        tokens[at - 1]?.text === ":"),
  );
  return beside.length === 1 ? beside : [];
}

function isBracketed({ tokens }: Pick<Clause, "tokens">, at: number): boolean {
  return tokens[at - 1]?.text === "(" && tokens[at + 1]?.text === ")";
}

/** Whether a short word is marked as a value: by brackets, or by a verb right before it. */
function isMarked({ tokens, actions }: Clause, at: number): boolean {
  if (tokens[at + 1]?.lower === "as") return true;
  return tokens[at - 1]?.text === "(" || (actions.get("add") ?? []).includes(at - 1) || tokens[at - 1]?.text === ":";
}

function isOwnerNamed({ tokens, weights }: Clause, { explained }: Match): boolean {
  return tokens.some((_, at) => explained.has(at) && (weights[at] ?? 0) > 0);
}

function adding(places: Places, { thing }: Place, items: readonly Item[]): Deed {
  const values = items.map(({ value }) => value);
  return (bench) => toAdding(places, thing, values)(bench);
}

function toAdding({ version }: Places, { field, set, parameter }: Place["thing"], values: readonly Json[]): Deed {
  if (field !== undefined) return addFieldValues(version, field, values, false);
  return addChoices(version, toFound(set, parameter), values);
}

function removing({ thing }: Place, items: readonly Item[]): Deed {
  const values = items.map(({ value }) => value);
  return (bench) => toRemoving(thing, values)(bench);
}

function toRemoving({ field, set, parameter }: Place["thing"], values: readonly Json[]): Deed {
  return field !== undefined ? removeFieldValues(field, values) : removeChoices(toFound(set, parameter), values);
}

function restricting(places: Places, { thing }: Place, fresh: readonly Item[], gone: readonly Json[]): Deed {
  return async (bench) => {
    if (fresh.length > 0)
      await toAdding(
        places,
        thing,
        fresh.map(({ value }) => value),
      )(bench);
    if (gone.length > 0) await toRemoving(thing, gone)(bench);
  };
}

function toFound(set: Place["thing"]["set"], name = "") {
  const parameter: Parameter | undefined = set?.parameters.get(name);
  if (set === undefined || parameter === undefined) throw new TypeError(`There is no parameter ${name}.`);
  return { set, name, parameter };
}

/** Hosts that tools may reach: of a policy, or of a tool where that is named. */
function draftHosts(clause: Clause, match: Match, place: Place): readonly Draft[] {
  const hosts = clause.tokens.flatMap(({ text }, at) =>
    HOST.test(text) && !/\.(?:ya?ml|ts|md|json)$/.test(text) ? [{ host: text.toLowerCase(), at }] : [],
  );
  const [add, remove] = [
    explainActions(clause, ["add", "grant", "enable"]),
    explainActions(clause, ["remove", "revoke", "disable", "stop"]),
  ];
  const isTool = place.thing.kind === "tool";
  if (hosts.length === 0 || (add === undefined) === (remove === undefined) || (isTool && match.own === 0)) return [];
  const words = [...(add ?? remove ?? []), ...(explainKey(clause, "egress") ?? []), ...hosts.map(({ at }) => at)];
  const deed: Deed = async (bench) => {
    for (const { host } of hosts) {
      const isChanged =
        add === undefined
          ? await bench.removeItem(place.file, place.at, host)
          : await bench.addItem(place.file, place.at, host);
      if (isChanged)
        bench.say(
          `${isTool ? `\`${place.thing.tool?.name}\`` : "Tools"} ${add === undefined ? "can no longer" : "may"} reach ${showValue(host)}.`,
        );
    }
    bench.need(add === undefined ? "major" : "minor");
  };
  const nouns = clause.tokens.flatMap((_, at) => (clause.nouns.get(at)?.has("host") === true ? [at] : []));
  return [
    {
      name: `${place.file}#${place.at.join("/")} ${add === undefined ? "-" : "+"} ${hosts.map(({ host }) => host).join()}`,
      label: `the hosts of ${place.thing.label}`,
      thing: place.thing,
      explained: new Set([...words, ...nouns, ...match.explained]),
      soft: match.soft,
      doubt: isTool ? 0 : 0.1,
      deed,
    },
  ];
}
