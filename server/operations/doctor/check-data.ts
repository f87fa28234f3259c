import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LOW_BYTES } from "../../config/disk-room.ts";
import { findOpening, toDataPaths } from "../../config/data-folder.ts";
import { loadKnownForm } from "../../instance/data-form.ts";
import { findUse, toRestoreMark } from "../../instance/hold-or-ask.ts";
import { KEY_FILES } from "../../kernel/audit/service-key.ts";
import { adviseOn } from "./advice.ts";
import { quoteShell } from "../../text/quote-shell.ts";
import { fail, type Finding, ok, toReason, warn } from "./finding.ts";

/** Free bytes below which a service hardly starts. */
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
  const found = await stat(place);
  if (!found.isDirectory()) return [fail("data.folder", `\`${place}\` is a file.`, "Set CAIRN_DATA to a folder.")];
  try {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const isEntered = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    const account = process.geteuid?.() ?? found.uid;
    return [explainRefusal({ data, place, owner: found.uid, account, isEntered, reason: toReason(error) })];
  }
  return [...(await checkFolder(data, place)), ...(await checkDisk(place))];
}

/** A folder that this account cannot use: the data folder itself, or the nearest one above it that is there. */
export interface Refusal {
  readonly data: string;
  readonly place: string;
  /** Numbers of the accounts: that of `place`, and that of this process. */
  readonly owner: number;
  readonly account: number;
  /** True if this account may reach what lies in `place`. */
  readonly isEntered: boolean;
  readonly reason: string;
}

/** Explains why a data folder cannot be used. No advice changes a folder above it, which other programs need. */
export function explainRefusal({ data, place, owner, account, isEntered, reason }: Refusal): Finding {
  if (/EROFS|read-only/i.test(reason)) {
    return fail(
      "data.folder",
      `\`${data}\` cannot be written in \`${place}\`: ${reason}`,
      adviseOn("file system", reason),
    );
  }
  const install = `\`install -d -o ${account} -m 700 ${quoteShell(data)}\``;
  if (place === data) {
    const advice = `Run this as the account that the service runs as, such as \`sudo -u cairn cairn doctor\`. If this account is the service's, and the folder is for Cairn alone, run as root: ${install}.`;
    return fail("data.folder", `\`${data}\` of account ${owner}: ${reason}`, advice);
  }
  const found = `\`${data}\` is not there, and account ${account} cannot make it in \`${place}\` of account ${owner}: ${reason}`;
  if (isEntered) {
    return fail("data.folder", found, `If this account is the service's, make the folder as root: ${install}.`);
  }
  const advice = `Set CAIRN_DATA to a folder that account ${account} can reach, such as /var/lib/cairn; leave \`${place}\` as it is.`;
  return fail("data.folder", found, advice);
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
  const account = process.geteuid?.() ?? uid;
  const owned = await checkOwners({ data, owner: uid, account, parts: await listParts(data) });
  if (owned !== undefined) return [owned];
  const opening = await findOpening(data);
  return [
    opening === undefined
      ? ok("data.folder", `\`${data}\` is writable, and closed to other accounts.`)
      : warn("data.folder", `Other accounts may enter \`${data}\` (mode ${opening.mode}).`, `Run: ${opening.command}`),
    await checkUse(data),
  ];
}

/** Accounts of a data folder and its parts. */
export interface Owners {
  readonly data: string;
  /** Numbers of the accounts: that of the folder, and that of this process. */
  readonly owner: number;
  readonly account: number;
  readonly parts: readonly { readonly path: string; readonly owner: number }[];
}

/** Finds a part of the data folder that is another account's, or a root that is not the service's account. */
export function checkOwners({ data, owner, account, parts }: Owners): Finding | undefined {
  const isRoot = account === 0;
  const others = parts.filter((part) => part.owner !== (isRoot ? owner : account));
  const [other, ...more] = others;
  if (other !== undefined && !isRoot) {
    const all = others.filter(({ path }) => !others.some((above) => path.startsWith(`${above.path}/`)));
    const advice = `Run as root: chown -R ${account} ${all.map(({ path }) => quoteShell(path)).join(" ")}`;
    const count = more.length === 0 ? "" : ` So do ${more.length} more parts of the folder.`;
    const found = `\`${other.path}\` belongs to account ${other.owner}, not to ${account}.${count}`;
    return fail("data.folder", found, advice);
  }
  if (other !== undefined) {
    const found = `\`${other.path}\` belongs to account ${other.owner}, and \`${data}\` to ${owner}.`;
    const advice = `All of it must belong to the account that the service runs as. For ${owner}: \`chown -R ${owner} ${quoteShell(other.path)}\`; for ${other.owner}: \`chown -R ${other.owner} ${quoteShell(data)}\`.`;
    return warn("data.folder", found, advice);
  }
  if (!isRoot || owner === 0) return undefined;
  const advice = `Run this as that account: \`sudo -u '#${owner}' cairn doctor\`. Files that root makes there stop the service.`;
  return warn("data.folder", `\`${data}\` belongs to the account ${owner}, and this runs as root.`, advice);
}

/** Lists the parts of a data folder that are there: those that Cairn knows, the audit's key, and the files of the store. */
async function listParts(data: string): Promise<Owners["parts"]> {
  const paths = toDataPaths(data);
  const files = await readdir(paths.store).catch(() => []);
  const known = [
    ...Object.values(paths),
    join(data, KEY_FILES.secret),
    ...files.map((name) => join(paths.store, name)),
  ];
  const found = await Promise.all(
    known.map((path) =>
      stat(path).then(
        ({ uid }) => [{ path, owner: uid }],
        () => [],
      ),
    ),
  );
  return found.flat();
}

async function checkUse(data: string): Promise<Finding> {
  const use = await findUse(data);
  if (use === undefined) return ok("data.use", "No process uses the data folder.");
  if (use.answers) return ok("data.use", `The data folder is in use by ${use.holder}, which answers.`);
  const advice =
    "A service that starts, stops or restores answers in a while, so look again in a minute. If that service still does not answer, restart it.";
  return warn("data.use", `The data folder is in use by ${use.holder}, which does not answer.`, advice);
}

async function checkDisk(place: string): Promise<readonly Finding[]> {
  const { bavail, bsize, type, files, ffree } = await statfs(place);
  const free = bavail * bsize;
  const shown = `${Math.floor(free / 2 ** 20)} MiB are free`;
  const room = adviseOn("file system", "ENOSPC");
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
  return [...findings, await checkFlush(place)];
}

async function checkFlush(place: string): Promise<Finding> {
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
    const reason = toReason(error);
    return fail("data.flush", `\`${place}\` takes no file: ${reason}`, adviseOn("file system", reason));
  } finally {
    await rm(path, { force: true });
  }
}

function findExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findExisting(dirname(path));
}
