// A process with a sandbox in which a handler loops, for a test to kill.
import { openSandbox } from "../../../../server/kernel/isolates/open-sandbox.ts";
import { toCall } from "./program.ts";

const sandbox = await openSandbox();
const syscall = async () => {
  setImmediate(() => setImmediate(() => process.stdout.write("ready\n")));
  return null;
};
const limits = { time: 600_000, cpu: 600_000, memory: 64, payload: 1_000 };
await sandbox.run(toCall("await ctx.state.get([1]); for (;;);", { syscall, limits }));
