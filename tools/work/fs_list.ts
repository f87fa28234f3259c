import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly path?: string;
}

const fsList: Handler<Input> = async ({ run_id, path }, ctx) => ({ entries: await ctx.fs.list(run_id, path) });

export default fsList;
