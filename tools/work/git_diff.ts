import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
}

const gitDiff: Handler<Input> = async ({ run_id }, ctx) => ctx.git.diff(run_id);

export default gitDiff;
