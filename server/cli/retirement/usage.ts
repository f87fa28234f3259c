import { toDataPaths } from "../../config/data-folder.ts";
import { CairnError } from "../../errors.ts";
import { loadUsage, toTenants, type Use } from "../../operations/usage.ts";
import { toAnnounced } from "../../versions/retirement/announced.ts";
import { type Deprecation, showDeprecation } from "../../versions/retirement/deprecation.ts";
import { DEFAULT_BRANCH_REF } from "../../versions/mirror/refs.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { findServedCommit } from "../versions/find-served-commit.ts";
import { openTarget } from "../versions/open-target.ts";
import { readTime } from "../read-time.ts";
import { formatTable } from "../table.ts";
import { DAY_MS } from "../../text/duration.ts";

/** Days without a call before a version may be retired, where no policy says otherwise. */
const QUIET_DAYS = 30;

/** `cairn usage [version]`: who uses a version, or any; and whether it can be retired, or what is deprecated is still called. */
export const createUsageCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "usage", description: "Say who uses versions and how, and whether one can be retired" },
    args: {
      version: {
        type: "positional",
        required: false,
        description: "A version such as 1.6.0, or a commit; without it, all",
      },
      since: { type: "string", valueHint: "time", description: "RFC 3339: uses before it are not counted" },
      json: { type: "boolean", description: "Print JSON" },
      check: {
        type: "boolean",
        description:
          "End with 1 when the version, or without one anything deprecated, was called within the days that policies say",
      },
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
      const { version } = args;
      const { uses } = await withStore({ context, command: "usage", data: config.data }, async (store) => {
        const commit = version === undefined ? undefined : await findServedCommit(context, config.data, version);
        return loadUsage(store, { version: commit, since });
      });
      const rules = await loadRules(context, toDataPaths(config.data).mirror);
      const lines = uses.map((use) => ({ ...use, deprecated: findDeprecation(use, rules) }));
      out(args.json === true ? JSON.stringify(lines.map(toJson), undefined, 2) : toText(version, lines));
      if (args.check !== true) return EXIT.OK;
      const counted = version === undefined ? lines.filter(({ deprecated }) => deprecated !== undefined) : lines;
      const start = context.now() - rules.days * DAY_MS;
      const callers = [...toTenants(counted)].filter(([, last]) => last > start);
      if (callers.length === 0) return EXIT.OK;
      const named = callers.map(([tenant, last]) => `${tenant} (${new Date(last).toISOString().slice(0, 10)})`);
      const what = version === undefined ? "what is deprecated is still in use" : `${version} cannot be retired`;
      err(`cairn: ${what}: within ${rules.days} days it was called by ${named.join(", ")}.`);
      return EXIT.FAILED;
    },
  });

/** A use, and the announced end of its version or its tool. */
type Line = Use & { readonly deprecated: Deprecation | undefined };

/** Rules of the default branch: an old version cannot know what is asked of it today. */
interface Rules {
  readonly days: number;
  readonly versions: ReadonlyMap<string, Deprecation>;
  /** By the full name of the tool. */
  readonly tools: ReadonlyMap<string, Deprecation>;
}

async function loadRules({ environment }: CliContext, mirror: string): Promise<Rules> {
  const { loaded, close } = await openTarget({ folder: mirror, environment }, DEFAULT_BRANCH_REF);
  close();
  if (!loaded.ok) return { days: QUIET_DAYS, versions: new Map(), tools: new Map() };
  const { policies, history, tools } = loaded.version;
  const days = policies.flatMap(({ quietDays }) => quietDays ?? []);
  return {
    days: days.length === 0 ? QUIET_DAYS : Math.max(...days),
    versions: toAnnounced(history).deprecations,
    tools: new Map([...tools].flatMap(([name, { deprecated }]) => (deprecated ? [[name, deprecated] as const] : []))),
  };
}

function findDeprecation({ version, tool = "" }: Use, { versions, tools }: Rules): Deprecation | undefined {
  return versions.get(version) ?? tools.get(tool);
}

function toJson({ lastUse, deprecated, ...use }: Line) {
  return {
    ...use,
    lastUse: new Date(lastUse).toISOString(),
    ...(deprecated === undefined ? {} : { deprecated: showDeprecation(deprecated) }),
  };
}

function toText(version: string | undefined, lines: readonly Line[]): string {
  if (lines.length === 0)
    return version === undefined ? "Nobody has used any version." : `Nobody has called ${version}.`;
  return formatTable(
    [
      "VERSION",
      "ADDRESS",
      "KIND",
      "TENANT",
      "ACTOR",
      "CLIENT",
      "USE",
      "CALLS",
      "FAILED",
      "READS",
      "LAST USE",
      "DEPRECATED",
    ],
    lines.map((line) => {
      const { tenant, actor, address = "-", kind = "-", client = "-", calls, failed, reads, deprecated } = line;
      const { sunset } = deprecated === undefined ? {} : showDeprecation(deprecated);
      const counts = [calls, failed, reads].map(String);
      const end = deprecated === undefined ? "" : sunset === undefined ? "yes" : `until ${sunset}`;
      const use = line.tool ?? line.method ?? "-";
      return [line.version, address, kind, tenant, actor, client, use, ...counts, toJson(line).lastUse, end];
    }),
  );
}
