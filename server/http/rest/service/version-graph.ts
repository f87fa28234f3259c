import type { H3Event } from "h3";
import type { Caller } from "../../../auth/caller.ts";
import type { Tests } from "../../../examples/test-reports.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import { defined } from "../../../json/defined.ts";
import { toJsonDocument } from "../../document.ts";
import { type Reply, toChecked } from "../../reply.ts";
import {
  assertParameters,
  CURSOR,
  readCursor,
  readFlagParameter,
  readIntegerParameter,
  toCursor,
} from "../query-parameters.ts";
import type { TellProblems } from "../told-problems.ts";
import { toNode } from "../version-list.ts";
import { CURSOR_PARAMETER, type Operation, toLimitParameter } from "./operation.ts";

export interface VersionGraphOptions {
  readonly registry: Pick<Registry, "list" | "retirements">;
  readonly loadTests: (commits: readonly string[]) => Promise<ReadonlyMap<string, Tests>>;
  readonly tellProblems: TellProblems;
  readonly baseOf: (event: H3Event) => string;
  /** The scope that lists of versions need, or the mark of visitors. */
  readonly access: string | symbol;
}

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1000;

/** Creates what shows versions and heads of pull requests with their parents, and why some are not served. */
export function createVersionGraphOperation(options: VersionGraphOptions): Operation {
  const { registry, loadTests, tellProblems, baseOf, access } = options;
  return {
    path: "/version-graph",
    id: "get_version_graph",
    summary: "Versions and heads of pull requests, each with its parent, labels, tests, and problems with their fixes",
    access,
    query: {
      pull_requests: {
        description: "Heads of pull requests, and nothing else",
        schema: { type: "boolean", default: false },
      },
      limit: toLimitParameter(DEFAULT_LIMIT, MAX_LIMIT),
      cursor: CURSOR_PARAMETER,
    },
    schema: "version-graph",
    async answer(event, caller: Caller): Promise<Reply> {
      const search = event.url.searchParams;
      assertParameters(search, ["pull_requests", "limit", CURSOR]);
      const onlyPullRequests = readFlagParameter(search, "pull_requests");
      const limit = readIntegerParameter(search, "limit", DEFAULT_LIMIT, [1, MAX_LIMIT]);
      const offset = Number(readCursor(search, /^\d{1,9}$/) ?? 0);
      const { versions, total } = await registry.list({ limit, offset, includeUnstable: true, onlyPullRequests });
      const tests = await loadTests(versions.map(({ commit }) => commit));
      const told = await Promise.all(versions.map((record) => tellProblems({ record }, caller)));
      const nodes = versions.map((record, at) =>
        toNode(record, baseOf(event), told[at]?.problems ?? [], tests, registry.retirements.isOver),
      );
      const end = offset + versions.length;
      const next = end < total && versions.length > 0 ? toCursor(String(end)) : undefined;
      return toChecked(
        toJsonDocument({ versions: nodes, total, ...defined({ next }) }),
        told.some(({ isOwn }) => isOwn),
      );
    },
  };
}
