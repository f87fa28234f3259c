import { resolve } from "node:path";
import { type Fetcher, openFetcher } from "../../capabilities/fetch/open-fetcher.ts";
import { readEgressMap } from "../../config/egress-map.ts";
import { CairnError } from "../../errors.ts";
import type { DriftState } from "../../imports/drift/drift.ts";
import { defined } from "../../json/defined.ts";
import { printableLines } from "../../text/printable.ts";
import { type CommandContext, createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readRepeated } from "../repeated.ts";
import { checkImport, type CheckOptions } from "./check-import.ts";
import { type KnownImport, listImports } from "../../imports/drift/list-imports.ts";
import { type AskOptions, type LoadedSource, loadSource } from "./load-source.ts";
import { measureSaved, type Proposed, proposeDrifts, readHead } from "./propose-drift.ts";
import { renewImport } from "./renew-import.ts";
import { saveStates } from "../../imports/drift/saved-drift.ts";
import { showSettled, showState } from "./show-drift.ts";

/** `cairn drift [name]`: whether the sources of imports are still what was imported, and the change that renews them. */
export const createDriftCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "drift", description: "Say what has changed at the sources of imports, renew them, or propose that" },
    args: {
      name: { type: "positional", required: false, description: "One import (default: all)" },
      json: { type: "boolean", description: "Print JSON for programs" },
      write: { type: "boolean", description: "Import again what has changed, and raise the versions" },
      propose: { type: "boolean", description: "Open, renew or close a change for each import in CAIRN_REPO" },
      save: {
        type: "string",
        valueHint: "file",
        description: "Save what was found, for `--propose --saved` elsewhere",
      },
      saved: { type: "string", valueHint: "file", description: "Propose what was saved, and ask no source" },
      new: { type: "boolean", description: "Also bring in tools that were not imported" },
      at: {
        type: "string",
        valueHint: "name=url|command",
        description: "Where to ask for an import, if not where it came from; may be repeated",
      },
      "token-env": {
        type: "string",
        valueHint: "name=variable",
        description: "Variable with the bearer token for the source of an import; may be repeated",
      },
      header: {
        type: "string",
        valueHint: "name=header=variable",
        description: "Another header for the source of an import; may be repeated",
      },
      "run-commands": { type: "boolean", description: "Start the commands that upstreams name" },
      guarded: {
        type: "boolean",
        description: "Ask by https alone, without redirects, at no private address but those of CAIRN_EGRESS_MAP",
      },
      timeout: { type: "string", valueHint: "seconds", description: "How long one source may take (default: 60)" },
    },
    async run({ args, rawArgs }) {
      if (args.saved !== undefined && !args.propose)
        throw new CairnError("BAD_REQUEST", "`--saved` is for `--propose`.");
      if (args.write && args.propose)
        throw new CairnError("BAD_REQUEST", "`--write` changes this checkout, `--propose` the repository: use one.");
      const all = await listImports(context.folder);
      const known = choose(all, args.name);
      const options = { takesNew: args.new === true, isCommitted: args.propose === true || args.save !== undefined };
      const sources = new Map<KnownImport, LoadedSource>();
      const states = await withFetcher(context, args.guarded === true, (fetcher) => {
        const runsCommands = args["run-commands"] === true;
        const ask = readAsk(rawArgs, all, { runsCommands, fetcher, timeout: args.timeout });
        if (args.saved !== undefined) return measureSaved(context, args.saved, known);
        return checkImports(context, known, options, async (one) => {
          const source = await loadSource(context, one, ask);
          sources.set(one, source);
          return source;
        });
      });
      if (args.save !== undefined)
        await saveStates(resolve(context.folder, args.save), await readHead(context), states);
      const isWritten = args.write === true && (await write(context, states, sources, options));
      const proposed = args.propose ? await proposeDrifts(context, states) : [];
      print(context, args.json === true, states, proposed);
      const isFailed = states.some(({ state }) => state === "failed") || proposed.some((one) => "reason" in one);
      if (isFailed || (args.write === true && !isWritten)) return EXIT.FAILED;
      const isDone = args.write === true || args.propose === true;
      return !isDone && states.some(({ state }) => state === "drifted") ? EXIT.DRIFTED : EXIT.OK;
    },
  });

function choose(known: readonly KnownImport[], name: string | undefined): readonly KnownImport[] {
  const chosen = name === undefined ? known : known.filter((one) => one.name === name);
  if (chosen.length > 0 || name === undefined) return chosen;
  const names = known.map((one) => one.name).join(", ") || "none";
  throw new CairnError("BAD_REQUEST", `There is no import \`${name.slice(0, 100)}\` here; there are ${names}.`);
}

