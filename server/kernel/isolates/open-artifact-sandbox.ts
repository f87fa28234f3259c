import { findNetworkCut } from "./find-network-cut.ts";
import { openLazily } from "./open-lazily.ts";
import { openSandbox, type SandboxOptions } from "./open-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/** Programs that are kept loaded, and megabytes at which their process is replaced. */
const ISOLATES = 64;
const PROCESS_MEMORY = 768;

export type ArtifactSandboxOptions = Pick<SandboxOptions, "now" | "elapsed" | "onIncident" | "onOffender">;

/**
 * Where programs run that nobody has reviewed: in processes apart from the handlers', so that what one of them does to its
 * process reaches neither the service nor a version's tools. Isolates have no network; where the machine lets it be so, their
 * process has none either.
 */
export function openArtifactSandbox(options: ArtifactSandboxOptions): Sandbox {
  return openLazily(async () => {
    const launcher = await findNetworkCut();
    return openSandbox({ ...options, launcher, isolates: ISOLATES, memory: PROCESS_MEMORY, spare: false });
  });
}
