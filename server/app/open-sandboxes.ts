import type { Log } from "../log.ts";
import { openArtifactSandbox } from "../sandbox/open-artifact-sandbox.ts";
import { openSandbox, type SandboxOptions } from "../sandbox/open-sandbox.ts";
import type { Offender, Sandbox } from "../sandbox/sandbox.ts";

/** Where handlers run, and apart from them artifacts that nobody has reviewed. */
export interface OpenedSandboxes {
  readonly handlers: Sandbox;
  readonly artifacts: Sandbox;
}

/** Opens both sandboxes, and logs what happens to their processes. */
export async function openSandboxes(
  options: Required<Pick<SandboxOptions, "now" | "elapsed" | "onIncident">> & { readonly log: Log },
): Promise<OpenedSandboxes> {
  const { log, ...given } = options;
  const onOffender = (offender: Offender) => log.warn({ offender }, "calls run one at a time, apart");
  const handlers = await openSandbox({ ...given, onOffender });
  return { handlers, artifacts: openArtifactSandbox({ ...given, onOffender }) };
}
