import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import type { LentFolder } from "../../config/mounts.ts";
import type { Policy, Revoked } from "../../versions/policy.ts";
import type { UpstreamReach } from "../../versions/upstream.ts";
import type { Version } from "../../versions/version.ts";
import { type Carrier, createCarrier } from "../fetch/carry-secrets.ts";
import type { Fetcher } from "../fetch/open-fetcher.ts";
import type { SecretNeed } from "../secrets/secrets.ts";
import { checkCommand, toHosts } from "../workspace/sandbox/command-policy.ts";
import { type Network, systemNetwork } from "../workspace/sandbox/network.ts";
import { openServerProcess } from "../workspace/sandbox/open-server-process.ts";
import type { Sandbox } from "../workspace/sandbox/probe-sandbox.ts";
import type { Mount } from "../workspace/sandbox/sandbox-arguments.ts";
import { connectProcess } from "./client/connect-process.ts";
import { connectUrl, type Fetch } from "./client/connect-url.ts";
import type { Connect } from "./live-upstream.ts";

export interface ConnectOptions {
  readonly fetcher: Pick<Fetcher, "send">;
  /** Absent: no commands run. */
  readonly commands?: Sandbox;
  readonly mounts?: ReadonlyMap<string, LentFolder>;
  /**
   * Returns the policies that, besides the version's own, must allow its commands; absent: its own suffice. A tag that nobody
   * has merged could otherwise bring in a policy for its own program, and have the service run that.
   */
  readonly policiesOf?: (version: Version) => Promise<readonly Policy[]>;
  readonly revoked?: () => Revoked;
  /** Takes what a command printed as errors before it ended: it may hold what callers must not see. */
  readonly onComplaint?: (upstream: string, complaint: string) => void;
  readonly network?: Network;
}

const NO_SANDBOX = "there is no sandbox for commands here";

/** Creates what connects to upstreams: over HTTP as `ctx.fetch` would, and to commands in a sandbox. */
export function createConnect(options: ConnectOptions): Connect {
  return async (version, upstream, { credentials, signal, onNotification }) => {
    const { reach, limits } = upstream;
    if (reach.kind === "url") {
      const url = new URL(reach.url);
      const carrier = createCarrier(credentials);
      const fetch = createGuardedFetch(options.fetcher, url, carrier);
      const hint = toHint(upstream.secrets, credentials);
      const { mask } = carrier ?? {};
      return connectUrl(url, { headers: {}, signal, fetch, limit: limits.output, hint, ...defined({ mask }) });
    }
    const process = await openCommand(version, reach, options);
    const onComplaint = (complaint: string) => options.onComplaint?.(upstream.name, complaint);
    return connectProcess(upstream.name, process, { signal, limit: limits.output, onNotification, onComplaint });
  };
}

/** Creates a `fetch` that reaches the host of a URL alone, and private addresses only where the operator maps them. */
function createGuardedFetch(
  fetcher: Pick<Fetcher, "send">,
  { hostname, port }: URL,
  carrier: Carrier | undefined,
): Fetch {
  const egress = [port === "" ? hostname : `${hostname}:${port}`];
  return (url, { method, headers, body, signal }) =>
    fetcher.send({ url: url.href, method, headers, ...(body === null ? {} : { body }) }, egress, signal, carrier);
}

/** Says which secrets a server did not accept, and who can set others. */
function toHint(named: readonly SecretNeed[], sent: readonly SecretNeed[]): string {
  if (named.length === 0) return "it wants credentials, and the manifest of the upstream names no `secrets`";
  const list = (secrets: readonly SecretNeed[]) =>
    secrets.map(({ name, of }) => `the secret \`${name}\` of the ${of}`).join(" and ");
  if (sent.length === 0) return `it wants ${list(named)}, which is not set here`;
  const own = sent.filter(({ of }) => of === "caller").map(({ name }) => `\`cairn secret set ${name}\``);
  return `it was sent ${list(sent)}${own.length === 0 ? "" : `; ${own.join(" and ")} sets another`}`;
}

async function openCommand(
  version: Version,
  { command, mounts }: Extract<UpstreamReach, { readonly kind: "command" }>,
  options: ConnectOptions,
) {
  const { commands: sandbox, policiesOf, network = systemNetwork } = options;
  const revoked = options.revoked === undefined ? {} : { revoked: options.revoked };
  const toPolicy = (policies: readonly Policy[]) => {
    return { allow: policies.flatMap(({ commands }) => commands), env: [], write: true, ...revoked };
  };
  const own = toPolicy(version.policies);
  checkCommand(command, {}, own);
  const reviewed = policiesOf === undefined ? own : toPolicy(await policiesOf(version));
  try {
    checkCommand(command, {}, reviewed);
  } catch (cause) {
    const message = "The policies of the default branch do not allow the command of this upstream.";
    throw new CairnError("FORBIDDEN", message, { cause });
  }
  if (sandbox?.available !== true) {
    throw new CairnError("UNAVAILABLE", `Upstreams cannot be started: ${sandbox?.reason ?? NO_SANDBOX}.`);
  }
  const allowed = new Set(toHosts(command, reviewed));
  return openServerProcess({
    sandbox,
    command,
    mounts: mounts.map((name) => toMount(name, options.mounts)),
    hosts: toHosts(command, own).filter((host) => allowed.has(host)),
    network,
    ...revoked,
  });
}

function toMount(name: string, mounts: ConnectOptions["mounts"]): Mount {
  const lent = mounts?.get(name);
  if (lent !== undefined) return { name, ...lent };
  throw new CairnError(
    "UNAVAILABLE",
    `No folder \`${name}\` is lent to upstreams here: the operator names it in CAIRN_MOUNTS.`,
  );
}
