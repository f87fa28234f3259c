import { readReplayRecord, type ReplayRecord } from "../examples/keep-replays.ts";
import { holdsAll } from "../principal.ts";
import { replaysOf } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { toTime } from "../text/to-time.ts";
import { mayUse, type ResourceRequest } from "./provider.ts";

/** One line of `eval://micro_results.jsonl`: how a recorded call of another version came out with this one. */
export interface ReplayLine extends Pick<ReplayRecord, "tool" | "outcome" | "reasons"> {
  readonly kind: "replayed";
  readonly seq: number;
  /** The call that was recorded, and the commit that it was a call of. */
  readonly call_id: string;
  readonly from: string;
  readonly at: string;
}

/** Reads the results of replays with this version, of tools that the reader may use: by time, and numbered from 0. */
export async function readReplays(
  store: Pick<Store, "scan">,
  request: Pick<ResourceRequest, "version" | "principal">,
): Promise<readonly ReplayLine[]> {
  const { version, principal } = request;
  const found: (ReplayRecord & { readonly from: string; readonly id: string })[] = [];
  for await (const { key, value } of store.scan({ prefix: replaysOf(principal.tenant, version.commit) })) {
    const record = readReplayRecord(value);
    const isVisible = version.tools.has(record.tool)
      ? mayUse(request, record.tool)
      : holdsAll(principal, record.capabilities);
    if (isVisible) found.push({ ...record, from: String(key.at(-2)), id: String(key.at(-1)) });
  }
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ from, id, tool, outcome, reasons, at }, seq) => {
      return { kind: "replayed", seq, call_id: id, from, tool, outcome, reasons, at: toTime(at) };
    });
}
