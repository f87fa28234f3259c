import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { openWhenTold, say } from "./program.ts";

// Commits while the disk works, while it fails in the way that the argument names, and when it works again, and says how
// each commit ended; at last says how reading and closing did. LMDB writes pages through one descriptor and its header
// through another, which flushes by itself; a device in its place is a disk that fails.
const { store, directory, args } = await openWhenTold();
const dataFile = join(directory, "data.mdb");

function findDescriptor(flushes: boolean): number {
  const found = readdirSync("/proc/self/fd")
    .map(Number)
    .find((descriptor) => isOurs(descriptor, flushes));
  if (found === undefined) throw new Error("LMDB does not have its file open the way this program thinks");
  return found;
}

function isOurs(descriptor: number, flushes: boolean): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "0";
    const O_DSYNC = 0o10000;
    const writes = (Number.parseInt(flags, 8) & 3) !== 0;
    return (
      readlinkSync(`/proc/self/fd/${descriptor}`) === dataFile &&
      writes &&
      ((Number.parseInt(flags, 8) & O_DSYNC) !== 0) === flushes
    );
  } catch {
    // The descriptor with which the directory was read.
    return false;
  }
}

/** What is opened next gets the number that was closed, unless a lower one is free. */
function replace(descriptor: number, path: string, flags: string): void {
  closeSync(descriptor);
  while (openSync(path, flags) !== descriptor) continue;
}

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: Error) => error.name,
  );
let next = 0;
const commitSome = async () => {
  for (let round = 0; round < 5; round++) {
    say(await Promise.all([1, 2, 3].map(() => outcome(store.commit({ append: [{ log: "l", entry: next++ }] })))));
  }
};

await commitSome();
if (args[0] === "flushing") {
  const descriptor = findDescriptor(false);
  // Takes all that is written, and cannot be flushed.
  replace(descriptor, "/dev/null", "r+");
  await commitSome();
  replace(descriptor, dataFile, "r+");
} else {
  replace(findDescriptor(true), "/dev/null", "r");
  await commitSome();
}
await commitSome();
say(await outcome(store.head("l")));
say(await outcome(store.admin.close()));
process.exit(0);
