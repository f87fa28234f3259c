import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly query: string;
  readonly limit: number;
  readonly under?: string;
}

const repositorySearch: Handler<Input> = async ({ query, limit, under }, ctx) =>
  ctx.repository.find(query, { limit, ...(under === undefined ? {} : { under }) });

export default repositorySearch;
