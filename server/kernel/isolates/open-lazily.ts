import type { Sandbox, SandboxStats } from "./sandbox.ts";
import { unavailable } from "./failures.ts";

const NOTHING: SandboxStats = Object.freeze({
  processes: 0,
  isolates: 0,
  running: 0,
  replaced: 0,
  offenders: [],
  waiting: 0,
  strikes: { cpu: 0, memory: 0, clock: 0, silence: 0, crash: 0 },
});

/** A sandbox whose process is started when it is first needed, and again when it could not be. */
export function openLazily(open: () => Promise<Sandbox>): Sandbox {
  let opening: Promise<Sandbox> | undefined;
  let opened: Sandbox | undefined;
  let closed = false;

  async function get(): Promise<Sandbox> {
    if (closed) throw unavailable("The sandbox is closed.");
    opening ??= open();
    try {
      opened = await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
    return opened;
  }

  return {
    run: async (call) => (await get()).run(call),
    warm: async (program) => (await get()).warm(program),
    stats: () => opened?.stats() ?? NOTHING,
    async close() {
      closed = true;
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
