import { CairnError } from "../../errors.ts";
import { printable } from "../../text/printable.ts";
import type { JournalLine } from "../../worker/work-tools.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** Milliseconds that one question waits for something new, and lines that one answer has at most. */
const WAIT_MS = 30_000;
const PAGE = 500;
/** A service that starts anew meanwhile is waited for. */
const PATIENCE = 6;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "lost", "released", "cancelled", "rejected"]);

/** `cairn work watch`: the journal of a run as it grows, until the run ends. */
export const createWorkWatch: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work watch", description: "Follow what happens in a run; ends with 1 if it does not complete" },
    args: { run: { type: "positional", required: true, description: "The run's id" }, ...WORK_OPTIONS },
    run: ({ args }) =>
      withWorkServer(context, args, PATIENCE, async (client) => {
        const { out, stopped } = context;
        const interrupted = new AbortController();
        void stopped().then(() => interrupted.abort());
        for (let from = 0; ;) {
          const asked = { run_id: args.run, from, limit: PAGE, wait: WAIT_MS };
          const found = await client.runEvents(asked, { signal: interrupted.signal }).catch((error: unknown) => {
            if (error instanceof CairnError && error.name === "CANCELLED") return undefined;
            throw error;
          });
          if (found === undefined) return EXIT.FAILED;
          for (const line of found.events) out(describe(line));
          from = found.next;
          if (!ENDED.has(found.status) || found.events.length === PAGE) continue;
          out(`Run ${args.run} is ${found.status}.`);
          return found.status === "completed" ? EXIT.OK : EXIT.FAILED;
        }
      }),
  });

/** Time, kind and details, on one line. */
function describe({ at, kind, error, details }: JournalLine): string {
  const more = Object.entries(details).map(([name, value]) =>
    typeof value === "string" ? `${name}=${value}` : `${name}=${JSON.stringify(value)}`,
  );
  return printable([at, kind, ...(error === undefined ? [] : [error]), ...more].join(" "));
}
