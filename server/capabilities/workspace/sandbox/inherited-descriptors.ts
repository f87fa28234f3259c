import { readFile, readdir } from "node:fs/promises";

/** Octal, as the kernel shows it. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors, other than the first three, that a program started by this one would find open: whatever this service was
 * itself started with. In a sandbox they would lead out of it.
 */
export async function findInheritedDescriptors(): Promise<readonly number[]> {
  const inherited: number[] = [];
  for (const name of await readdir("/proc/self/fdinfo")) {
    // Gone meanwhile is as good.
    const text = await readFile(`/proc/self/fdinfo/${name}`, "latin1").catch(() => undefined);
    const flags = Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(text ?? "")?.[1] ?? String(CLOSE_ON_EXEC), 8);
    if (text !== undefined && Number(name) > 2 && (flags & CLOSE_ON_EXEC) === 0) inherited.push(Number(name));
  }
  return inherited;
}
