import { isObject } from "../../../../json/is-object.ts";
import { showValue } from "../../../show-value.ts";
import type { Json } from "../../../../store/store.ts";
import type { Server } from "../../../../versions/version.ts";
import type { Path } from "../../../edit/edit-json.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { bare } from "../guess/fresh-texts.ts";
import { toStems } from "../words/words.ts";
import { type Draft, has } from "./draft.ts";
import { wordsOfResource } from "./resource-drafts.ts";

/** Words with which people say that a text is to read otherwise, and where it stands. */
const ABOUT =
  /^(?:resources?|leaflets?|pages?|texts?|documents?|docs?|notes?|sheets?|rules?|prompts?|messages?|server|says?|said|reads?|still|now|instead|wrong|outdated|old|rather|should|part|phrase|words?|sentence|line|it|that|this|there|make|title|titled|called|named|name|description|described|as)$/;
const SAID = {
  title: /\b(?:titled?|called|named|name|caption|heading)\b/iu,
  description: /\b(?:descri\w+)\b/iu,
} as const;
/** Letters of a text that is found by what it says alone, at least. */
const LEAST = 8;

/** A text of a server that is no key of a thing: of a resource, or of a message of a prompt. */
interface Written {
  readonly server: Server;
  /** For sentences: "the resource `handling`". */
  readonly label: string;
  readonly list: "resources" | "prompts";
  /** What its entry in the list is called. */
  readonly id: string;
  readonly now: string;
  /** The words of the clause that name it; none: only its own words do. */
  readonly words: readonly number[];
}

/** A part of a text, and what takes its place. */
interface Swap {
  readonly old: string;
  readonly fresh: string;
}

/** Drafts that change a part of the text of a resource or a prompt, or what a resource is called: "docs://handling says "A". It should say "B"". */
export function draftWritten(clause: Clause, places: Places): readonly Draft[] {
  return [...draftTitles(clause, places), ...draftParts(clause, places)];
}

const RESOURCE = /\b(?:resources?|leaflets?|documents?|ressourcen?|recursos?|ressources?)\b|\b[a-z]+:\/\//iu;

/** Words for something that is not there yet. */
const FRESH = /\b(?:add|new|create|append|insert|second|another|further|more|neue\w*|nuev[oa]|nouve\w*)\b/iu;
/** What stands between a text and the one that takes its place, and what stands between two others. */
const TURN =
  /\b(?:to|with|by|as|into|becomes?|should|must|instead|rather|make|now|not|durch|zu|por|par|read|reads|say|says|write)\b|->|→|=>|[.!]/iu;
const BOTH = /\b(?:next to|besides?|beside|after|before|behind|under|above|and also|as well as|both)\b/iu;

/** "The handling resource should be titled "How to handle objects"" */
function draftTitles(clause: Clause, { version }: Places): readonly Draft[] {
  const key = (["title", "description"] as const).find((one) => clause.keys.has(one) || SAID[one].test(clause.text));
  const [only, ...others] = clause.tokens.flatMap(({ kind, text }, at) =>
    kind === "quoted" && text.trim() !== "" ? [{ text, at }] : [],
  );
  const named = [...version.servers.values()].flatMap((server) =>
    [...server.resources, ...server.resourceTemplates].flatMap((resource) => {
      const id = "uri" in resource ? resource.uri : resource.uriTemplate;
      const words = wordsOfResource(clause, { ...resource, uri: id });
      return words === undefined || words.some((at) => at === only?.at) ? [] : [{ server, resource, id, words }];
    }),
  );
  const [found, ...more] = named;
  if (key === undefined || only === undefined || others.length > 0 || found === undefined || more.length > 0) return [];
  if (!RESOURCE.test(clause.text) || FRESH.test(clause.text) || has(clause, "remove") || clause.negators.length > 0)
    return [];
  const { server, resource, id, words } = found;
  const label = `the ${key} of the resource \`${resource.name}\` of the server \`${server.name}\``;
  return [
    {
      name: `resources ${server.name}/${id} ${key}=${JSON.stringify(only.text)}`,
      label,
      thing: undefined,
      isNamed: true,
      explained: new Set([only.at, ...words, ...talkOf(clause, server)]),
      soft: new Set(),
      doubt: 0,
      deed: async (bench) => {
        const index = indexOf(await bench.find(server.file, ["resources"]), "resources", id);
        if (index >= 0 && (await bench.set(server.file, ["resources", index, key], only.text)))
          bench.say(`T${label.slice(1)} is ${showValue(only.text)}.`);
        bench.need("patch");
      },
    },
  ];
}

/** The words with which a clause says that a text is to read otherwise, and where it stands. */
function talkOf(clause: Clause, server: Server): readonly number[] {
  return [
    ...clause.tokens.flatMap(({ lower, stems }, at) =>
      ABOUT.test(lower) || (stems.length > 0 && stems.every((stem) => toStems(server.name).includes(stem))) ? [at] : [],
    ),
    ...(["set", "replace", "describe", "rename"] as const).flatMap((action) => clause.actions.get(action) ?? []),
  ];
}

