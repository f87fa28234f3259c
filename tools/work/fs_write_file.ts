import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly path: string;
  readonly content: string;
}

const fsWriteFile: Handler<Input> = async ({ run_id, path, content }, ctx) => ctx.fs.writeFile(run_id, path, content);

export default fsWriteFile;
