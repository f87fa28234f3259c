import { listPlots } from "../../capabilities/tuner/plots/plots.ts";
import { toTunedSet } from "../../capabilities/tuner/state/tuned-set.ts";
import { hasScope, requireScope, VERSIONS_READ } from "../../auth/scopes.ts";
import type { Caller } from "../../auth/caller.ts";
import { CairnError } from "../../errors.ts";
import type { Principal } from "../../principal.ts";
import { findProvider, type Provider, toText } from "../../resources/provider.ts";
import type { Server, Version } from "../../versions/version.ts";
import { createDocument } from "../document.ts";
import type { Reply } from "../reply.ts";

const PROVIDER = "assets.plots";
const ENDING = ".svg";
/** Keeps a browser that opens a picture from running or fetching anything, whatever an arm of an experiment is called. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Picture of an experiment, asked for by its name in `assets://plots/`. */
export interface PlotRequest {
  readonly version: Version;
  readonly caller: Caller;
  readonly principal: Principal;
  readonly providers: Readonly<Record<string, Provider>>;
  readonly name: string;
}

/**
 * `GET .../api/plots/{name}.svg`: the picture that a server of the version has as `assets://plots/{name}.svg`, for callers with
 * the scope of that server.
 */
export async function answerPlot({ version, caller, principal, providers, name }: PlotRequest): Promise<Reply> {
  const servers = listPlotServers(version);
  const server = servers.find((one) => hasScope(caller, one.name));
  if (server === undefined) {
    // Callers without the scope of any server do not learn which there are.
    requireScope(caller, VERSIONS_READ);
    for (const one of servers) requireScope(caller, one.name);
  }
  if (server === undefined || !name.endsWith(ENDING)) {
    throw new CairnError("NOT_FOUND", `There is no picture \`${name.slice(0, 200)}\` in version ${version.semver}.`);
  }
  const provide = findProvider(providers, PROVIDER);
  const variables = { name: name.slice(0, -ENDING.length) };
  const picture = await provide({ version, server, principal, uri: `assets://plots/${name}`, variables });
  return {
    document: createDocument("image/svg+xml", toText(picture), "fast"),
    headers: { "content-security-policy": CONTENT_SECURITY_POLICY, "x-content-type-options": "nosniff" },
    keep: "checked-by-caller",
  };
}

/** Names of the pictures of a version, each with its ending; none where no server has pictures. */
export function listPlotNames(version: Version): readonly string[] {
  if (listPlotServers(version).length === 0) return [];
  return [...version.parameters.values()].flatMap((parameters) => {
    // Which pictures there are is no tenant's own.
    const set = toTunedSet(parameters, "", version.commit);
    return set === undefined ? [] : listPlots(set).map(({ name }) => `${set.name}-${name}${ENDING}`);
  });
}

function listPlotServers({ servers }: Version): readonly Server[] {
  return [...servers.values()].filter(({ resourceTemplates }) =>
    resourceTemplates.some(({ source }) => source.kind === "provider" && source.provider === PROVIDER),
  );
}
