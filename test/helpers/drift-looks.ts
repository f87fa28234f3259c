import { expect, vi } from "vitest";
import type { DriftTime } from "../../server/architect/renewals/open-drift-schedule.ts";
import { createLog } from "../../server/log/log.ts";
import type { Service, ServiceOptions } from "../../server/app/app.ts";

const DAY = 86_400_000;
/** Milliseconds from which a wait is for the next look. */
const LONG_WAIT = 30_000;

interface Line {
  readonly msg: string;
  readonly [name: string]: unknown;
}

/** Looks of a service at the sources of imports, each made when a test says so. */
export interface DriftLooks {
  /** For the service. */
  readonly options: Pick<ServiceOptions, "log" | "driftTime">;
  /** Makes one look, and returns what the log said of each import at its end. */
  look(service: Service): Promise<Readonly<Record<string, Line>>>;
  listMetrics(service: Service): Promise<readonly string[]>;
}

export function createDriftLooks(): DriftLooks {
  const lines: Line[] = [];
  let now = Date.UTC(2026, 0, 1);
  let wake = () => undefined as void;
  const driftTime: DriftTime = {
    now: () => now,
    random: () => 0,
    // What waits for a forge is not what is tested.
    sleep: (ms, signal) =>
      ms < LONG_WAIT
        ? Promise.resolve()
        : new Promise<void>((resolve, reject) => {
            wake = resolve;
            signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          }),
  };
  const listMetrics: DriftLooks["listMetrics"] = async ({ url }) =>
    (await (await fetch(`${url}/metrics`)).text()).match(/^cairn_drift_.*$/gm) ?? [];
  return {
    options: { log: createLog("info", { write: (line) => void lines.push(JSON.parse(line) as Line) }), driftTime },
    listMetrics,
    async look(service) {
      const from = lines.length;
      now += DAY;
      wake();
      const ended = `cairn_drift_last_look_timestamp_seconds ${now / 1000}`;
      const isOver = async () => expect(await listMetrics(service)).toContain(ended);
      await vi.waitFor(isOver, { timeout: 120_000, interval: 100 });
      const said = lines.slice(from).filter((line) => line["import"] !== undefined && !("state" in line));
      return Object.fromEntries(said.map((line) => [String(line["import"]), line]));
    },
  };
}
