import { loadAuditedTenants } from "../../kernel/audit/audited-tenants.ts";
import { openTrial } from "../../examples/open-trial.ts";
import { keepReplays, type KeptReplay } from "../../examples/keep-replays.ts";
import { createReplay, replayCalls, type Replayed } from "../../examples/replay.ts";
import { chooseCalls, readPages, type Recorded } from "../../examples/recorded-calls.ts";
import { type Cause, createTally, type Tally } from "../../examples/tally-replays.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import type { Store } from "../../store/store.ts";
import type { Version } from "../../versions/version.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { toVersion } from "./compare-targets.ts";
import { EXIT } from "../exit-codes.ts";
import { findServedCommit } from "./find-served-commit.ts";
import { NO_COMMIT, openTarget } from "./open-target.ts";
import { createProgress } from "../progress.ts";
import { readNumber } from "../read-number.ts";
import { readTime } from "../read-time.ts";
import { DAY_MS } from "../../text/duration.ts";

/** Calls that one replay can be told to take at most. */
const MAX_CALLS = 1_000_000;

/** `cairn replay <candidate> --from <version>`: whether a version answers what another was asked as that did. */
export const createReplayCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "replay", description: "Run recorded calls of a version with another one, and say what differs" },
    args: {
      candidate: {
        type: "positional",
        required: true,
        valueHint: "ref|dir",
        description: "What to try: a folder, or a tag, branch or commit of the repository here",
      },
      from: { type: "string", required: true, valueHint: "version", description: "Whose calls: a version or a commit" },
      since: { type: "string", valueHint: "time", description: "RFC 3339: calls before it are left out" },
      tool: { type: "string", description: "Only calls of this tool, by its full name" },
      limit: { type: "string", valueHint: "count", description: "Only so many of the newest calls" },
      sample: { type: "string", valueHint: "count", description: "Only so many calls, chosen by chance" },
      seed: { type: "string", default: "0", description: "Of the sample: the same seed chooses the same calls" },
      json: { type: "boolean", description: "Print each call, each cause and the counts as lines of JSON" },
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out } = context;
      const config = loadAuditConfig(environment, args.data);
      const since = args.since === undefined ? 0 : readTime("since", args.since);
      const selection = {
        isWanted: ({ at, tool }: Recorded) => at >= since && (args.tool === undefined || tool === args.tool),
        ...toCount("limit", args.limit),
        ...toCount("sample", args.sample),
        seed: args.seed,
      };
      const commit = await findServedCommit(context, config.data, args.from);
      const candidate = await loadVersion(context, args.candidate);
      const from = await loadVersion({ ...context, folder: toDataPaths(config.data).mirror }, commit);
      const trial = await openTrial({ egressMap: new Map(), now: Date.now });
      const progress = createProgress(context);
      const tally = createTally();
      const about = { schemaVersion: 1, from: commit, candidate: candidate.commit };
      const tell = (line: object) => args.json === true && out(JSON.stringify({ ...about, ...line }));
      const replay = createReplay(from, candidate, trial);
      const replayPage = async (store: Store, tenant: string, page: readonly Recorded[]) => {
        const results = await replayCalls(replay, page, tenant);
        for (const [, { isLate: _late, ends: _ends, ...result }] of results) tell({ kind: "call", ...result });
        for (const [, result] of results) tally.add(result);
        // A folder is no version that anyone could ask.
        if (candidate.commit === NO_COMMIT) return;
        const kept = results.map(([recorded, result]) => toKept(from, recorded, result, config.recordDays));
        const lasting = kept.filter(({ ttl }) => ttl > 0);
        await keepReplays(store, tenant, candidate.commit, lasting);
      };
      try {
        await withStore({ context, command: "replay", data: config.data }, async (store) => {
          const tenants = await loadAuditedTenants(store);
          const isChosen = selection.limit !== undefined || selection.sample !== undefined;
          const chosen = isChosen ? await chooseCalls(store, tenants, commit, selection) : undefined;
          const isWanted = (call: Recorded) => chosen?.has(call.id) ?? selection.isWanted(call);
          let done = 0;
          for (const tenant of tenants) {
            for await (const page of readPages(store, tenant, commit)) {
              const wanted = page.filter(isWanted);
              await replayPage(store, tenant, wanted);
              done += wanted.length;
              progress(`${done} calls replayed${chosen === undefined ? "" : ` of ${chosen.size}`}`);
            }
          }
        });
      } finally {
        await trial.close();
      }
      const counts = tally.counts();
      for (const cause of tally.causes()) tell({ kind: "cause", ...cause });
      tell({ kind: "summary", ...counts });
      if (args.json !== true) for (const line of toReplayReport(tally)) out(line);
      if (counts.different > 0) return EXIT.FAILED;
      return counts.same > 0 ? EXIT.OK : EXIT.UNCOMPARED;
    },
  });

function toCount<Name extends "limit" | "sample">(name: Name, text: string | undefined): { [Key in Name]?: number } {
  if (text === undefined) return {};
  const count = readNumber(name, text, { otherwise: 0, min: 1, max: MAX_CALLS, isWhole: true });
  return { [name]: count } as { [Key in Name]?: number };
}

async function loadVersion(context: CliContext, target: string): Promise<Version> {
  const opened = await openTarget(context, target);
  opened.close();
  return toVersion(opened, target);
}

/** Not for longer than the body of the call, whose values are in the reasons. */
function toKept(from: Version, { at, id }: Recorded, { tool, outcome, reasons }: Replayed, days: number): KeptReplay {
  const own = from.tools.get(tool);
  const capabilities = [...(own?.requiredCapabilities ?? [])];
  const now = Date.now();
  const record = { schemaVersion: 1, tool, outcome, reasons, capabilities, at: now } as const;
  return { from: from.commit, id, record, ttl: at + Math.min(days, own?.recordDays ?? days) * DAY_MS - now };
}

/** Characters of a value that are shown. */
const MAX_SHOWN = 300;

const WORDS = { different: "different", not_compared: "not compared" } as const;

/** The report of a replay for people: each cause with an example, then the counts. */
function toReplayReport({ causes, counts }: Tally): readonly string[] {
  const { same, different, not_compared: rest } = counts();
  const total = same + different + rest;
  return [...causes().flatMap(toLines), `${total} calls: ${same} same, ${different} different, ${rest} not compared`];
}

function toLines({ tool, outcome, cause, count, example }: Cause): readonly string[] {
  const head = `${WORDS[outcome]}  ${count} x  ${tool}: ${cause}`;
  if (outcome === "not_compared") return [head];
  const { id, reason, input, before, now } = example;
  const shown = (name: string, value: unknown) => (value === undefined ? [] : [`    ${name}  ${shorten(value)}`]);
  return [
    head,
    `    call ${id}${reason === cause ? "" : `: ${reason}`}`,
    ...shown("input ", input),
    ...shown("before", before),
    ...shown("now   ", now),
  ];
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}...`;
}
