import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, open, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findOpening, toDataPaths } from "../../config/data-folder.ts";
import { loadKnownForm } from "../../instance/data-form.ts";
import { findUse, toRestoreMark } from "../../instance/hold-or-ask.ts";
import { fail, type Finding, ok, toReason, warn } from "./finding.ts";

/** Free bytes below which a service soon refuses calls with effects, and below which it hardly starts. */
const LOW_BYTES = 1024 * 2 ** 20;
const LEAST_BYTES = 64 * 2 ** 20;
/** Milliseconds of a flush; every call with effects waits for one. */
const SLOW_FLUSH_MS = 100;
/** Numbers of file systems in another machine's memory, where a memory-mapped store is not safe (Linux `statfs(2)`). */
const REMOTE_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
]);

/** Checks the data folder: there or can be made, ours to write, closed to others, on a disk with room that flushes. */
export async function checkData({ data }: { readonly data: string }): Promise<readonly Finding[]> {
  const place = findExisting(data);
  try {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const account = await stat(place).then(
      ({ uid }) => uid,
      () => undefined,
    );
    const advice = `Run this as the account that the service runs as, such as \`sudo -u cairn cairn doctor\`, or give it the folder: \`chown -R cairn ${place}\`.`;
    return [fail("data.folder", `\`${place}\` of account ${account ?? "unknown"}: ${toReason(error)}`, advice)];
  }
  if (!(await stat(place)).isDirectory()) {
    return [fail("data.folder", `\`${place}\` is a file.`, "Set CAIRN_DATA to a folder.")];
  }
  return [...(await checkFolder(data, place)), ...(await checkDisk(place))];
}

async function checkFolder(data: string, place: string): Promise<readonly Finding[]> {
  if (place !== data) return [ok("data.folder", `\`${data}\` is not there yet and will be made.`)];
  if (existsSync(toRestoreMark(data))) {
    const advice = "Empty the folder and run `cairn restore` again.";
    return [fail("data.folder", `A restore into \`${data}\` was cut short.`, advice)];
  }
  try {
    await loadKnownForm(data);
  } catch (error) {
    const advice = "docs/upgrade.md says how to go back to an older Cairn.";
    return [fail("data.folder", `${toReason(error)}.`, advice)];
  }
  const { uid } = await stat(data);
  const own = process.geteuid?.() ?? uid;
  const parts = await Promise.all(
    Object.values(toDataPaths(data)).map(async (path) => (((await owner(path)) ?? own) === own ? [] : [path])),
  );
  const [other] = parts.flat();
  if (other !== undefined && own !== 0) {
    return [fail("data.folder", `\`${other}\` belongs to another account.`, `Run: chown -R ${own} '${data}'`)];
  }
  if (other !== undefined || (own === 0 && uid !== 0)) {
    const advice = `Run this as that account: \`sudo -u '#${uid}' cairn doctor\`. Files that root makes there stop the service.`;
    return [warn("data.folder", `\`${data}\` belongs to the account ${uid}, and this runs as root.`, advice)];
  }
  const opening = await findOpening(data);
  return [
    opening === undefined
      ? ok("data.folder", `\`${data}\` is writable, and closed to other accounts.`)
      : warn("data.folder", `Other accounts may enter \`${data}\` (mode ${opening.mode}).`, `Run: ${opening.command}`),
    await checkUse(data),
  ];
}

async function checkUse(data: string): Promise<Finding> {
  const use = await findUse(data);
  if (use === undefined) return ok("data.use", "No process uses the data folder.");
  if (use.answers) return ok("data.use", `The data folder is in use by ${use.holder}, which answers.`);
  const advice = "A service that starts, stops or restores answers in a while; end a process that hangs.";
  return warn("data.use", `The data folder is in use by ${use.holder}, which does not answer.`, advice);
}

async function checkDisk(place: string): Promise<readonly Finding[]> {
  const { bavail, bsize, type, files, ffree } = await statfs(place);
  const free = bavail * bsize;
  const shown = `${Math.floor(free / 2 ** 20)} MiB are free`;
  const room =
    "Make room, or move the data folder to a larger disk: stop the service, copy the folder, set CAIRN_DATA.";
  const findings: Finding[] = [];
  if (free < LEAST_BYTES) findings.push(fail("data.disk", `${shown} at \`${place}\`.`, room));
  else if (free < LOW_BYTES) findings.push(warn("data.disk", `${shown} at \`${place}\`.`, room));
  else findings.push(ok("data.disk", `${shown}.`));
  if (files > 0 && ffree === 0) findings.push(fail("data.inodes", `No inode is free at \`${place}\`.`, room));
  const remote = REMOTE_FILE_SYSTEMS.get(type);
  if (remote !== undefined) {
    const advice = "Use a local disk: the store is a memory-mapped file, and needs record locks and sockets.";
    findings.push(warn("data.filesystem", `\`${place}\` is on ${remote}.`, advice));
  }
  return [...findings, await checkFlush(place, room)];
}

async function checkFlush(place: string, room: string): Promise<Finding> {
  const path = join(place, `.doctor-${randomUUID()}`);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      const began = performance.now();
      await file.writeFile(Buffer.alloc(4096, 1));
      await file.sync();
      const ms = Math.ceil(performance.now() - began);
      if (ms <= SLOW_FLUSH_MS) return ok("data.flush", `A flush of the disk takes ${ms} ms.`);
      const advice = "Use a local SSD: every call with effects waits for one flush.";
      return warn("data.flush", `A flush of the disk takes ${ms} ms.`, advice);
    } finally {
      await file.close();
    }
  } catch (error) {
    return fail("data.flush", `\`${place}\` takes no file: ${toReason(error)}`, room);
  } finally {
    await rm(path, { force: true });
  }
}

function findExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findExisting(dirname(path));
}

function owner(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  );
}
