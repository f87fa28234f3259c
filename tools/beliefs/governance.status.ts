import type { Handler } from "../../server/host-api.ts";
import { checkLineage } from "../_lib/beliefs/check-lineage.ts";
import { DRIFT_EPSILON } from "../_lib/beliefs/ethical-vector.ts";
import { loadHead } from "../_lib/beliefs/graph-state.ts";
import { judge } from "../_lib/beliefs/judge.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

const governanceStatus: Handler = async (_input, ctx) => {
  const isValid = await checkLineage(ctx);
  const { drift, coherent } = judge(await loadHead(ctx.state));
  return {
    checksum_valid: isValid,
    drift,
    esv_valid: drift <= DRIFT_EPSILON,
    coherent: coherent && isValid,
    timestamp: toTimestamp(ctx.now()),
  };
};

export default governanceStatus;
