import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly path: string;
}

const fsRead: Handler<Input> = async ({ run_id, path }, ctx) => ({ path, ...(await ctx.fs.read(run_id, path)) });

export default fsRead;
