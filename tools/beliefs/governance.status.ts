import type { Handler } from "../../server/host-api.ts";
import { auditGraph } from "../_lib/beliefs/audit-graph.ts";
import { checkLineage } from "../_lib/beliefs/check-lineage.ts";
import { DRIFT_EPSILON } from "../_lib/beliefs/ethical-vector.ts";
import { loadHead } from "../_lib/beliefs/graph-state.ts";
import { judge } from "../_lib/beliefs/judge.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

const governanceStatus: Handler = async (_input, ctx) => {
  const isValid = await checkLineage(ctx);
  const head = await loadHead(ctx.state);
  const { drift, isWhole } = await auditGraph(ctx.state, head);
  const isAnchored = drift <= DRIFT_EPSILON;
  return {
    checksum_valid: isValid,
    drift,
    esv_valid: isAnchored,
    coherent: isValid && isAnchored && isWhole && judge(head).coherent,
    timestamp: toTimestamp(ctx.now()),
  };
};

export default governanceStatus;
