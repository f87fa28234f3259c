import { LRUCache } from "lru-cache";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import type { LineageEntry } from "../capabilities/lineage/api.ts";
import { holdsAll } from "../principal.ts";
import { lineageLog } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { readLineage } from "../capabilities/lineage/lineage-log.ts";
import { toScope } from "../capabilities/state/state.ts";
import type { Renderer } from "../capabilities/tuner/plots/open-renderer.ts";
import { type DriftMoment, drawDrift } from "./draw-drift.ts";
import type { Provider, ResourceRequest } from "./provider.ts";

/** Changes that a picture goes back. */
const MOMENTS = 500;
/** Pictures kept, of some 60 kB each. */
const PICTURES_LIMIT = 32;

/**
 * Creates the picture of a server's coherence: `drift` and `coherent` of the newest entries of its lineage, and nothing
 * else in them. It is for callers who may use a tool of the server that reads the lineage.
 */
export function createDriftPicture(options: {
  readonly store: Store;
  readonly renderer: Pick<Renderer, "render">;
}): Provider {
  const { store, renderer } = options;
  const pictures = new LRUCache<string, Promise<string>>({ max: PICTURES_LIMIT });
  return async (request) => {
    const { version, server, principal, uri } = request;
    const reader = findReader(request);
    if (reader === undefined) {
      throw new CairnError("NOT_FOUND", `There is no picture \`${uri}\` in this version.`, { details: { uri } });
    }
    const log = lineageLog(principal.tenant, server.name, toScope(version, reader));
    const moments: DriftMoment[] = [];
    let newest = "";
    for await (const entry of readLineage(store, log, { from: -MOMENTS })) {
      newest = entry.checksum;
      moments.push(...toMoment(entry));
    }
    const key = JSON.stringify([log, newest]);
    const drawing = pictures.get(key) ?? renderer.render(drawDrift(server.name, moments));
    pictures.set(key, drawing);
    drawing.catch(() => pictures.delete(key));
    return drawing;
  };
}

function findReader({ server, principal }: ResourceRequest) {
  return server.tools.find(
    ({ uses, requiredCapabilities }) => uses.has("lineage.read") && holdsAll(principal, requiredCapabilities),
  );
}

function toMoment({ seq, entry }: LineageEntry): readonly DriftMoment[] {
  if (!isObject(entry)) return [];
  const { drift, coherent } = entry;
  return typeof drift === "number" && typeof coherent === "boolean" ? [{ seq, drift, coherent }] : [];
}
