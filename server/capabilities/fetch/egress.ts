import { CairnError } from "../../errors.ts";
import { allowsHost } from "../../versions/hosts.ts";
import type { Revoked } from "../../versions/policy.ts";
import { revokesHost } from "../../versions/revoked.ts";

/** Destination of one request: the address asked for, and the one connected to. */
export interface Target {
  /** As the tool sees it. */
  readonly url: URL;
  /** After the operator's map; the same unless the host is in it. */
  readonly actual: URL;
  /** Chosen by the operator, so it may be a private address. */
  readonly mapped: boolean;
}

/** Decides whether a tool whose manifest lists `egress` may reach `url`, or throws EGRESS_DENIED. */
export function toTarget(
  url: string | URL,
  egress: readonly string[],
  { egressMap, revoked }: { readonly egressMap: ReadonlyMap<string, string>; readonly revoked?: () => Revoked },
): Target {
  const parsed = URL.parse(String(url));
  if (!parsed) throw denied(`\`${String(url).slice(0, 200)}\` is no absolute URL`);
  if (parsed.protocol !== "https:") throw denied(`\`${parsed.protocol}\` is not allowed, only \`https:\``);
  if (parsed.username || parsed.password)
    throw denied("credentials inside a URL end up in logs; send a header instead");
  const host = `${parsed.hostname}:${parsed.port || 443}`;
  if (!egress.some((entry) => allowsHost(entry, host))) {
    throw denied(
      `\`${parsed.host}\` is not under \`egress\` in the tool's manifest, which lists ${egress.map((entry) => `\`${entry}\``).join(", ") || "nothing"}`,
    );
  }
  if (revoked !== undefined && revokesHost(revoked(), host)) {
    throw denied(`\`${parsed.host}\` is revoked by the policies of the default branch`);
  }
  const base = egressMap.get(parsed.host);
  if (base === undefined) return { url: parsed, actual: parsed, mapped: false };
  return { url: parsed, actual: new URL(base + parsed.pathname + parsed.search), mapped: true };
}

function denied(reason: string): CairnError {
  return new CairnError("EGRESS_DENIED", `\`ctx.fetch\`: ${reason}.`);
}
