import { isObject } from "../../../../json/is-object.ts";
import type { Version } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, explainNouns } from "./draft.ts";
import type { Places } from "../places/places.ts";
import { showValue } from "../../../show-value.ts";
import { placesAcross } from "../words/words.ts";
import { STOP, words } from "../words/word-lists.ts";
import { isHost } from "./host-drafts.ts";

/** Words that have a command reach a host. */
const REACHING =
  /\b(?:with (?:access|a connection) to|(?:and|to|may|can|must) (?:be able to |be allowed to )?(?:only )?(?:reach|contact|connect|talk|fetch|download)\w*|reaching|with (?:(?:the|only the) hosts? )?\S+\.\S+ (?:as|for) (?:its |the |an? )?(?:only |sole |single )?hosts?|hosts?:? \S+\.\S+|mit Zugriff auf|con acceso a|avec accès à)\b/iu;
/** Words of such sayings. */
const REACH =
  /^(?:access|connection|reach\w*|contact\w*|connect\w*|talk\w*|fetch\w*|download\w*|able|only|sole|single|hosts?|other|registry|network)$/;

const ONLY = /^(?:only|nur|solo|sólo|seulement)$/;

/** Hosts that a command of a clause may reach, with the words that say so; none where it names none, or says nothing of reaching. */
export function hostsOfCommand({ tokens, text }: Clause): readonly { readonly host: string; readonly at: number }[] {
  const hosts = tokens.flatMap(({ text: one }, at) => (isHost(one) ? [{ host: one.toLowerCase(), at }] : []));
  return REACHING.test(text) ? hosts : [];
}

/** Drafts about what runs may execute in their workspaces. */
export function draftCommands(clause: Clause, { version }: Places): readonly Draft[] {
  const nouns = explainNouns(clause, "command");
  const quoted = clause.tokens.flatMap((token, at) =>
    token.kind === "quoted" && /^[\w.-]+(?: [\w./:=-]+)*$/.test(token.text) ? [at] : [],
  );
  const found = quoted.length > 0 ? undefined : findCommand(clause, version);
  const spoken = found?.words ?? [];
  const [at, ...others] = quoted.length > 0 ? quoted : spoken;
  const text = quoted.length > 0 ? (clause.tokens[at ?? -1]?.text ?? "") : (found?.parts ?? []).join(" ");
  const [policy, ...more] = version.policies.filter(({ commands }) => commands.length > 0);
  const [add, remove] = [
    explainActions(clause, ["add", "grant", "enable"]),
    explainActions(clause, ["remove", "revoke", "disable", "stop"]),
  ];
  if (
    // A command of several words that is allowed now names itself.
    (nouns.length === 0 && spoken.length < 2) ||
    at === undefined ||
    (quoted.length > 0 && others.length > 0) ||
    policy === undefined ||
    more.length > 0 ||
    (add === undefined) === (remove === undefined)
  )
    return [];
  const [program = "", ...rest] = text.split(" ");
  const hosts = add === undefined ? [] : hostsOfCommand(clause);
  const names = hosts.map(({ host }) => host);
  const reaching =
    hosts.length === 0
      ? []
      : [
          ...hosts.map((one) => one.at),
          ...clause.tokens.flatMap(({ lower }, place) => (REACH.test(lower) ? [place] : [])),
          ...(clause.actions.get("set") ?? []),
          ...clause.negators.filter((place) => ONLY.test(clause.tokens[place]?.lower ?? "")),
        ];
  return [
    {
      name: `command ${add === undefined ? "-" : "+"} ${program} ${rest.join(" ")}${names.length === 0 ? "" : ` @ ${names.join()}`}`,
      label: "the commands of workspaces",
      thing: undefined,
      explained: new Set([at, ...others, ...nouns, ...(add ?? remove ?? []), ...reaching]),
      soft: new Set(),
      doubt: nouns.length === 0 ? 0.5 : 0,
      deed: toCommandDeed(policy.file, { program, rest, isAdded: add !== undefined, hosts: names }),
    },
  ];
}

/** A command with the arguments that it begins with, and whether runs may execute it from now on. */
interface Command {
  readonly program: string;
  readonly rest: readonly string[];
  readonly isAdded: boolean;
  /** Hosts that it may reach; absent: none of its own. */
  readonly hosts?: readonly string[];
}

