// A call with an idempotency key in a process that is killed once the call is committed, before anybody is answered.
import type { Journal } from "../../../../server/kernel/journal.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { openSandbox } from "../../../../server/kernel/isolates/open-sandbox.ts";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { toProgram } from "../isolates/program.ts";
import { COUNT } from "../count-tool.ts";
import { openTestKernel } from "../../../helpers/kernel.ts";

const now = Date.now;
const [, , directory = ""] = process.argv;
const store = await openLmdbStore({ directory, now });
const { body, ...tool } = COUNT;
const version = {
  ...createTestVersion({ tools: [{ name: "count", server: "s", ...tool }] }),
  program: toProgram({ "tools/s/count.ts": `export default async function (input: any, ctx: any) { ${body} }` }),
};
const killing = (journal: Journal): Journal => ({
  ...journal,
  async commit(record, effects) {
    await journal.commit(record, effects);
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => undefined);
  },
});
const sandbox = await openSandbox({ spare: false });
const { invoke } = openTestKernel({ store, sandbox, aroundJournal: killing });
const count = version.tools.get("count");
if (count === undefined) throw new Error("no tool");
const call = { version, tool: count, input: {}, principal: LOCAL_PRINCIPAL, idempotencyKey: "k" };
process.stdout.write(JSON.stringify(await invoke(call)));
