import type { ConfigReader } from "./config-reader.ts";
import { readSecretReference, type SecretReference } from "./secret-reference.ts";
import { DAY_MS, readDuration } from "../text/duration.ts";

/** Looks of the service at the sources of imports. */
export interface DriftConfig {
  /** Milliseconds from one look to the next. */
  readonly everyMs: number;
  /** Bearer tokens for sources, by name of the import. */
  readonly tokens: ReadonlyMap<string, SecretReference>;
}

export const DRIFT_VARIABLES = {
  CAIRN_DRIFT_EVERY:
    "How often the service asks the sources of the default branch's [imports](drift.md#as-a-schedule-of-the-service) and proposes what has changed: `30m`, `24h`, `7d`; ten minutes at least. Default: never.",
  CAIRN_DRIFT_TOKENS:
    "Comma-separated `import=env:VARIABLE` or `import=file:/path`: where the bearer token is that the source of an import wants. Each goes to that source alone. Default: none.",
} as const;

/** Least interval, in milliseconds: many hosts refuse clients that ask more often, and documents do not change so fast. */
const LEAST_MS = 600_000;
const MOST_MS = 30 * DAY_MS;
/** As `cairn import` has names. */
const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/** Reads when sources are asked, and with which credentials; undefined: never. */
export function readDriftConfig(read: ConfigReader<keyof typeof DRIFT_VARIABLES>): DriftConfig | undefined {
  const { get, wrong, problem, environment } = read;
  const tokens = new Map<string, SecretReference>();
  const entries = (get("CAIRN_DRIFT_TOKENS") ?? "").split(",").map((entry) => entry.trim());
  for (const [index, entry] of entries.filter(Boolean).entries()) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, Math.max(at, 0));
    if (!NAME.test(name)) {
      problem(`entry ${index + 1} of CAIRN_DRIFT_TOKENS must be \`import=env:VARIABLE\` or \`import=file:/path\``);
      continue;
    }
    const reference = readSecretReference(`CAIRN_DRIFT_TOKENS (${name})`, entry.slice(at + 1), environment, problem);
    if (reference !== undefined) tokens.set(name, reference);
  }
  const text = get("CAIRN_DRIFT_EVERY");
  if (text === undefined) return undefined;
  const everyMs = readDuration(text) ?? 0;
  if (everyMs >= LEAST_MS && everyMs <= MOST_MS) return { everyMs, tokens };
  return wrong("CAIRN_DRIFT_EVERY", "it must be a time such as `24h`, from `10m` to `30d`");
}
