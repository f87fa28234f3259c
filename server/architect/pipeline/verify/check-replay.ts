import type { Difference } from "../../../semver/compare-versions.ts";
import { isAtLeast, type Level } from "../../../semver/level.ts";
import type { Recorded } from "../../../examples/recorded-calls.ts";
import { createReplay, type Replayed } from "../../../examples/replay.ts";
import { toPlace } from "../../../examples/tally-replays.ts";
import { readBodyRecord } from "../../../kernel/stages/body.ts";
import { bodiesOf } from "../../../store/keys.ts";
import type { Store } from "../../../store/store.ts";
import { forEachConcurrently } from "../../../versions/registry/for-each-concurrently.ts";
import type { Tool, Version } from "../../../versions/version.ts";
import { failed, type Outcome, passed, skipped } from "./outcome.ts";
import type { SharedTrial } from "./shared-trial.ts";

/** Calls that are made again at most, and that are looked at to find them. */
const MAX_CALLS = 200;
const MAX_SCANNED = 2_000;
/** Milliseconds after which no further call is made again. */
const TIME_LIMIT = 1_000;
/** Calls that a limit of time has ended, and that are made once more. */
const MAX_TRIED_AGAIN = 20;
/** Calls that are made side by side. */
const AT_ONCE = 4;

/**
 * Replays the newest recorded calls of a tenant, of tools that are gone or whose answers may have changed. Every
 * difference is reported; it is a failure only where the number of the tool promises unchanged behaviour.
 */
export async function checkReplay(options: {
  readonly store: Pick<Store, "scan">;
  readonly tenant: string;
  readonly before: Version;
  readonly after: Version;
  readonly difference: Pick<Difference, "claims">;
  readonly tools: readonly Tool[];
  readonly trial: SharedTrial;
  readonly signal: AbortSignal;
}): Promise<Outcome> {
  const { store, tenant, before, after, difference, trial, signal } = options;
  const affected = new Set(options.tools.map(({ name }) => name));
  const recorded = await findRecorded(
    store,
    tenant,
    before.commit,
    (tool) => affected.has(tool) || !after.tools.has(tool),
  );
  if (recorded.length === 0)
    return skipped(`No calls of ${before.semver} are recorded of tools that may answer otherwise.`);
  const first = await trial.use(async (own) => {
    const replay = createReplay(before, after, own);
    const began = performance.now();
    const results = new Map<Recorded, Replayed>();
    await forEachConcurrently(recorded, AT_ONCE, async (call) => {
      signal.throwIfAborted();
      if (performance.now() - began < TIME_LIMIT) results.set(call, await replay(call, tenant));
    });
    return recorded.flatMap((call) => results.get(call) ?? []);
  });
  const replayed = await tryAgain(options, recorded, first);
  const promised = replayed.filter(({ tool }) => !isAtLeast(toLevel(tool), "minor"));
  const intended = replayed.filter(({ tool }) => isAtLeast(toLevel(tool), "minor"));
  const count = (which: Replayed["outcome"]) => replayed.filter(({ outcome }) => outcome === which).length;
  const late = replayed.length < recorded.length ? `, and time for no more of ${recorded.length}` : "";
  const lines = [
    `${replayed.length} recorded calls${late}: ${count("same")} same, ${count("different")} different, ${count("not_compared")} not compared.`,
    ...toLines(promised, after, "its version promises the same"),
    ...toLines(intended, after, "its version says that it changed"),
    ...toUncompared(replayed),
  ];
  if (promised.some(({ outcome }) => outcome === "different")) return failed(...lines);
  // What compared nothing has shown nothing.
  return count("not_compared") === replayed.length ? skipped(...lines) : passed(...lines);

  /** Returns the bump that the number of a tool declares; for a removed tool, that of the tree. */
  function toLevel(name: string): Level {
    const wanted = after.tools.has(name) ? name : undefined;
    return difference.claims.find(({ tool }) => tool === wanted)?.claimed ?? "none";
  }
}

/** Calls that a limit of time has ended, by themselves. */
async function tryAgain(
  { before, after, tenant, trial, signal }: Parameters<typeof checkReplay>[0],
  recorded: readonly Recorded[],
  replayed: readonly Replayed[],
): Promise<readonly Replayed[]> {
  const late = new Set(replayed.filter(({ isLate }) => isLate).slice(0, MAX_TRIED_AGAIN));
  if (late.size === 0) return replayed;
  return trial.useAlone(async (alone) => {
    const replay = createReplay(before, after, alone);
    const results: Replayed[] = [];
    for (const one of replayed) {
      const call = late.has(one) ? recorded.find(({ id }) => id === one.id) : undefined;
      signal.throwIfAborted();
      results.push(call === undefined ? one : await replay(call, tenant));
    }
    return results;
  });
}

async function findRecorded(
  store: Pick<Store, "scan">,
  tenant: string,
  commit: string,
  isWanted: (tool: string) => boolean,
): Promise<readonly Recorded[]> {
  const found: Recorded[] = [];
  for await (const { key, value } of store.scan({
    prefix: bodiesOf(tenant, commit),
    reverse: true,
    limit: MAX_SCANNED,
  })) {
    const body = readBodyRecord(value);
    if (isWanted(body.tool)) found.push({ ...body, id: String(key.at(-1)) });
    if (found.length === MAX_CALLS) break;
  }
  return found;
}

/** Lists differences with their counts, but no values: more people read about a change than may see a tenant's answers. */
function toLines(replayed: readonly Replayed[], after: Version, why: string): readonly string[] {
  const different = replayed.filter(({ outcome }) => outcome === "different");
  const kinds = Map.groupBy(different, ({ tool, differences }) => {
    if (!after.tools.has(tool)) return `${tool} is not there any more`;
    const places = [...new Set(differences.map((one) => toPlace(one, false)))].join(", ");
    return `${tool} answers otherwise at ${places}`;
  });
  return [...kinds].map(([what, calls]) => `${calls.length} x ${what} (${why}), such as call ${calls[0]?.id ?? ""}.`);
}

/** Lists why calls say nothing, with their counts: they count neither for the change nor against it. */
function toUncompared(replayed: readonly Replayed[]): readonly string[] {
  const rest = replayed.filter(({ outcome }) => outcome === "not_compared");
  const kinds = Map.groupBy(rest, ({ tool, reasons }) => `${tool}: ${reasons.join("; ")}`);
  return [...kinds].map(([what, calls]) => `${calls.length} x not compared: ${what}.`);
}
