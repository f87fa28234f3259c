import { deprecateField, removeField, setFieldNeed } from "../../directives/phrases/change-fields.ts";
import { deprecateTool, removeTool } from "../../directives/phrases/change-tools.ts";
import { pointAt, removeLabels } from "../../directives/phrases/move-labels.ts";
import { requireRole, revokeFrom } from "../../directives/phrases/change-capabilities.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { toGrant } from "../drafts/access-drafts.ts";
import { requireField } from "../drafts/thing-drafts.ts";
import type { Places, Thing } from "../places/places.ts";
import { type Action, STOP } from "../words/word-lists.ts";
import type { Guess } from "./guess-value.ts";
import type { Relevance } from "./relevance.ts";
import type { Signs } from "./signs.ts";

/** Things of a kind that are looked at, those first that the words of the message come nearest to. */
const FIELDS = 16;
const TOOLS = 5;
const VERSION = /^v?(\d+\.\d+\.\d+(?:[+-][\w.+-]+)?)$/;
const LABEL = /^[a-z][\w.-]{1,63}$/;
const SECRET =
  /\b(?:redact\w*|log|logs|logged|private|secret|confidential|sensitive|readable|plain ?text|privat\w*|schw[äa]rz\w*|vertraulich|privacidad|registros?|confidentiel\w*|journaux)\b|日志|隐私|脱敏/i;

/** A thing with how the message speaks of it. */
interface Near {
  readonly thing: Thing;
  readonly relevance: Relevance;
}

/**
 * What a message may ask for of the things that its words speak of, whichever verbs it has: that an input is required, or
 * no longer; that something goes, is deprecated or kept out of logs; what a role may do. Other signs decide how likely each is.
 */
export function exhaust(clause: Clause, places: Places, near: ReadonlyMap<Thing, Relevance>): readonly Guess[] {
  const sorted = [...near]
    .map(([thing, relevance]) => ({ thing, relevance, weight: weigh(relevance) }))
    .sort((one, other) => other.weight - one.weight);
  const pick = (kind: Thing["kind"], most: number) => sorted.filter(({ thing }) => thing.kind === kind).slice(0, most);
  const tools = pick("tool", TOOLS);
  return [
    ...pick("field", FIELDS).flatMap((one) => ofField(clause, one)),
    ...tools.flatMap((one) => ofTool(clause, one, places)),
    ...pick("arm", TOOLS).flatMap((one) => ofArm(clause, one)),
    ...ofLabels(clause, places),
    ...pick("role", 3).flatMap((one) => ofRole(clause, one, tools, places)),
  ];
}

function weigh({ name, rare, owner, soft, isExact }: Relevance): number {
  return 2 * name + rare + 0.4 * owner + 0.5 * soft + (isExact ? 1 : 0);
}

function ofField(clause: Clause, { thing, relevance }: Near): readonly Guess[] {
  const { field, tool, id, file } = thing;
  if (field === undefined || tool === undefined) return [];
  const side: Signs = field.side === "output" ? { output: 1 } : {};
  const own = new Set(thing.names.flat());
  const core = clause.tokens.flatMap(({ stems }, at) =>
    stems.length > 0 && stems.every((stem) => own.has(stem)) ? [at] : [],
  );
  const guess = (what: string, signs: Signs, actions: readonly Action[], make: () => Deed): Guess =>
    toGuess(clause, relevance, { name: `${what} ${id}`, signs: { ...side, ...signs }, actions, make, core });
  const guesses = [guess("remove", { removeField: 1 }, ["remove", "stop"], () => removeField(field))];
  if (field.side === "output") return guesses;
  const isTop = !field.name.includes(".");
  const isRedacted = tool.redact.includes(`/${field.name}`);
  return [
    ...guesses,
    field.required
      ? guess("relax", { relax: 1 }, ["relax", "require"], () => setFieldNeed(field, false, { isOffered: true }))
      : guess("require", { require: 1 }, ["require"], () => requireField(field)),
    guess("deprecate", { deprecate: 1 }, ["deprecate"], () => deprecateField(field)),
    ...(isTop && !isRedacted && SECRET.test(clause.text)
      ? [
          guess("redact", { redact: 1 }, ["add"], () => async (bench) => {
            await bench.addItem(file, ["redact"], `/${field.name}`);
            bench.say(`\`${field.name}\` of \`${tool.name}\` is kept out of logs.`);
            bench.need("patch");
          }),
        ]
      : []),
  ];
}

function ofTool(clause: Clause, { thing, relevance }: Near, { version }: Places): readonly Guess[] {
  const { tool, id } = thing;
  if (tool === undefined) return [];
  return [
    toGuess(clause, relevance, {
      name: `remove ${id}`,
      signs: { removeTool: 1 },
      actions: ["remove", "stop"],
      make: () => removeTool(version, tool),
    }),
    toGuess(clause, relevance, {
      name: `deprecate for  ${id}`,
      signs: { deprecate: 1 },
      actions: ["deprecate"],
      make: () => deprecateTool(tool),
    }),
  ];
}

