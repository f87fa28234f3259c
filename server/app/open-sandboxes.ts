import type { Log } from "../log/log.ts";
import { openArtifactSandbox } from "../kernel/isolates/open-artifact-sandbox.ts";
import { openLazily } from "../kernel/isolates/open-lazily.ts";
import { openSandbox, type SandboxOptions } from "../kernel/isolates/open-sandbox.ts";
import type { Offender, Sandbox } from "../kernel/isolates/sandbox.ts";

/** Programs of previews that are kept loaded, and megabytes at which their process is replaced. */
const PREVIEW_LIMITS = { isolates: 32, memory: 768, spare: false };

/** Sandboxes of handlers and, apart from them, of artifacts, whose code no one has reviewed. */
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

/**
 * Opens the sandboxes for handlers of previews: processes apart from those of reviewed code, started by the first call.
 * An endless loop or an escape from V8 reaches other previews at most.
 */
export function openPreviewSandboxes(options: Required<Pick<SandboxOptions, "now" | "onIncident">>): OpenedSandboxes {
  return {
    handlers: openLazily(() => openSandbox({ ...options, ...PREVIEW_LIMITS })),
    artifacts: openArtifactSandbox(options),
  };
}
