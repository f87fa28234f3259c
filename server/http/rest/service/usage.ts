import { AUDIT_READ } from "../../../auth/scopes.ts";
import { loadUsage, type Use } from "../../../operations/usage.ts";
import type { Store } from "../../../store/store.ts";
import { DAY_MS } from "../../../text/duration.ts";
import { toTime } from "../../../text/to-time.ts";
import { toJsonDocument } from "../../document.ts";
import { readIntegerParameter, readTextParameters, readTimeParameter } from "../query-parameters.ts";
import { type Operation, SINCE_PARAMETER, toLimitParameter, toTextParameter } from "./operation.ts";

export interface UsageOptions {
  readonly store: Pick<Store, "scan">;
  /** Resolves once what was counted or answered so far is written. */
  readonly settled: () => Promise<void>;
  readonly now: () => number;
}

/** Calls that one request looks at. */
const LOOKED_AT = 50_000;
const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1000;
const DEFAULT_DAYS = 30;

/** Creates what says who of the caller's tenant still uses which version, and how. */
export function createUsageOperation({ store, settled, now }: UsageOptions): Operation {
  return {
    path: "/usage",
    id: "get_usage",
    summary: "Who of the caller's tenant uses which versions and tools, those used last first",
    access: AUDIT_READ,
    query: {
      version: toTextParameter("Number or commit of a version"),
      since: {
        ...SINCE_PARAMETER,
        description: `Uses before it are not counted; ${DEFAULT_DAYS} days ago unless given`,
      },
      limit: toLimitParameter(DEFAULT_LIMIT, MAX_LIMIT),
    },
    schema: "usage",
    async answer({ url }, { tenant }) {
      const search = url.searchParams;
      const { version } = readTextParameters(search, ["version"], ["since", "limit"]);
      const limit = readIntegerParameter(search, "limit", DEFAULT_LIMIT, [1, MAX_LIMIT]);
      const since = readTimeParameter(search, "since") ?? now() - DEFAULT_DAYS * DAY_MS;
      await settled();
      const { uses, truncated } = await loadUsage(store, { tenant, since, version, limit: LOOKED_AT });
      const shown = uses.slice(0, limit).map(toShown);
      return {
        document: toJsonDocument({
          since: toTime(since),
          uses: shown,
          truncated: truncated || shown.length < uses.length,
        }),
      };
    },
  };
}

function toShown({ tenant: _own, lastUse, ...use }: Use) {
  return { ...use, last_use: toTime(lastUse) };
}