function ofArm(clause: Clause, { thing, relevance }: Near): readonly Guess[] {
  const { id, file, at, set } = thing;
  if (id.split("/").length > 2 || relevance.name < 0.9) return [];
  const make = (): Deed => async (bench) => {
    await bench.remove(file, at);
    bench.say(`The experiment \`${set?.name ?? ""}\` has no arm \`${at.at(-1)}\` any more.`);
    bench.need("minor");
  };
  return [
    toGuess(clause, relevance, { name: `remove ${id}`, signs: { removeArm: 1 }, actions: ["remove", "stop"], make }),
  ];
}

/** What a role gets, loses, or that there is no such role any more. */
function ofRole(
  clause: Clause,
  { thing, relevance }: Near,
  tools: readonly Near[],
  { version }: Places,
): readonly Guess[] {
  const { id, file, at, role = "" } = thing;
  if (relevance.name < 0.9) return [];
  const owned = new Set(version.policies.flatMap(({ roles }) => [...(roles.get(role) ?? [])]));
  const rights = tools.map(({ thing: { tool }, relevance: own }) => ({ right: `tool:${tool?.name ?? ""}`, own }));
  return [
    toGuess(clause, relevance, {
      name: `remove ${id}`,
      signs: { removeRole: 1 },
      actions: ["remove", "revoke"],
      make: () => async (bench) => {
        await bench.remove(file, at);
        bench.say(`The role \`${role}\` is gone.`);
        bench.need("major");
      },
    }),
    ...rights.flatMap(({ right, own }): readonly Guess[] => {
      const signs: Signs = {
        right: 1,
        plain: 1,
        tool: own.name,
        soft: Math.min(3, own.soft),
        rare: Math.min(2, own.rare),
      };
      const words = new Set([...relevance.words, ...own.words]);
      const core = [...own.words].filter((word) => !relevance.words.has(word));
      const guess = (what: string, actions: readonly Action[], make: () => Deed) =>
        toGuess(clause, { ...relevance, words }, { name: `${what} ${id} ${right}`, signs, actions, make, core });
      return owned.has(right)
        ? [guess("revoke", ["revoke", "remove", "stop"], () => revokeFrom(requireRole(version, role), [right]))]
        : [guess("grant", ["grant", "add", "enable"], () => toGrant(version, role, [right]))];
    }),
  ];
}

/** Each label that a message names at each version that it names; a new one beside the word for labels; a label that is to go. */
function ofLabels(clause: Clause, { version }: Places): readonly Guess[] {
  const { labels } = version.history;
  const { tokens } = clause;
  const targets = tokens.flatMap(({ text, kind }, at) => {
    const target = kind === "number" ? undefined : VERSION.exec(text)?.[1];
    return target === undefined ? [] : [{ target, at }];
  });
  const isNoun = (at: number) => clause.nouns.get(at)?.has("label") === true;
  const named = tokens.flatMap(({ lower, kind }, at) =>
    kind !== "sign" && labels.has(lower) ? [{ label: lower, at }] : [],
  );
  const fresh = tokens.flatMap(({ lower, kind }, at) =>
    (kind === "word" || kind === "quoted") &&
    LABEL.test(lower) &&
    !labels.has(lower) &&
    (isNoun(at - 1) || (isNoun(at + 1) && !STOP.has(lower)))
      ? [{ label: lower, at }]
      : [],
  );
  const nouns = [...clause.nouns.keys()].filter(isNoun);
  const toLabel = (
    name: string,
    words: readonly number[],
    actions: readonly Action[],
    make: () => Deed,
    signs: Signs = {},
  ) =>
    toGuess(clause, { words: new Set([...words, ...nouns]) }, { name, signs: { label: 1, ...signs }, actions, make });
  return [
    ...named.map(({ label, at }) => toLabel(`label - ${label}`, [at], ["remove", "stop"], () => removeLabels([label]))),
    ...[...named, ...fresh].flatMap(({ label, at: place }) =>
      targets.map(({ target, at }) =>
        toLabel(
          `label ${label}=${target}`,
          [place, at],
          ["label", "set", "revert", "promote", "add"],
          () => pointAt(version, [label], target),
          labels.has(label) ? {} : { unset: 1 },
        ),
      ),
    ),
  ];
}

interface Made {
  readonly name: string;
  readonly signs: Signs;
  /** Verbs that say it. */
  readonly actions: readonly Action[];
  /** What cannot be done says so when its deed is made. */
  readonly make: () => Deed;
  /** Words that no other wish of the message may share. */
  readonly core?: readonly number[];
}

function toGuess(
  clause: Clause,
  relevance: Pick<Relevance, "words">,
  { name, signs, actions, make, core = [] }: Made,
): Guess {
  const verbs = actions.flatMap((action) => clause.actions.get(action) ?? []);
  return {
    name,
    signs: { supposed: 1, ...(verbs.length > 0 ? { verb: 1 } : { noVerb: 1 }), ...signs },
    words: [...relevance.words, ...verbs, ...clause.negators],
    ...(core.length > 0 ? { core } : {}),
    deed: (bench) => make()(bench),
  };
}
