import type { Handler } from "../../server/host-api.ts";
import { loadHead } from "../_lib/beliefs/graph-state.ts";
import { judge } from "../_lib/beliefs/judge.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

const governorStatus: Handler = async (_input, ctx) => ({
  ...judge(await loadHead(ctx.state)),
  timestamp: toTimestamp(ctx.now()),
});

export default governorStatus;
