import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Sources of time. */
export interface TimeSources {
  /** Milliseconds since 1970, which somebody may set forward or back at any moment. */
  readonly wall: () => number;
  /** Milliseconds since the machine started, the same in all its processes, which nobody can set. */
  readonly sinceStart: () => number;
  /** Different after each start of the machine; absent where that cannot be told. */
  readonly start: () => Promise<string | undefined>;
}

const NANOSECONDS = 1_000_000n;

export const MACHINE: TimeSources = Object.freeze({
  wall: Date.now,
  sinceStart: () => Number(process.hrtime.bigint() / NANOSECONDS),
  start: async () => {
    const id = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
    return /^[0-9a-f-]{36}$/.exec(id.trim())?.[0];
  },
});

/**
 * Milliseconds since 1970, as the machine's clock had it when the store was first used since the machine started, and
 * steadily on from there in every process: whoever sets the clock moves no lease and no end of a record's time.
 */
export async function openSteadyClock(directory: string, sources: TimeSources = MACHINE): Promise<() => number> {
  const { wall, sinceStart } = sources;
  const start = await sources.start();
  const own = Math.round(wall() - sinceStart());
  // Where the folder cannot be written, this process goes by itself: it can keep no leases there either.
  const origin = start === undefined ? own : await agree(directory, `clock-${start}`, own).catch(() => own);
  return () => origin + sinceStart();
}

/** Agrees on a value for this start: the first process decides, and values of earlier starts are ignored. */
async function agree(directory: string, name: string, own: number): Promise<number> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, name);
  const draft = `${file}.${process.pid}.${process.hrtime.bigint()}`;
  await writeFile(draft, `${own}\n`);
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  for (const other of await readdir(directory)) {
    if (/^clock-[0-9a-f-]{36}$/.test(other) && other !== name) await rm(join(directory, other), { force: true });
  }
  const text = await readFile(file, "utf8");
  const agreed = Number(text);
  return text.endsWith("\n") && Number.isSafeInteger(agreed) ? agreed : own;
}
