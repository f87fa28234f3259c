import { isObject } from "../../../../json/is-object.ts";
import type { Server } from "../../../../versions/version.ts";
import type { Bench } from "../../directives/bench.ts";
import type { Span } from "../../../message/message.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { placesAcross, placesOfMatch, toStems } from "../words/words.ts";
import { type Draft, has } from "./draft.ts";

const NOUN =
  /^(?:resources?|leaflets?|links?|pages?|texts?|documents?|docs?|notes?|sheets?|rules?|handouts?|ressource\w*|recursos?)$/;
/** Words with which people say that a text is to read otherwise. */
const SAYING =
  /^(?:says?|say|said|read|reads|still|change|this|that|out|date|outdated|wrong|old|instead|now|text|named|name|provider|same|lacks?|it|as|one|use|nobody|anybody|anyone)$/;
/** Sayings that something is not to be there, beside verbs that take it away. */
const GONE =
  /\b(?:loses?|(?:do not|don['’]t) (?:want|need)|no longer|any ?more|should(?:n['’]t| not) be|(?:can|should|must|has to) go)\b/iu;
const NUMBER = /\d[\d:.,]*\d|\d/gu;

type Resource = Server["resources"][number];

/** A resource of a server, with the words of a clause that name it. */
interface Named {
  readonly server: Server;
  readonly resource: Resource;
  readonly words: readonly number[];
}

/** Drafts about the resources of servers: one goes, is brought from another server, or reads otherwise. */
export function draftResources(clause: Clause, places: Places): readonly Draft[] {
  const named = [...places.version.servers.values()].flatMap((server) =>
    server.resources.flatMap((resource) => {
      const words = wordsOfResource(clause, resource);
      return words === undefined ? [] : [{ server, resource, words }];
    }),
  );
  if (named.length === 0) return [];
  return [
    ...named.flatMap((one) => draftText(clause, one)),
    ...named.flatMap((one) => draftRemoval(clause, one)),
    ...draftCopy(clause, named, places),
  ];
}

/** The words that name a resource: its address, or all words of its name or title. */
export function wordsOfResource(
  { tokens, text }: Clause,
  { uri, name, title }: Pick<Server["resources"][number], "uri" | "name" | "title">,
): readonly number[] | undefined {
  const start = text.indexOf(uri);
  if (start >= 0) return placesAcross(tokens, { start, end: start + uri.length });
  for (const own of [name, title ?? ""]) {
    const stems = toStems(own).filter((stem) => stem.length > 2);
    const found = stems.map((stem) => tokens.findIndex((token) => token.kind === "word" && token.stems.includes(stem)));
    if (stems.length > 0 && found.every((at) => at >= 0)) return found;
  }
  return undefined;
}

function toDraft(
  clause: Clause,
  { server, words }: Named,
  name: string,
  own: readonly number[],
  deed: Draft["deed"],
): Draft {
  const servers = new Set(toStems(server.name));
  return {
    name,
    label: `the resources of \`${server.name}\``,
    thing: undefined,
    isNamed: true,
    explained: new Set([
      ...words,
      ...own,
      ...clause.tokens.flatMap(({ lower, stems }, at) =>
        NOUN.test(lower) ||
        SAYING.test(lower) ||
        lower === "server" ||
        (stems.length > 0 && stems.every((stem) => servers.has(stem)))
          ? [at]
          : [],
      ),
    ]),
    soft: new Set(),
    doubt: clause.tokens.some(({ lower }) => NOUN.test(lower)) ? 0 : 0.3,
    ...(deed === undefined ? {} : { deed }),
  };
}

/** "The zones should say "zone B within 250 km"": what has the form of a part of the text, but for its numbers, takes its place. */
function draftText(clause: Clause, named: Named): readonly Draft[] {
  const { server, resource } = named;
  const now = resource.source.kind === "text" ? resource.source.text : undefined;
  if (now === undefined || has(clause, "remove")) return [];
  const found = findQuoted(clause, now) ?? findNumbers(clause, now);
  if (found === undefined) return [];
  const { value } = found;
  const own = placesAcross(clause.tokens, found);
  const deed = async (bench: Bench) => {
    const index = await indexOf(bench, server, resource.uri);
    if (index >= 0 && (await bench.set(server.file, ["resources", index, "text"], value)))
      bench.say(`The resource \`${resource.name}\` of the server \`${server.name}\` reads otherwise.`);
    bench.need("patch");
  };
  return [
    toDraft(
      clause,
      named,
      `resource ${server.name}/${resource.name} ${JSON.stringify(value)}`,
      [
        ...own,
        ...clause.amounts.flatMap(({ tokens }) => tokens),
        ...(["set", "replace", "describe", "add"] as const).flatMap((action) => clause.actions.get(action) ?? []),
        ...clause.negators,
      ],
      deed,
    ),
  ];
}

interface Found extends Span {
  readonly value: string;
}

