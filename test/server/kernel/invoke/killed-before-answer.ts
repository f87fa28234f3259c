// A call with an idempotency key in a process that is killed once the call is committed, before anybody is answered.
import { randomBytes } from "node:crypto";
import { SHAPES_ONLY } from "../../../../server/log/redact.ts";
import { createIdentifiers } from "../../../../server/identifiers.ts";
import { createInvoke } from "../../../../server/kernel/invoke.ts";
import { createJournal, type Journal } from "../../../../server/kernel/journal.ts";
import { createLog } from "../../../../server/log/log.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { openSandbox } from "../../../../server/kernel/isolates/open-sandbox.ts";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import { openSyscalls } from "../../../../server/capabilities/open-capabilities.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { toProgram } from "../isolates/program.ts";
import { COUNT } from "./count-tool.ts";
import { createTuning } from "../../../helpers/tuning.ts";

const now = Date.now;
const [, , directory = ""] = process.argv;
const store = await openLmdbStore({ directory, now });
const log = createLog("silent");
const { body, ...tool } = COUNT;
const version = {
  ...createTestVersion({ tools: [{ name: "count", server: "s", ...tool }] }),
  program: toProgram({ "tools/s/count.ts": `export default async function (input: any, ctx: any) { ${body} }` }),
};
const journal = createJournal({ store, log });
const killing: Journal = {
  ...journal,
  async commit(record, effects) {
    await journal.commit(record, effects);
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => undefined);
  },
};
const tuning = createTuning(store, journal, now);
const invoke = createInvoke({
  onRefused: () => undefined,
  store,
  journal: killing,
  admit: () => undefined,
  sandbox: await openSandbox({ spare: false }),
  assigner: tuning.assigner,
  dispatch: openSyscalls({ egressMap: new Map(), now, ...tuning.syscalls }).dispatch,
  createId: createIdentifiers(now),
  randomBytes,
  now,
  durability: "effects",
  modelAvailable: false,
  redactor: SHAPES_ONLY,
  log,
});
const count = version.tools.get("count");
if (count === undefined) throw new Error("no tool");
const call = { version, tool: count, input: {}, principal: LOCAL_PRINCIPAL, idempotencyKey: "k" };
process.stdout.write(JSON.stringify(await invoke(call)));
