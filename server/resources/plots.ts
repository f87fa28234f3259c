import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { CairnError } from "../errors.ts";
import type { Ledger } from "../capabilities/tuner/ledger.ts";
import type { Ledgers } from "../capabilities/tuner/ledgers.ts";
import { type Collected, collectSeries, createCollected } from "../capabilities/tuner/plots/collect-series.ts";
import type { Renderer } from "../capabilities/tuner/plots/open-renderer.ts";
import { type Plot, PLOTS } from "../capabilities/tuner/plots/plots.ts";
import type { Provider, ResourceRequest } from "./provider.ts";

/** Experiments whose series are kept in memory, so that only new events are read for the next picture. */
const SERIES_LIMIT = 50;
/** Pictures kept, of some 30 kB each and 300 kB at most. */
const PICTURES_LIMIT = 64;
/** Events folded at a stretch, before others have their turn. */
const STRETCH = 10;

/** `assets://plots/{name}.svg`: the picture `<experiment>-<plot>` of an experiment of this version, as SVG text. */
export function createPlots(options: {
  readonly ledgers: Ledgers;
  readonly renderer: Pick<Renderer, "render">;
}): Provider {
  const { ledgers, renderer } = options;
  /** By log; each is read after the one before it, so that no event is folded twice. */
  const series = new LRUCache<string, Promise<Collected>>({ max: SERIES_LIMIT });
  const pictures = new LRUCache<string, Promise<string>>({ max: PICTURES_LIMIT });

  return async (request) => {
    const { experiment, plot } = readName(request);
    const ledger = await ledgers.open(request.principal.tenant, request.version, experiment);
    if (ledger === undefined || !plot.suits(ledger.set)) throw notFound(request);
    const before = series.get(ledger.log) ?? Promise.resolve(createCollected(ledger.set));
    const reading = before.then((collected) => readOn(ledger, collected));
    series.set(ledger.log, reading);
    // What could not be read is read from the beginning next time.
    reading.catch(() => series.delete(ledger.log));
    return drawOnce(ledger, plot, await reading);
  };

  function drawOnce({ log, set }: Ledger, plot: Plot, collected: Collected): Promise<string> {
    const key = JSON.stringify([log, plot.name, collected.state.seq]);
    const known = pictures.get(key);
    if (known !== undefined) return known;
    const drawing = renderer.render(plot.draw(set, collected));
    pictures.set(key, drawing);
    drawing.catch(() => pictures.delete(key));
    return drawing;
  }
}

/** Both parts of a picture's name may have hyphens; no plot's name ends with another's. */
function readName(request: ResourceRequest): { readonly experiment: string; readonly plot: Plot } {
  const name = request.variables["name"] ?? "";
  const plot = PLOTS.find((one) => name.endsWith(`-${one.name}`));
  if (plot === undefined) throw notFound(request);
  return { experiment: name.slice(0, -plot.name.length - 1), plot };
}

function notFound({ uri }: ResourceRequest): CairnError {
  return new CairnError("NOT_FOUND", `There is no picture \`${uri}\` in this version.`, { details: { uri } });
}

async function readOn({ set, events }: Ledger, from: Collected): Promise<Collected> {
  let collected = from;
  let count = 0;
  for await (const { event } of events(from.state.seq + 1)) {
    collected = collectSeries(set, collected, event);
    if (++count % STRETCH === 0) await setImmediate();
  }
  return collected;
}
