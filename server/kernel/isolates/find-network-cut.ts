import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Ways to start a program where there is no network: for root, and for others where the kernel lets them. */
const WAYS = [["--net"], ["--user", "--map-current-user", "--net"]] as const;
const UNSHARE = "/usr/bin/unshare";
const PATIENCE = 5_000;

/** What goes before a command so that it finds no network; nothing where this machine has no such way. */
export async function findNetworkCut(unshare: string = UNSHARE): Promise<readonly string[]> {
  for (const way of WAYS) {
    const command = [...way, "--"];
    const works = await promisify(execFile)(unshare, [...command, "/bin/true"], { timeout: PATIENCE }).then(
      () => true,
      () => false,
    );
    if (works) return [unshare, ...command];
  }
  return [];
}
