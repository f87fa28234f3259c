import type { Previews } from "../http/destination.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { OpenedForge } from "./open-forge.ts";
import { openPreview, type PreviewOptions } from "./open-preview.ts";
import { openPreviews } from "./open-previews.ts";
import { openPreviewSandboxes } from "./open-sandboxes.ts";

export interface ServicePreviewsOptions extends Omit<PreviewOptions, "sandboxes"> {
  readonly registry: Registry;
  readonly forge: OpenedForge;
  /** The data folder. */
  readonly data: string;
  readonly onIncident: (incident: string) => void;
}

/** Previews with everything that this service has for them. */
export async function openServicePreviews(
  options: ServicePreviewsOptions,
): Promise<Previews & { close(): Promise<void> }> {
  const { shared, registry, forge: opened, data, audit, onIncident } = options;
  const { forge, onNudge } = opened;
  const sandboxes = openPreviewSandboxes({ now: shared.now, onIncident });
  const previews = await openPreviews({
    ...shared,
    registry,
    data,
    audit,
    open: (version, folder) => openPreview(version, folder, { ...options, sandboxes }),
    ...(forge === undefined ? {} : { isOpen: forge.isOpen }),
  });
  const stop = onNudge(({ number }) => number !== undefined && previews.nudge(number));
  return {
    ...previews,
    async close() {
      stop();
      await previews.close();
      await Promise.all([sandboxes.handlers.close(), sandboxes.artifacts.close()]);
    },
  };
}
