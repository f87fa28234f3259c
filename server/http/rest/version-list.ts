import type { Tests } from "../../examples/test-reports.ts";
import type { Problem } from "../../versions/problem.ts";
import type { Described } from "../../versions/registry/resolve/describe.ts";
import type { InstallLinks } from "../install/install-links.ts";
import { listAccepted } from "../../versions/list-accepted.ts";
import type { Tool } from "../../versions/version.ts";
import type { VersionRecord } from "../../versions/record.ts";
import type { VersionPage, VersionQuery } from "../../versions/registry/resolve/version-list.ts";
import { showDeprecation } from "../../versions/retirement/deprecation.ts";
import { defined } from "../../json/defined.ts";
import { assertParameters, readFlagParameter, readIntegerParameter, readTimeParameter } from "./query-parameters.ts";

/** Says whether the service of a version has ended. */
type IsOver = (record: VersionRecord) => boolean;
/** Test results by commit. */
type TestsByCommit = ReadonlyMap<string, Tests>;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

/** Reads the query of `GET /versions`, or refuses it with the name of the parameter that is wrong. */
export function readVersionQuery(search: URLSearchParams): VersionQuery {
  assertParameters(search, ["limit", "offset", "include_unstable", "since"]);
  return {
    limit: readIntegerParameter(search, "limit", DEFAULT_LIMIT, [0, MAX_LIMIT]),
    offset: readIntegerParameter(search, "offset", 0, [0, Number.MAX_SAFE_INTEGER]),
    includeUnstable: readFlagParameter(search, "include_unstable"),
    ...defined({ since: readTimeParameter(search, "since") }),
  };
}

/** The listing as its schema has it; `base` is the service's own address, for absolute links. */
export function toListing(
  page: VersionPage,
  { limit, offset }: VersionQuery,
  base: string,
  tests: TestsByCommit,
  isOver: IsOver,
) {
  return {
    versions: page.versions.map((record) => toDescriptor(record, base, tests, isOver)),
    pagination: { limit, offset, total_estimate: page.total },
  };
}

/** One version with everything that the listing's closed schema has no room for, and those tools that `mayUse` lets through. */
export function toDetail(
  { record, version, parent }: Described,
  base: string,
  mayUse: (tool: Tool) => boolean,
  problems: readonly Problem[],
  tests: TestsByCommit,
  links: ReadonlyMap<string, InstallLinks>,
  isOver: IsOver,
) {
  const history = version?.history.versions.get(version.semver);
  return {
    ...toDescriptor(record, base, tests, isOver),
    ...toStanding(record, isOver),
    parent: parent ?? null,
    changes: history?.changes ?? [],
    accepts: version === undefined ? [] : listAccepted(version, mayUse),
    ...(version === undefined
      ? {}
      : {
          fingerprint: version.fingerprint(),
          agent: version.agent.name,
          host_api: version.agent.hostApi,
          openapi: `${addressOf(record)}/openapi.json`,
          servers: [...version.servers.values()].map(({ name, description, tools }) => ({
            name,
            description,
            ...(record.servers.includes(name) ? { mcp_endpoint: `${addressOf(record)}/${name}` } : {}),
            ...defined({ install: links.get(name) }),
            tools: tools.filter(mayUse).map((tool) => ({ name: tool.name, version: tool.version })),
          })),
        }),
    problems,
    alarms: record.alarms,
  };
}

/** One version of the graph. */
export function toNode(
  record: VersionRecord,
  base: string,
  problems: readonly Problem[],
  tests: TestsByCommit,
  isOver: IsOver,
) {
  return {
    ...toDescriptor(record, base, tests, isOver),
    ...toStanding(record, isOver),
    parent: record.parent ?? null,
    labels: record.labels,
    ...defined({ pull_request: record.pullRequest }),
    problems,
    alarms: record.alarms,
  };
}

function toStanding(record: VersionRecord, isOver: IsOver) {
  return {
    semver: record.semver ?? null,
    ...defined({ build: record.build, tag: record.tag }),
    state: record.state,
    ...(record.deprecated && { deprecated: { ...showDeprecation(record.deprecated), retired: isOver(record) } }),
    claim: record.claim,
  };
}

function toDescriptor(record: VersionRecord, base: string, tests: TestsByCommit, isOver: IsOver) {
  const address = addressOf(record);
  const has = (server: string) => record.servers.includes(server);
  return {
    version: record.semver?.replace(/-.*$/, "") ?? "0.0.0",
    commit_hash: record.commit,
    created_at: record.createdAt,
    changelog_uri: `${base}/versions/${record.commit}/changelog`,
    tests: toTests(record, base, tests.get(record.commit)),
    tags: [...toTags(record), ...(record.deprecated ? [isOver(record) ? "retired" : "deprecated"] : [])],
    ...(has("runner") ? { runner: { mcp_endpoint: `${address}/runner` } } : {}),
    ...(has("tuner") ? { tuner: { mcp_endpoint: `${address}/tuner` } } : {}),
    ...(record.state === "served" ? { architect: { rest_endpoint: `${address}/architect/chat` } } : {}),
  };
}

/** Reports the tests of a version. A quarantined version has failed already, with any examples. */
function toTests({ commit, state }: VersionRecord, base: string, tests: Tests | undefined) {
  const uri = `${base}/versions/${commit}`;
  if (state === "quarantined" || tests === undefined) {
    return { status: state === "quarantined" ? "fail" : "unknown", summary_uri: uri };
  }
  const { status, lastRun, summaryUri = `${uri}/tests` } = tests;
  return { status, last_run: lastRun, summary_uri: summaryUri };
}

/** The address to pin: the version's own name where it is one, else the commit. */
export function addressOf({ tag, commit }: VersionRecord): string {
  return `/agent/${tag === undefined ? commit : encodeURI(tag.slice(1))}`;
}

function toTags(record: VersionRecord): string[] {
  return [
    ...record.labels,
    ...(record.build === undefined ? [] : [record.build]),
    ...(record.prerelease ? ["pre-release"] : []),
    ...(record.claim === "unproven" && record.state === "served" ? ["unproven"] : []),
    ...(record.acceptsBreaks === true ? ["accepts-breaks"] : []),
    ...(record.pullRequest === undefined ? [] : [`pull-request-${record.pullRequest}`]),
    ...(record.state === "served" || record.state === "unverified" ? [] : [record.state]),
    ...record.alarms.map(({ kind }) => kind),
  ];
}
