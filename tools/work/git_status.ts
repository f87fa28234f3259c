import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
}

const gitStatus: Handler<Input> = async ({ run_id }, ctx) => ({ files: await ctx.git.status(run_id) });

export default gitStatus;
