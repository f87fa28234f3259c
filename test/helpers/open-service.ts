import { onTestFinished } from "vitest";
import { openService, type Service, type ServiceOptions } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { SHAPES_ONLY } from "../../server/log/redact.ts";
import { readConfig } from "../../server/config/config.ts";
import { CairnError } from "../../server/errors.ts";
import { createLog } from "../../server/log/log.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";
import { isThroughNodes, openThroughNodes } from "./through-nodes.ts";

/** A service of this process as `environment` configures it, over `folder`. It says nothing unless given a log. */
export async function openTestService(
  environment: ServiceOptions["environment"],
  folder: string,
  { atEnd = onTestFinished, ...options }: Partial<ServiceOptions> & { readonly atEnd?: AtEnd } = {},
): Promise<Service> {
  const open = (own: ServiceOptions["environment"]) => openOne(own, folder, options, atEnd);
  // Nodes of a test that is about several have their places already.
  if (!isThroughNodes() || environment["CAIRN_NODE_ADDRESS"] !== undefined) return open(environment);
  return openThroughNodes(environment, { ...options, atEnd }, open);
}

async function openOne(
  environment: ServiceOptions["environment"],
  folder: string,
  options: Partial<ServiceOptions>,
  atEnd: AtEnd,
): Promise<Service> {
  const read = readConfig(environment);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const service = await openService({
    config: read.config,
    environment,
    folder,
    checkout: folder,
    log: createLog("silent"),
    redactor: SHAPES_ONLY,
    ...options,
  });
  atEnd(() => service.close());
  return service;
}

/** Lets in callers known by what they send as `Authorization`, and nobody else. */
export function authenticateAs(callers: Readonly<Record<string, Caller>>): NonNullable<ServiceOptions["authenticate"]> {
  const known = new Map(Object.entries(callers));
  return ({ authorization }) => {
    const caller = known.get(authorization ?? "");
    if (caller === undefined) throw new CairnError("UNAUTHENTICATED", "Send an access token.");
    return caller;
  };
}

/** A service of this process for callers known by what they send as `Authorization`; all others are refused. */
export async function openServiceFor(
  repository: string,
  callers: Readonly<Record<string, Caller>>,
  atEnd: AtEnd = onTestFinished,
): Promise<Service> {
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: repository,
    CAIRN_DATA: await temporaryFolder(atEnd),
    // Nothing listens there: tools find no weather, at once.
    CAIRN_EGRESS_MAP: "geocoding-api.open-meteo.com=http://127.0.0.1:1",
  };
  return openTestService(environment, repository, { authenticate: authenticateAs(callers), atEnd });
}
