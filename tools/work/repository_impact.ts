import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly targets: readonly string[];
}

const repositoryImpact: Handler<Input> = async ({ targets }, ctx) => ctx.repository.impact(targets);

export default repositoryImpact;
