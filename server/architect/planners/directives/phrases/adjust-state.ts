import type { Json, Key } from "../../../../store/store.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { readData } from "../read-literal.ts";
import { toPhrase } from "../to-phrase.ts";

const UUID = "(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})";
const FORGET = "(?:forget|end|clear|delete|remove|reset|drop)";

/** Phrases about state beside the repository, sessions among it, and about what earlier feedback has done. */
export const STATE_PHRASES: readonly Phrase[] = [
  toPhrase(`${FORGET} (?:the )?(?:session|conversation) ${UUID}`, forgetSession),
  toPhrase(
    `(?:set|change|replace|correct) (?:the )?session (?:of )?(?:the )?(?:conversation )?${UUID} (?:to|by|with):?(?: {value})?`,
    setSession,
  ),
  toPhrase(
    `(?:set|change|replace|correct) (?:the )?state (?:of )?{server} {key} (?:to|by|with):?(?: {value})?`,
    setState,
  ),
  toPhrase(`(?:set|change|replace|correct) (?:the )?state {key} of {server} (?:to|by|with):?(?: {value})?`, setState),
  toPhrase(`${FORGET} (?:the )?state (?:of )?{server} {key}`, deleteState),
  toPhrase(`(?:undo|take back|revert) (?:the )?(?:change|feedback|adjustment|tuning) {change}`, undo),
  toPhrase(`(?:undo|take back) (?<change>[0-9a-z][0-9a-z-]{7,63})`, undo),
];

function forgetSession(said: Said): Deed {
  const conversationId = said.name("id").toLowerCase();
  return (bench) => bench.adjust({ kind: "session", conversationId, value: null });
}

function setSession(said: Said): Deed {
  const conversationId = said.name("id").toLowerCase();
  const value = readValue(said);
  return (bench) => bench.adjust({ kind: "session", conversationId, value });
}

function setState(said: Said): Deed {
  const { server, key } = readPlace(said);
  const value = readValue(said);
  return (bench) => bench.adjust({ kind: "state", server, key, value });
}

function deleteState(said: Said): Deed {
  const { server, key } = readPlace(said);
  return (bench) => bench.adjust({ kind: "state", server, key, value: null });
}

function undo(said: Said): Deed | undefined {
  const id = said.name("change");
  if (!/^[\w-]{8,64}$/.test(id) || !/\d/.test(id)) return undefined;
  return async (bench) => {
    const done = (await said.ground.reverse(id)) ?? { kind: "tuning", id };
    if (done.kind === "tuning") return bench.adjust({ kind: "undo", id: done.id });
    for (const [path, text] of done.files) await bench.write(path, text);
    for (const change of done.changes) bench.say(change);
  };
}

/** A key is a list of texts and numbers, or one of them by itself. */
function readPlace(said: Said): { readonly server: string; readonly key: Key } {
  const { servers } = said.ground.version;
  const server = said.name("server").replace(/ server$/i, "");
  if (!servers.has(server)) {
    throw refuse(`There is no server \`${server.slice(0, 100)}\`.`, `The servers are ${toList([...servers.keys()])}.`);
  }
  const given = said.value("key");
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given];
  const key = parts.filter((part) => typeof part === "string" || typeof part === "number");
  if (key.length === 0 || key.length < parts.length) {
    throw refuse(
      "The key of a value is a text, a number, or a list of these.",
      'Say: set the state decisions ["report", 7] to {...}.',
    );
  }
  return { server, key };
}

function readValue(said: Said): Json {
  const value = said.value("value") ?? readData(said.block()?.text ?? "");
  if (value !== undefined) return value;
  throw refuse(
    "What it is to become is missing, or is no JSON.",
    "Give it as JSON, in the sentence or in a fenced block below it.",
  );
}
