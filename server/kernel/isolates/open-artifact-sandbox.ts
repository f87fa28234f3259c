import { openLazily } from "./open-lazily.ts";
import { openSandbox, type SandboxOptions } from "./open-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Programs that are kept loaded, and megabytes at which their process is replaced. */
const ISOLATES = 64;
const PROCESS_MEMORY = 768;

export type ArtifactSandboxOptions = Pick<SandboxOptions, "now" | "elapsed" | "onIncident" | "onOffender">;

/**
 * Opens the sandbox for unreviewed programs: processes apart from the handlers', so that an attack on its process reaches
 * neither the service nor a version's tools. Isolates have no network; where the machine allows it, their process has
 * none either.
 */
export function openArtifactSandbox(options: ArtifactSandboxOptions): Sandbox {
  return openLazily(async () => {
    const launcher = await findNetworkCut();
    return openSandbox({ ...options, launcher, isolates: ISOLATES, memory: PROCESS_MEMORY, spare: false });
  });
}

/** Ways to start a program where there is no network: for root, and for others where the kernel lets them. */
const WAYS = [["--net"], ["--user", "--map-current-user", "--net"]] as const;
/** Program that starts another one without a network. */
export const UNSHARE = "/usr/bin/unshare";
const PATIENCE = 5_000;

/** Finds the words before a command that leave it no network; none where this machine has no such way. */
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