/** Has a policy let runs execute a command, or no longer. */
export function toCommandDeed(file: string, { program, rest, isAdded, hosts = [] }: Command): Deed {
  const command = {
    program,
    ...(rest.length === 0 ? {} : { arguments: [...rest] }),
    ...(hosts.length === 0 ? {} : { hosts: [...hosts] }),
  };
  return async (bench) => {
    // The present entry may have hosts as well.
    const listed = await bench.find(file, ["commands"]);
    const present = (Array.isArray(listed) ? listed : []).find((entry) => isCommand(entry, program, rest));
    const isChanged = isAdded
      ? present === undefined && (await bench.addItem(file, ["commands"], command))
      : await bench.removeItem(file, ["commands"], present ?? command);
    if (isChanged)
      bench.say(
        `Runs may ${isAdded ? "" : "no longer "}execute \`${[program, ...rest].join(" ")}\`${hosts.length === 0 ? "" : `, and it may reach ${hosts.map((host) => `\`${host}\``).join(", ")}`}.`,
      );
    bench.need("patch");
  };
}

function isCommand(entry: unknown, program: string, rest: readonly string[]): boolean {
  if (!isObject(entry) || entry["program"] !== program) return false;
  const own = entry["arguments"] ?? [];
  return Array.isArray(own) && own.join(" ") === rest.join(" ");
}

/** Hosts that a command may reach: "npm ci must also be able to reach mirror.example". */
export function draftCommandHosts(clause: Clause, { version }: Places): readonly Draft[] {
  const { parts = [], words: said = [] } = findCommand(clause, version) ?? {};
  const hosts = clause.tokens.flatMap(({ text }, at) => (isHost(text) ? [{ host: text.toLowerCase(), at }] : []));
  const [add, remove] = [
    explainActions(clause, ["add", "grant", "enable"]),
    explainActions(clause, ["remove", "revoke", "disable", "stop"]),
  ];
  const text = parts.join(" ");
  const [program = "", ...rest] = parts;
  const policy = version.policies.find(({ commands }) => commands.some((one) => isCommand(one, program, rest)));
  if (said.length === 0 || hosts.length === 0 || policy === undefined || (add === undefined) === (remove === undefined))
    return [];
  const deed: Deed = async (bench) => {
    const listed = await bench.find(policy.file, ["commands"]);
    const at = (Array.isArray(listed) ? listed : []).findIndex((entry) => isCommand(entry, program, rest));
    const path = ["commands", at, "hosts"];
    if ((await bench.find(policy.file, path)) === undefined) await bench.set(policy.file, path, []);
    for (const { host } of hosts) {
      const isChanged =
        add === undefined
          ? await bench.removeItem(policy.file, path, host)
          : await bench.addItem(policy.file, path, host);
      if (isChanged) bench.say(`\`${text}\` ${add === undefined ? "can no longer" : "may"} reach ${showValue(host)}.`);
    }
    bench.need("patch");
  };
  return [
    {
      name: `hosts of ${text} ${add === undefined ? "-" : "+"} ${hosts.map(({ host }) => host).join()}`,
      label: `the hosts of \`${text}\``,
      thing: undefined,
      isNamed: true,
      explained: new Set([
        ...said,
        ...clause.tokens.flatMap(({ lower }, at) => (REACH.test(lower) ? [at] : [])),
        ...hosts.map(({ at }) => at),
        ...explainNouns(clause, "host", "command"),
        ...(add ?? remove ?? []),
      ]),
      soft: new Set(),
      doubt: 0.3,
      deed,
    },
  ];
}

/** Programs that people run in workspaces. */
export const PROGRAMS = words(
  "npm npx yarn pnpm node deno bun python python3 pip pytest ruff black cargo rustc go make cmake git bash sh mvn gradle dotnet ruby bundle rake tsc eslint prettier vitest jest docker terraform",
);

/** A command of a clause: one that is allowed now, or a program behind a word for commands, with what follows it. */
interface Found {
  readonly parts: readonly string[];
  readonly words: readonly number[];
}

function findCommand({ tokens, nouns, text }: Clause, { policies }: Version): Found | undefined {
  for (const { program, arguments: own } of policies.flatMap(({ commands }) => commands)) {
    const parts = [program, ...own];
    const start =
      own.length === 0
        ? -1
        : ` ${text} `.search(new RegExp(`(?<=[\\s"'\`(])${RegExp.escape(parts.join(" "))}(?=[\\s"'\`).,;:])`, "u"));
    if (start > 0)
      return { parts, words: placesAcross(tokens, { start: start - 1, end: start - 1 + parts.join(" ").length }) };
  }
  const at = tokens.findIndex(
    ({ lower, kind }, place) => kind === "word" && PROGRAMS.has(lower) && nouns.get(place - 1)?.has("command") === true,
  );
  if (at < 0) return undefined;
  const isArgument = /^[a-z][\w:-]*$/.test(tokens[at + 1]?.text ?? "") && !STOP.has(tokens[at + 1]?.lower ?? "");
  const said = isArgument ? [at, at + 1] : [at];
  return { parts: said.map((place) => tokens[place]?.text ?? ""), words: said };
}
