import { loadAuditedTenants } from "../../kernel/audit/audited-tenants.ts";
import { openTrial } from "../../examples/open-trial.ts";
import { keepReplays, type KeptReplay } from "../../examples/keep-replays.ts";
import { countDifferences, createReplay, type Recorded, type Replayed } from "../../examples/replay.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import { bodiesOf } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { Version } from "../../versions/version.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { toVersion } from "./compare-targets.ts";
import { EXIT } from "../exit-codes.ts";
import { findServedCommit } from "./find-served-commit.ts";
import { NO_COMMIT, openTarget } from "./open-target.ts";
import { createProgress } from "../progress.ts";
import { readTime } from "../read-time.ts";
import { EGRESS_MAP_OPTION, toEgressMap } from "./test-version.ts";
import { readBodyRecord } from "../../kernel/stages/body.ts";

const DAY = 86_400_000;

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
      json: { type: "boolean", description: "Print each call as a line of JSON instead of the report" },
      ...EGRESS_MAP_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out } = context;
      const config = loadAuditConfig(environment, args.data);
      const since = args.since === undefined ? 0 : readTime("since", args.since);
      const egressMap = toEgressMap(args["egress-map"]);
      const commit = await findServedCommit(context, config.data, args.from);
      const candidate = await loadVersion(context, args.candidate);
      const from = await loadVersion({ ...context, folder: toDataPaths(config.data).mirror }, commit);
      const trial = await openTrial({ egressMap, now: Date.now });
      const progress = createProgress(context);
      try {
        const replay = createReplay(from, candidate, trial);
        const replayed: Replayed[] = [];
        await withStore({ context, command: "replay", data: config.data }, async (store) => {
          for (const tenant of await loadAuditedTenants(store)) {
            const kept: KeptReplay[] = [];
            for await (const recorded of scanBodies(store, tenant, commit)) {
              if (recorded.at < since || (args.tool !== undefined && recorded.tool !== args.tool)) continue;
              const result = await replay(recorded);
              replayed.push(result);
              progress(`${replayed.length} calls replayed`);
              kept.push(toKept(from, recorded, result, config.recordDays));
              if (args.json === true) {
                const { isLate: _isLate, ...told } = result;
                out(JSON.stringify({ schemaVersion: 1, from: commit, candidate: candidate.commit, ...told }));
              }
            }
            // A folder is no version that anyone could ask.
            if (candidate.commit === NO_COMMIT) continue;
            await keepReplays(
              store,
              tenant,
              candidate.commit,
              kept.filter(({ ttl }) => ttl > 0),
            );
          }
        });
        if (args.json !== true) for (const line of toReport(replayed)) out(line);
        return replayed.some(({ outcome }) => outcome === "different") ? EXIT.FAILED : EXIT.OK;
      } finally {
        await trial.close();
      }
    },
  });

async function loadVersion(context: CliContext, target: string): Promise<Version> {
  const opened = await openTarget(context, target);
  opened.close();
  return toVersion(opened, target);
}

async function* scanBodies(store: Store, tenant: string, commit: string): AsyncGenerator<Recorded> {
  for await (const { key, value } of store.scan({ prefix: bodiesOf(tenant, commit) })) {
    yield { ...readBodyRecord(value), id: String(key.at(-1)) };
  }
}

/** Not for longer than the body of the call, whose values are in the reasons. */
function toKept(from: Version, { at, id }: Recorded, { tool, outcome, reasons }: Replayed, days: number): KeptReplay {
  const capabilities = [...(from.tools.get(tool)?.requiredCapabilities ?? [])];
  const now = Date.now();
  const record = { schemaVersion: 1, tool, outcome, reasons, capabilities, at: now } as const;
  return { from: from.commit, id, record, ttl: at + days * DAY - now };
}

function toReport(replayed: readonly Replayed[]): readonly string[] {
  const count = (wanted: Replayed["outcome"]) => replayed.filter(({ outcome }) => outcome === wanted).length;
  const skipped = Map.groupBy(
    replayed.filter(({ outcome }) => outcome === "skipped"),
    ({ tool, reasons }) => `${tool}: ${reasons.join("; ")}`,
  );
  return [
    ...countDifferences(replayed).map(({ tool, what, count: times }) => `different  ${times} x  ${tool}: ${what}`),
    ...[...skipped].map(([what, calls]) => `skipped    ${calls.length} x  ${what}`),
    `${replayed.length} calls: ${count("same")} same, ${count("different")} different, ${count("skipped")} skipped`,
  ];
}
