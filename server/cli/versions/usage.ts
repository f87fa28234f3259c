import { loadAuditedTenants } from "../../kernel/audit/audited-tenants.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import { CairnError } from "../../errors.ts";
import { loadUsage, toTenants, type Use } from "../../operations/usage.ts";
import { DEFAULT_BRANCH_REF } from "../../versions/mirror/refs.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { findServedCommit } from "./find-served-commit.ts";
import { openTarget } from "./open-target.ts";
import { readTime } from "../read-time.ts";
import { formatTable } from "../table.ts";

/** Days without a call before a version may be retired, where no policy says otherwise. */
const QUIET_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** `cairn usage <version>`: who calls it, and whether it can be retired. */
export const createUsageCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "usage", description: "Say who calls a version, and whether it can be retired" },
    args: {
      version: { type: "positional", required: true, description: "A version such as 1.6.0, or a commit" },
      since: { type: "string", valueHint: "time", description: "RFC 3339: calls before it are not counted" },
      json: { type: "boolean", description: "Print JSON" },
      check: { type: "boolean", description: "End with 1 when it was called within the days that policies say" },
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out, err } = context;
      if (args.check === true && args.since !== undefined) {
        throw new CairnError(
          "BAD_REQUEST",
          "`--check` counts the days that policies say, so `--since` does not go with it.",
        );
      }
      const config = loadAuditConfig(environment, args.data);
      const since = args.since === undefined ? 0 : readTime("since", args.since);
      const uses = await withStore({ context, command: "usage", data: config.data }, async (store) => {
        const commit = await findServedCommit(context, config.data, args.version);
        return loadUsage(store, commit, await loadAuditedTenants(store), since);
      });
      out(args.json === true ? JSON.stringify(uses.map(toJson), undefined, 2) : toText(args.version, uses));
      if (args.check !== true) return EXIT.OK;
      const days = await loadQuietDays(context, toDataPaths(config.data).mirror);
      const callers = [...toTenants(uses)].filter(([, last]) => last > Date.now() - days * DAY_MS);
      if (callers.length === 0) return EXIT.OK;
      const named = callers.map(([tenant, last]) => `${tenant} (${new Date(last).toISOString().slice(0, 10)})`);
      err(`cairn: ${args.version} cannot be retired: within ${days} days it was called by ${named.join(", ")}.`);
      return EXIT.FAILED;
    },
  });

/** An old version cannot know what is asked of it today, so the default branch says it. */
async function loadQuietDays({ environment }: CliContext, mirror: string): Promise<number> {
  const { loaded, close } = await openTarget({ folder: mirror, environment }, DEFAULT_BRANCH_REF);
  close();
  const days = loaded.ok ? loaded.version.policies.flatMap(({ quietDays }) => quietDays ?? []) : [];
  return days.length === 0 ? QUIET_DAYS : Math.max(...days);
}

function toJson({ lastUse, ...use }: Use) {
  return { ...use, lastUse: new Date(lastUse).toISOString() };
}

function toText(version: string, uses: readonly Use[]): string {
  if (uses.length === 0) return `Nobody has called ${version}.`;
  return formatTable(
    ["TENANT", "ACTOR", "TOOL", "CALLS", "FAILED", "LAST USE"],
    uses.map((use) => {
      const { tenant, actor, tool, calls, failed, lastUse } = toJson(use);
      return [tenant, actor, tool, String(calls), String(failed), lastUse];
    }),
  );
}
