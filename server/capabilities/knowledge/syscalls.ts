import { CairnError } from "../../errors.ts";
import { describeChain } from "./describe-impact.ts";
import { gatherContext } from "./gather-context.ts";
import { defined } from "../../json/defined.ts";
import type { SearchOptions } from "./create-text-index.ts";
import { type Found, findPassages } from "./meaning/find-passages.ts";
import type { Knowledge } from "./open-knowledge.ts";
import type { Version } from "../../versions/version.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls, toJson } from "../../kernel/dispatch.ts";

export interface RepositorySyscallOptions {
  /** Absent where there is no repository. */
  readonly knowledge?: (version: Version) => Promise<Knowledge>;
}

const NAMES = { type: "array", maxItems: 200, items: { type: "string", minLength: 1, maxLength: 1024 } };
const LIMIT = { type: "integer", minimum: 1, maximum: 100 };
const FOUND = 10;
const FIXED = "Searched by words alone, because the tool is deterministic.";

const impactArguments = createMemberCheck<{ targets: readonly string[] }>("repository.impact", ["targets"], {
  targets: { ...NAMES, minItems: 1 },
});
const searchArguments = createMemberCheck<{ query: string; limit?: number; under?: string }>(
  "repository.search",
  ["query"],
  { query: { type: "string", minLength: 1, maxLength: 10_000 }, limit: LIMIT, under: { type: "string" } },
);
const contextArguments = createMemberCheck<{ objective: string; files?: readonly string[]; limit?: number }>(
  "repository.context",
  ["objective"],
  { objective: { type: "string", maxLength: 100_000 }, files: NAMES, limit: LIMIT },
);

/** `ctx.repository`: what is known of the commit that the version is, also of files that are no part of the version. */
export function createRepositorySyscalls({ knowledge }: RepositorySyscallOptions) {
  const know = async ({ version }: RunningCall): Promise<Knowledge> => {
    if (knowledge === undefined) throw new CairnError("UNAVAILABLE", "There is no repository to look into here.");
    return knowledge(version);
  };
  const find = async (call: RunningCall, query: string, options: SearchOptions): Promise<Found> => {
    const { index, meaning } = await know(call);
    // What a model answers may be another thing tomorrow.
    if (call.tool.deterministic) return { by: "words", note: FIXED, passages: index.search(query, options) };
    return findPassages(index, meaning, query, options);
  };
  return defineSyscalls({
    async "repository.impact"(call, args) {
      const { targets } = impactArguments(args);
      const { graph } = await know(call);
      const { affected, total, sentence } = graph.impactOf(targets);
      const told = affected.map(({ node: { id, file, line }, distance, chain }) => ({
        id,
        file,
        line,
        distance,
        reason: describeChain(chain),
      }));
      return toJson({ affected: told, total, sentences: [sentence] });
    },
    async "repository.search"(call, args) {
      const { query, limit = FOUND, under } = searchArguments(args);
      const { index } = await know(call);
      return toJson(index.search(query, { limit, ...(under === undefined ? {} : { under }) }));
    },
    async "repository.find"(call, args) {
      const { query, limit = FOUND, under } = searchArguments(args);
      return toJson(await find(call, query, { limit, ...defined({ under }) }));
    },
    async "repository.context"(call, args) {
      const { limit = FOUND, ...request } = contextArguments(args);
      const { graph, index } = await know(call);
      const { passages: found, by } = await find(call, request.objective, { limit });
      return toJson({ ...gatherContext({ ...request, graph, index, found, limit }), searched_by: by });
    },
  });
}
