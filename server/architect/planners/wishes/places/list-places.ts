import type { Version } from "../../../../versions/version.ts";
import { toAgentRow, toPolicyRows, toServerRow, toSetRows } from "./other-places.ts";
import type { Places, Thing } from "./places.ts";
import { toPromptRows } from "./prompt-places.ts";
import { toToolRows } from "./tool-places.ts";
import { selectSayings } from "../words/thesaurus.ts";
import { toStems } from "../words/words.ts";

const known = new WeakMap<Version["program"], Places>();

/** Everything of a version that feedback may name, with the keys that may be set; made once per version. */
export function listPlaces(version: Version): Places {
  const kept = known.get(version.program);
  if (kept !== undefined && kept.version.history === version.history) return kept;
  const rows = [
    toAgentRow(version),
    ...[...version.servers.values()].flatMap((server) => [toServerRow(server), ...toPromptRows(server)]),
    ...[...version.tools.values()].flatMap((tool) => toToolRows(version, tool)),
    ...[...version.parameters.values()].flatMap((set) => toSetRows(version, set)),
    ...version.policies.flatMap((policy) => toPolicyRows(policy, version.policies)),
  ];
  const frequency = new Map<string, number>();
  const vocabulary = new Map<string, number>();
  for (const [thing] of rows) {
    for (const stem of new Set(thing.names.flat())) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    for (const stem of new Set([...thing.names.flat(), ...thing.owners, ...thing.soft]))
      vocabulary.set(stem, (vocabulary.get(stem) ?? 0) + 1);
  }
  const places: Places = {
    version,
    things: rows.map(([thing]) => thing),
    placesOf: new Map(rows),
    named: new Map(rows.flatMap(([, own]) => own).map((place) => [`${place.file}#${place.at.join("/")}`, place])),
    frequency,
    vocabulary,
    thesaurus: selectSayings(vocabulary),
    byStem: indexThings(rows.map(([thing]) => thing)),
    texts: new Set(
      rows.flatMap(([, own]) =>
        own.flatMap(({ accepts, now }) =>
          accepts.kind === "text" && typeof now === "string" && now !== ""
            ? [now.toLowerCase().replace(/[.!。]$/u, "")]
            : [],
        ),
      ),
    ),
    identifiers: toIdentifiers(version),
    capabilities: new Map(listCapabilities(version).map((capability) => [capability, toStems(capability)])),
  };
  known.set(version.program, places);
  return places;
}

function indexThings(things: readonly Thing[]): ReadonlyMap<string, readonly Thing[]> {
  const byStem = new Map<string, Thing[]>();
  for (const thing of things) {
    const words = new Set([
      ...thing.names.flat(),
      ...(thing.about ?? []),
      ...thing.values.map((value) => String(value).toLowerCase()),
    ]);
    // The hosts of a policy, the values of a field that no word names: verbs and values decide.
    const isListed = thing.kind === "policy" || thing.kind === "agent";
    for (const word of isListed ? [...words, ...thing.owners, "host", "egress", "domain"] : words)
      byStem.set(word, [...(byStem.get(word) ?? []), thing]);
    if (thing.kind === "field" && thing.values.length > 0)
      for (const word of thing.tool === undefined ? [] : toStems(thing.tool.name))
        byStem.set(word, [...(byStem.get(word) ?? []), thing]);
  }
  return byStem;
}

function listCapabilities({ policies, tools }: Version): readonly string[] {
  return [
    ...policies.flatMap(({ roles }) => [...roles.values()].flat()),
    ...[...tools.values()].flatMap(({ requiredCapabilities }) => requiredCapabilities),
  ];
}

function toIdentifiers(version: Version): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [name, { server, input, output, requiredCapabilities }] of version.tools) {
    for (const right of requiredCapabilities) names.add(right);
    names.add(name).add(name.slice(name.startsWith(`${server}.`) ? server.length + 1 : 0));
    for (const schema of [input, output])
      for (const field of Object.keys((schema["properties"] ?? {}) as object)) names.add(field);
  }
  for (const [name, { parameters }] of version.parameters)
    for (const own of [name, ...parameters.keys()]) names.add(own);
  for (const { roles } of version.policies)
    for (const own of [...roles.keys(), ...[...roles.values()].flat()]) names.add(own);
  for (const { prompts } of version.servers.values()) for (const { name } of prompts) names.add(name);
  for (const label of version.history.labels.keys()) names.add(label);
  return new Set([...names].map((name) => name.toLowerCase()));
}