function draftParts(clause: Clause, places: Places): readonly Draft[] {
  const quoted = clause.tokens.flatMap(({ kind, text }, at) =>
    kind === "quoted" && text.trim() !== "" ? [{ text, at }] : [],
  );
  const [one, other, ...more] = quoted;
  if (one === undefined || other === undefined || more.length > 0) return [];
  const between = clause.text.slice(clause.tokens[one.at]?.end, clause.tokens[other.at]?.start);
  const isTurned = TURN.test(between) && !BOTH.test(between);
  if (!isTurned) return [];
  const ways: readonly Swap[] = [
    { old: one.text, fresh: other.text },
    { old: other.text, fresh: one.text },
  ];
  const found = ways.flatMap((swap) =>
    listWritten(clause, places)
      .filter(({ now }) => isOnce(now, swap.old) && !now.includes(swap.fresh))
      .map((written) => ({ swap, written })),
  );
  const named = found.filter(({ written }) => written.words.length > 0);
  const [only, ...others] = named.length > 0 ? named : found;
  if (only === undefined || others.length > 0 || has(clause, "remove")) return [];
  const isSaidElsewhere = [...places.texts].some((text) => text.includes(bare(only.swap.old)));
  if (named.length === 0 && (isSaidElsewhere || only.swap.old.length < LEAST)) return [];
  const { written, swap } = only;
  return [
    {
      name: `${written.list} ${written.server.name}/${written.id} ${JSON.stringify(swap)}`,
      label: written.label,
      thing: undefined,
      isNamed: true,
      explained: new Set([one.at, other.at, ...written.words, ...talkOf(clause, written.server)]),
      soft: new Set(),
      doubt: 0,
      deed: toSwap(written, swap),
    },
  ];
}

function listWritten(clause: Clause, { version }: Places): readonly Written[] {
  return [...version.servers.values()].flatMap((server): readonly Written[] => [
    ...[...server.resources, ...server.resourceTemplates].flatMap((resource) => {
      const id = "uri" in resource ? resource.uri : resource.uriTemplate;
      const now = resource.source.kind === "text" ? resource.source.text : undefined;
      const words = wordsOfResource(clause, { ...resource, uri: id }) ?? [];
      const label = `the resource \`${resource.name}\``;
      return now === undefined ? [] : [{ server, label, list: "resources" as const, id, now, words }];
    }),
    ...server.prompts.flatMap((prompt) => {
      const words = wordsOfResource(clause, { ...prompt, uri: prompt.name }) ?? [];
      return prompt.messages.flatMap((message) =>
        "content" in message && message.content.type === "text"
          ? [
              {
                server,
                label: `the prompt \`${prompt.name}\``,
                list: "prompts" as const,
                id: prompt.name,
                now: message.content.text,
                words,
              },
            ]
          : [],
      );
    }),
  ]);
}

function isOnce(text: string, part: string): boolean {
  return part.length > 2 && text.toLowerCase().split(part.toLowerCase()).length === 2;
}

/** Puts something else in the place of a part of a text, with its capital and its mark at the end. */
function swapIn(now: string, { old, fresh }: Swap): string {
  const at = now.toLowerCase().indexOf(old.toLowerCase());
  const rest = now.slice(at + old.length);
  const isDouble = /[.!]$/.test(fresh) && /^[.!]/.test(rest);
  const isLacking = /[.!]$/.test(old) && !/[.!?:]$/.test(fresh);
  const value = isDouble ? fresh.slice(0, -1) : isLacking ? `${fresh}${old.slice(-1)}` : fresh;
  const isCapital = /^\p{Lu}/u.test(now.slice(at)) && /^\p{Lu}/u.test(old) === /^\p{Lu}/u.test(fresh);
  return `${now.slice(0, at)}${isCapital ? value.slice(0, 1).toUpperCase() + value.slice(1) : value}${rest}`;
}

function toSwap({ server, label, list, id, now }: Written, swap: Swap): Deed {
  return async (bench) => {
    // Another change of this text may have come before.
    const found = findText(
      await bench.find(server.file, [list]),
      list,
      id,
      (text) => text === now || isOnce(text, swap.old),
    );
    if (found === undefined) return;
    if (await bench.set(server.file, found.at, swapIn(found.text, swap)))
      bench.say(
        `T${label.slice(1)} of the server \`${server.name}\` says ${JSON.stringify(swap.fresh)} where it said ${JSON.stringify(swap.old)}.`,
      );
    bench.need("patch");
  };
}

/** A text with where it stands in the manifest of its server. */
interface Standing {
  readonly at: Path;
  readonly text: string;
}

/** Finds the text that is meant in the manifest of its server. */
function findText(
  all: Json | undefined,
  list: Written["list"],
  id: string,
  isMeant: (text: string) => boolean,
): Standing | undefined {
  const index = indexOf(all, list, id);
  const entry: unknown = Array.isArray(all) ? all[index] : undefined;
  if (!isObject(entry)) return undefined;
  const own = entry["text"];
  if (list === "resources")
    return typeof own === "string" && isMeant(own) ? { at: [list, index, "text"], text: own } : undefined;
  const messages: readonly unknown[] = Array.isArray(entry["messages"]) ? entry["messages"] : [];
  return messages.flatMap((one, message): readonly Standing[] => {
    const text = isObject(one) ? one["text"] : undefined;
    return typeof text === "string" && isMeant(text) ? [{ at: [list, index, "messages", message, "text"], text }] : [];
  })[0];
}

/** Where a resource or a prompt stands in its list; -1: nowhere. */
function indexOf(all: Json | undefined, list: Written["list"], id: string): number {
  const entries: readonly unknown[] = Array.isArray(all) ? all : [];
  return entries.findIndex(
    (one) =>
      isObject(one) && (list === "prompts" ? one["name"] === id : one["uri"] === id || one["uriTemplate"] === id),
  );
}