/** A quoted text in the place of the part of the present one that differs from it by numbers alone. */
function findQuoted({ tokens }: Clause, now: string): Found | undefined {
  for (const { kind, text, start, end } of tokens) {
    if (kind !== "quoted" || !/\d/.test(text)) continue;
    const bare = text.replace(/[.!]$/, "");
    const shape = bare
      .split(NUMBER)
      .map((part) => RegExp.escape(part))
      .join(String.raw`(?:\d[\d:.,]*\d|\d)`);
    const parts = [...now.matchAll(new RegExp(shape, "giu"))];
    const [part, ...others] = parts;
    if (part === undefined || others.length > 0 || part[0].toLowerCase() === bare.toLowerCase()) continue;
    const fresh = /^\p{Lu}/u.test(part[0]) ? bare.slice(0, 1).toUpperCase() + bare.slice(1) : bare;
    return { value: `${now.slice(0, part.index)}${fresh}${now.slice(part.index + part[0].length)}`, start, end };
  }
  return undefined;
}

/** "It still says before 8:15. That must be before 7:45": two numbers of a message, the first of which the text has once. */
function findNumbers({ text }: Clause, now: string): Found | undefined {
  const [old, fresh, ...others] = [...text.matchAll(NUMBER)];
  if (old === undefined || fresh === undefined || others.length > 0) return undefined;
  const isSame = old[0].replaceAll(/\d+/g, "0") === fresh[0].replaceAll(/\d+/g, "0");
  const count = [...now.matchAll(NUMBER)].filter(([one]) => one === old[0]).length;
  if (!isSame || count !== 1 || [...now.matchAll(NUMBER)].some(([one]) => one === fresh[0])) return undefined;
  return {
    value: now.replace(new RegExp(String.raw`(?<![\d:.,])${RegExp.escape(old[0])}(?![\d]|[:.,]\d)`), fresh[0]),
    start: old.index,
    end: fresh.index + fresh[0].length,
  };
}

function draftRemoval(clause: Clause, named: Named): readonly Draft[] {
  const { server, resource } = named;
  const isSaid = clause.tokens.some(({ lower }) => /^resources?$/.test(lower)) || clause.text.includes(resource.uri);
  const verbs = [...(clause.actions.get("remove") ?? []), ...(clause.actions.get("revoke") ?? [])];
  // "Take it off" takes nothing on.
  const isAdded = clause.actions.get("add")?.some((at) => !verbs.includes(at)) === true;
  if (!isSaid || (verbs.length === 0 && !GONE.test(clause.text)) || isAdded) return [];
  return [
    toDraft(
      clause,
      named,
      `remove resource ${server.name}/${resource.name}`,
      [...verbs, ...clause.negators, ...placesOfMatch(clause.tokens, clause.text, GONE)],
      async (bench) => {
        const index = await indexOf(bench, server, resource.uri);
        if (index < 0) return;
        const all = await bench.find(server.file, ["resources"]);
        const isOnly = Array.isArray(all) && all.length === 1;
        await bench.remove(server.file, isOnly ? ["resources"] : ["resources", index]);
        bench.say(`The resource \`${resource.uri}\` of the server \`${server.name}\` is gone.`);
        bench.need("major");
      },
    ),
  ];
}

/** "The work server lacks logs://recent": a resource as another server has it. */
function draftCopy(clause: Clause, named: readonly Named[], { version }: Places): readonly Draft[] {
  const [source] = named;
  if (source === undefined || !clause.text.includes(source.resource.uri)) return [];
  if (!has(clause, "add") || has(clause, "remove", "revoke")) return [];
  const { uri } = source.resource;
  const lacking = [...version.servers.values()].filter(
    ({ name, resources }) =>
      !resources.some((one) => one.uri === uri) &&
      new RegExp(String.raw`\b${RegExp.escape(name)} server\b|\bserver ["'\x60]?${RegExp.escape(name)}\b`, "iu").test(
        clause.text,
      ),
  );
  const [server, ...others] = lacking;
  if (server === undefined || others.length > 0) return [];
  const sources = new Set(
    named.flatMap((one) => [
      one.server.name,
      one.resource.name,
      "provider" in one.resource ? String(one.resource.provider) : "",
    ]),
  );
  const verbs = clause.actions.get("add") ?? [];
  const own = clause.tokens.flatMap(({ text }, at) => (sources.has(text) ? [at] : []));
  return [
    toDraft(clause, { ...source, server }, `resource ${server.name} ${uri}`, [...verbs, ...own], async (bench) => {
      const index = await indexOf(bench, source.server, uri);
      const copy = await bench.find(source.server.file, ["resources", index]);
      if (index < 0 || !isObject(copy)) return;
      if (await bench.addItem(server.file, ["resources"], copy))
        bench.say(`The server \`${server.name}\` has the resource \`${uri}\`.`);
      bench.need("minor");
    }),
  ];
}

/** Where a resource stands in the manifest of its server; -1: nowhere. */
async function indexOf(bench: Bench, { file }: Server, uri: string): Promise<number> {
  const all = await bench.find(file, ["resources"]);
  return Array.isArray(all) ? all.findIndex((one) => isObject(one) && one["uri"] === uri) : -1;
}
