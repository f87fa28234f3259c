import type { Handler } from "../../server/host-api.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

/** As many as fit into an answer. */
const NEWEST = 5_000;
const PAGE = 1_000;

const lineageReplay: Handler = async (_input, ctx) => {
  const head = await ctx.lineage.head();
  const end = head === undefined ? 0 : head.seq + 1;
  const entries: object[] = [];
  for (let from = Math.max(0, end - NEWEST); from < end; from += PAGE) {
    for (const { seq, checksum, at } of await ctx.lineage.read({ from, limit: Math.min(PAGE, end - from) })) {
      entries.push({ seq, checksum, timestamp: toTimestamp(at) });
    }
  }
  return ctx.reply({ entries }, [{ type: "text", text: JSON.stringify(entries) }]);
};

export default lineageReplay;
