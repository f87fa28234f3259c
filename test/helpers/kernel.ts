import { randomBytes } from "node:crypto";
import { type CapabilityOptions, openCapabilities } from "../../server/capabilities/open-capabilities.ts";
import type { Ledgers } from "../../server/capabilities/tuner/ledgers.ts";
import { NO_CEILINGS } from "../../server/config/allowance.ts";
import { createIdentifiers } from "../../server/identifiers.ts";
import { openArtifactSandbox } from "../../server/kernel/isolates/open-artifact-sandbox.ts";
import type { Sandbox } from "../../server/kernel/isolates/sandbox.ts";
import { type Kernel, type KernelOptions, openKernel } from "../../server/kernel/open-kernel.ts";
import { createLog } from "../../server/log/log.ts";
import { SHAPES_ONLY } from "../../server/log/redact.ts";
import type { Store } from "../../server/store/store.ts";

export interface TestKernelOptions extends Partial<Omit<KernelOptions, "capabilities">> {
  readonly store: Store;
  readonly sandbox: Sandbox;
  /** What differs from capabilities without hosts, commands, model or repository. */
  readonly capabilities?: Partial<CapabilityOptions>;
}

/** A kernel as a service has it, without limits; its artifacts' process starts with the first artifact, and ends with it. */
export function openTestKernel(options: TestKernelOptions): Kernel & { readonly ledgers: Ledgers } {
  const { store, now = Date.now } = options;
  const createId = createIdentifiers(now);
  const artifacts = options.capabilities?.artifacts ?? openArtifactSandbox({ now });
  const capabilities = openCapabilities({
    store,
    now,
    createId,
    storeTime: now,
    egressMap: new Map(),
    onRunEnded: () => undefined,
    onError: () => undefined,
    ...options.capabilities,
    artifacts,
  });
  const kernel = openKernel({
    ceilings: NO_CEILINGS,
    durability: "effects",
    bodyTtl: 0,
    denied: () => undefined,
    createId,
    randomBytes,
    now,
    elapsed: now,
    redactor: SHAPES_ONLY,
    log: createLog("silent"),
    ...options,
    capabilities,
  });
  return {
    ...kernel,
    ledgers: capabilities.ledgers,
    async close() {
      await kernel.close();
      if (options.capabilities?.artifacts === undefined) await artifacts.close();
    },
  };
}
