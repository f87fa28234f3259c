import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly message: string;
  readonly allowed_files: readonly string[];
}

const gitCommit: Handler<Input> = async ({ run_id, message, allowed_files }, ctx) =>
  ctx.git.commit(run_id, { message, allowedFiles: allowed_files });

export default gitCommit;
