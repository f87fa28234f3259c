import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly patch: string;
}

const fsApplyPatch: Handler<Input> = async ({ run_id, patch }, ctx) => ctx.fs.applyPatch(run_id, patch);

export default fsApplyPatch;