/** Checks imports one after the other. */
async function checkImports(
  context: CommandContext,
  known: readonly KnownImport[],
  options: CheckOptions,
  load: (one: KnownImport) => Promise<LoadedSource>,
): Promise<readonly DriftState[]> {
  const states: DriftState[] = [];
  for (const one of known) states.push(await checkImport(context, one, () => load(one), options));
  return states;
}

/** Does work with the way out that tools of a service have, or with none where nothing is guarded. @throws BAD_REQUEST */
async function withFetcher<Result>(
  { environment }: CommandContext,
  isGuarded: boolean,
  work: (fetcher: Fetcher | undefined) => Promise<Result>,
): Promise<Result> {
  if (!isGuarded) return work(undefined);
  const pairs = (environment["CAIRN_EGRESS_MAP"] ?? "").split(",").map((pair) => pair.trim());
  const egressMap = readEgressMap(pairs.filter(Boolean), (expected) => {
    throw new CairnError("BAD_REQUEST", `CAIRN_EGRESS_MAP is wrong: ${expected}.`);
  });
  const fetcher = openFetcher({ egressMap });
  try {
    return await work(fetcher);
  } finally {
    await fetcher.close();
  }
}

/** Reads options of single imports. @throws BAD_REQUEST for an import that is not there: a credential would silently go nowhere */
function readAsk(
  rawArgs: readonly string[],
  known: readonly KnownImport[],
  rest: Pick<AskOptions, "runsCommands" | "fetcher" | "timeout">,
): AskOptions {
  const read = (option: string) =>
    readRepeated(rawArgs, option).map((text): readonly [string, string] => {
      const at = text.indexOf("=");
      const name = text.slice(0, Math.max(at, 0));
      if (known.some((one) => one.name === name)) return [name, text.slice(at + 1)];
      throw new CairnError("BAD_REQUEST", `\`--${option}\` begins with the name of an import and \`=\`.`);
    });
  const headers = Map.groupBy(read("header"), ([name]) => name);
  return {
    at: new Map(read("at")),
    tokens: new Map(read("token-env")),
    headers: new Map([...headers].map(([name, all]) => [name, all.map(([, header]) => header)])),
    ...rest,
  };
}

/** Imports again what has changed, and raises the versions. Returns false where something is left to be done by a person. */
async function write(
  context: CommandContext,
  states: readonly DriftState[],
  sources: ReadonlyMap<KnownImport, LoadedSource>,
  options: { readonly takesNew: boolean },
): Promise<boolean> {
  const stale = states.filter((one) => one.state === "drifted" || (one.state === "failed" && one.conflicts));
  if (stale.length === 0) return true;
  const quiet = { ...context, out: () => undefined, err: () => undefined, isTerminal: false };
  let isWhole = true;
  for (const [{ kind, name }, source] of sources) {
    if (!stale.some((one) => one.kind === kind && one.name === name)) continue;
    const { conflicts, problems } = await renewImport(quiet, name, source, options);
    isWhole &&= conflicts.length + problems.length === 0;
  }
  if (!isWhole) return false;
  const say = { ...context, out: context.err };
  return (await context.runCommand(["bump", "--tools"], say)) === EXIT.OK;
}

function print(
  { out, err }: CommandContext,
  isJson: boolean,
  states: readonly DriftState[],
  proposed: readonly Proposed[],
): void {
  if (isJson) return out(JSON.stringify({ imports: states.map((one) => toJson(one, proposed)) }, undefined, 2));
  if (states.length === 0) out("There are no imports here; `cairn import` makes some.");
  for (const one of states) for (const line of showState(one)) (one.state === "failed" ? err : out)(line);
  for (const one of proposed) {
    if (one.settled === undefined) err(`${one.name}: not proposed: ${printableLines(one.reason)}`);
    else for (const line of showSettled(one.name, one.settled)) out(line);
  }
}

/** Writes a state for programs: with the paths of files, and without their texts. */
function toJson(one: DriftState, proposed: readonly Proposed[]) {
  const {
    kind: _own,
    settled,
    ...failure
  } = proposed.find(({ kind, name }) => kind === one.kind && name === one.name) ?? { settled: undefined };
  const { change, outcome } = settled ?? {};
  const reason = "reason" in failure ? failure.reason : undefined;
  const said = outcome ?? (reason === undefined ? undefined : "failed");
  const { url, branch } = change ?? {};
  const end = defined({ proposal: said === undefined ? undefined : defined({ outcome: said, reason, url, branch }) });
  if (one.state !== "drifted") return { ...one, ...end };
  const { drift, ...about } = one;
  const { files, diff: _diff, kind: _kind, name: _name, from: _from, ...rest } = drift;
  return { ...about, ...rest, files: [...files.keys()], ...end };
}
