import { LRUCache } from "lru-cache";
import { PALETTE } from "../capabilities/tuner/plots/palette.ts";
import { type Picture, type Spec, toEmptyPicture } from "../capabilities/tuner/plots/picture.ts";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import type { LineageEntry } from "../capabilities/lineage/api.ts";
import { holdsAll } from "../principal.ts";
import { lineageLog } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { readLineage } from "../capabilities/lineage/lineage-log.ts";
import { toScope } from "../capabilities/state/state.ts";
import type { Renderer } from "../capabilities/tuner/plots/open-renderer.ts";
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

/** Coherence of a server's state at an entry of its lineage. */
interface DriftMoment {
  readonly seq: number;
  readonly drift: number;
  readonly coherent: boolean;
}

/** Drift and coherence after each change, oldest first. */
function drawDrift(server: string, moments: readonly DriftMoment[]): Picture {
  const title = `${server}: drift and coherence`;
  const last = moments.at(-1);
  if (last === undefined) return toEmptyPicture(title, "nothing has changed");
  const most = Math.max(...moments.map(({ drift }) => drift));
  const coherent = moments.filter((moment) => moment.coherent).length;
  return {
    title,
    notes: ["After each of the newest changes, by its number in the lineage."],
    description: `Drift ${last.drift} now and ${most} at most; coherent after ${coherent} of ${moments.length} changes.`,
    spec: {
      data: { values: moments.map((moment) => ({ ...moment, coherent: moment.coherent ? 1 : 0 })) },
      vconcat: [
        toPanel("drift", "drift", 150, "linear", {}),
        toPanel("coherent", "coherent (1) or not (0)", 60, "step-after", { domain: [0, 1] }),
      ],
    },
  };
}

function toPanel(field: string, title: string, height: number, interpolate: string, scale: Spec): Spec {
  return {
    width: 490,
    height,
    mark: { type: "line", interpolate, color: PALETTE[0], point: { color: PALETTE[0], size: 12 } },
    encoding: {
      x: {
        field: "seq",
        type: "quantitative",
        title: "change",
        scale: { zero: false, nice: false },
        axis: { tickMinStep: 1 },
      },
      y: { field, type: "quantitative", title, scale, axis: { tickCount: 3 } },
    },
  };
}
