import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly name: string;
  readonly content: string;
}

const artifactWrite: Handler<Input> = async ({ run_id, name, content }, ctx) => {
  const { path, digest } = await ctx.work.evidence.write(run_id, name, content);
  return { run_id, artifact_name: name, artifact_path: path, status: "written", digest };
};

export default artifactWrite;
