import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly stdin?: string;
  readonly timeout: number;
}

const execRun: Handler<Input> = async ({ run_id, command, cwd, stdin, timeout }, ctx) =>
  ctx.exec.run(run_id, command, {
    timeout,
    ...(cwd === undefined ? {} : { cwd }),
    ...(stdin === undefined ? {} : { stdin }),
  });

export default execRun;
