import { TESTS_REPORT, VERSIONS_READ, VERSIONS_REFRESH } from "../../auth/scopes.ts";
import type { H3Event } from "h3";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import { type Caller, LOCAL_CALLER } from "../../auth/caller.ts";
import { holdsAll } from "../../principal.ts";
import type { Tool } from "../../versions/version.ts";
import type { Described } from "../../versions/registry/resolve/describe.ts";
import { toChangelog } from "./changelog.ts";
import { part, type Route, VISITORS } from "../create-route.ts";
import { encodeHeader } from "../header-value.ts";
import { toChecked } from "../reply.ts";
import type { RegistryStatus } from "../../versions/registry/registry-types.ts";
import { createDifferences } from "./differences.ts";
import { toJsonDocument } from "../document.ts";
import { createTellProblems } from "./told-problems.ts";
import { createInstallations } from "./installations.ts";
import { byCaller, type VersionDocuments } from "./version-documents.ts";
import { readVersionQuery, toDetail, toListing } from "./version-list.ts";
import { createVersionTests, type VersionTestsOptions } from "./version-tests.ts";
import { defined } from "../../json/defined.ts";

/** Options of the addresses of versions. */
export interface VersionRouteOptions extends VersionTestsOptions {
  /** Says whether anyone may read what versions there are. */
  readonly publicVersions: boolean;
  readonly toPrincipal: ToPrincipal;
  /** Scheme and host that absolute links begin with; absent: those of the request, which a proxy may have changed. */
  readonly publicUrl?: string;
  /** Present where clients get their tokens themselves, from the issuer. */
  readonly oauth?: object;
}

/** Adds what versions there are, and what each is like. */
export function addVersions(route: Route, options: VersionRouteOptions, documents: VersionDocuments): void {
  const { registry, toPrincipal, publicUrl } = options;
  const baseOf = (event: H3Event) => toBase(event, publicUrl);
  const readVersions = options.publicVersions ? VISITORS : VERSIONS_READ;
  const { isOver } = registry.retirements;
  const differences = createDifferences({ registry, toPrincipal });
  const linksOf = createInstallations();
  const tellProblems = createTellProblems(registry, toPrincipal);
  const toMayUse = ({ version }: Described, caller: Caller) => {
    const principal = version && toPrincipal(version, caller);
    return (tool: Tool) => principal !== undefined && holdsAll(principal, tool.requiredCapabilities);
  };
  route("GET", "/versions", readVersions, async (event) => {
    const query = readVersionQuery(event.url.searchParams);
    const page = await registry.list(query);
    const tests = await options.loadTests(page.versions.map(({ commit }) => commit));
    const document = toJsonDocument(toListing(page, query, baseOf(event), tests, isOver));
    return { ...toChecked(document), headers: toLabelHeaders(registry.status()) };
  });
  route("POST", "/versions/refresh", VERSIONS_REFRESH, async (_event, { actor }) => {
    await options.audit.changed({ change: "versions.refreshed", actor, target: "versions" });
    const { ok, added, failed, message } = await registry.refresh();
    const result = { ok, added, failed: Object.fromEntries(failed), ...defined({ message }) };
    return { document: toJsonDocument(result) };
  });
  for (const [path, access] of [
    ["/versions/:version", readVersions],
    ["/agent/:version", VERSIONS_READ],
  ] as const) {
    route("GET", path, access, async (event, caller) => {
      const difference = path.startsWith("/versions/") && differences.answer(part(event, "version"), caller);
      if (difference) return difference;
      const described = await registry.describe(part(event, "version"));
      const { version } = described;
      const mayUse = toMayUse(described, caller);
      const tests = await options.loadTests([described.record.commit]);
      const { problems, isOwn } = await tellProblems(described, caller);
      const base = baseOf(event);
      const links = linksOf(described, base, options.oauth === undefined && caller !== LOCAL_CALLER);
      const reply = toChecked(toJsonDocument(toDetail(described, base, mayUse, problems, tests, links, isOver)), isOwn);
      return version === undefined ? reply : { ...reply, ...byCaller(documents, version) };
    });
  }
  route("GET", "/versions/:version/changelog", readVersions, async (event, caller) => {
    const described = await registry.describe(part(event, "version"));
    const { problems, isOwn } = await tellProblems(described, caller);
    const { version } = described;
    const accepts = version?.history.versions.get(version.semver)?.accepts ?? [];
    const named = [...new Set(accepts.map(({ from }) => from))];
    const compared = await Promise.all(
      named.map(async (from) => [from, version && (await differences.listFindings(from, version))] as const),
    );
    const document = toChangelog(described, toMayUse(described, caller), problems, new Map(compared));
    return toChecked(document, isOwn || accepts.length > 0);
  });
  const tests = createVersionTests(options);
  route("GET", "/versions/:version/tests", readVersions, (event) => tests.show(part(event, "version")));
  route("POST", "/versions/:version/tests", TESTS_REPORT, (event, caller) =>
    tests.report(event.req, part(event, "version"), caller),
  );
}

/** Says in a header why labels are not all as the default branch has them: the listing's schema has no room for it. */
function toLabelHeaders({ labelProblems: [problem] }: RegistryStatus): Readonly<Record<string, string>> {
  if (problem === undefined) return {};
  const { file, line, column, message } = problem;
  return { "cairn-label-problem": encodeHeader(`${file}:${line}:${column}: ${message}`) };
}

/** Scheme and host that absolute links begin with: the configured ones, or those of the request, which a proxy may have changed. */
export function toBase({ url }: H3Event, publicUrl: string | undefined): string {
  return publicUrl ?? `${url.protocol}//${url.host}`;
}
