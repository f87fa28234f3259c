import { toHandlerKey, toStoreKey } from "../../capabilities/state/data/place.ts";
import { CairnError } from "../../errors.ts";
import type { Violation } from "../../json/types.ts";
import { SHAPES_ONLY } from "../../log/redact.ts";
import { count } from "../../text/count.ts";
import { printable } from "../../text/printable.ts";
import { findStoredValue } from "../../versions/stored-value.ts";
import type { Server } from "../../versions/version.ts";
import { createCommand, type CliContext, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { readNumber } from "../read-number.ts";
import { toVersion } from "../versions/compare-targets.ts";
import { openTarget } from "../versions/open-target.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { assertKnown } from "./assert-known.ts";
import { loadPlace, STATE_ARGUMENT, STATE_TENANT_OPTION } from "./state-options.ts";

const LIMIT = 100;
const MOST = 100_000;
/** Places of one value that are named. */
const REASONS = 5;

/** `cairn state check <server/scope> [version]`: which values a version would refuse to read, by its schemas. */
export const createStateCheck: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state check", description: "List the values that do not fit the schemas of a version" },
    args: {
      ...STATE_ARGUMENT,
      version: {
        type: "positional",
        required: false,
        default: "dev",
        valueHint: "version",
        description: "A tag, commit or folder; `dev` is the files here as they are",
      },
      limit: {
        type: "string",
        valueHint: "number",
        description: `List at most so many keys (default: ${LIMIT}); all are checked`,
      },
      ...STATE_TENANT_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out, err } = context;
      const { data } = loadAuditConfig(environment, args.data);
      const limit = readNumber("limit", args.limit, { otherwise: LIMIT, min: 1, max: MOST, isWhole: true });
      const place = await loadPlace(context, data, args.tenant, args.state);
      const server = await loadServer(context, args.version, place.server);
      const { values = [] } = server;
      const progress = createProgress(context);
      let [checked, misfits, free] = [0, 0, 0];
      await withStore({ context, command: "state check", data }, async (store) => {
        await assertKnown(context, data, store, place);
        for await (const { key, value } of store.scan({ prefix: toStoreKey(place) })) {
          const own = toHandlerKey(place, key);
          const form = findStoredValue(values, own);
          if (form === undefined) free += 1;
          else checked += 1;
          progress(`${checked + free} keys so far`);
          const violations = form?.check(value) ?? [];
          if (violations.length === 0) continue;
          misfits += 1;
          if (misfits <= limit) out(explain(own, violations));
        }
      });
      if (misfits > limit) err(`cairn: ${misfits - limit} more do not fit; \`--limit\` lists them.`);
      const rest = free === 0 ? "" : ` ${count(free, "key")} may hold anything: no pattern fits.`;
      const shown = `\`${args.state}\``;
      if (misfits > 0)
        out(`${misfits} of ${count(checked, "value")} of ${shown} do not fit \`${server.file}\`.${rest}`);
      else out(`${count(checked, "value")} of ${shown} fit \`${server.file}\`.${rest}`);
      return misfits > 0 ? EXIT.FAILED : EXIT.OK;
    },
  });

async function loadServer(context: CliContext, name: string, server: string): Promise<Server> {
  const target = await openTarget(context, name === "dev" ? "." : name);
  target.close();
  const found = toVersion(target, name).servers.get(server);
  if (found !== undefined) return found;
  throw new CairnError("NOT_FOUND", `\`${name}\` has no server \`${server}\`.`);
}

/** Writes what is wrong in a value, without the value: it belongs to a tenant, and the list may go to others. */
function explain(key: readonly unknown[], violations: readonly Violation[]): string {
  const reasons = violations.slice(0, REASONS).map(({ message }) => message);
  const more = violations.length > REASONS ? [`and ${violations.length - REASONS} more`] : [];
  return printable(SHAPES_ONLY.text(`${JSON.stringify(key)}: ${[...reasons, ...more].join("; ")}`));
}
