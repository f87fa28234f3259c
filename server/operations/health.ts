/** As the health check response format has it (draft-inadarei-api-health-check-06 §3.1). */
type HealthStatus = "pass" | "warn" | "fail";

export interface CheckResult {
  readonly status: HealthStatus;
  readonly observedValue?: unknown;
  readonly observedUnit?: string;
  /** Reason why it does not pass. */
  readonly output?: string;
}

export interface HealthCheck {
  /** `component:measurement`, such as `store:commit`. */
  readonly name: string;
  readonly run: () => CheckResult | Promise<CheckResult>;
}

export interface Health {
  readonly status: HealthStatus;
  readonly checks: Readonly<Record<string, CheckResult>>;
  /** RFC 3339. */
  readonly time: string;
}

export interface HealthOptions {
  readonly checks: readonly HealthCheck[];
  readonly now: () => number;
  /** Told of checks that threw: their errors are not shown. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds that one check may take before it fails. */
  readonly limitMs?: number;
}

/** Milliseconds for which what was found is told again, so that whoever asks often costs nothing. */
const KEPT_MS = 1000;

/** Looks at everything that the service needs; whoever asks meanwhile gets the same answer. Never rejects. */
export function createHealth({ checks, now, onError, limitMs = 1000 }: HealthOptions): () => Promise<Health> {
  let known: { readonly at: number; readonly health: Promise<Health> } | undefined;

  async function look(): Promise<Health> {
    const results = await Promise.all(checks.map(async (check) => [check.name, await runWithin(check)] as const));
    const statuses = new Set(results.map(([, { status }]) => status));
    const status = statuses.has("fail") ? "fail" : statuses.has("warn") ? "warn" : "pass";
    return { status, checks: Object.fromEntries(results), time: new Date(now()).toISOString() };
  }

  async function runWithin({ run }: HealthCheck): Promise<CheckResult> {
    const { promise, resolve } = Promise.withResolvers<CheckResult>();
    const timer = setTimeout(resolve, limitMs, { status: "fail", output: `No answer within ${limitMs} ms.` });
    try {
      return await Promise.race([run(), promise]);
    } catch (error) {
      onError(error);
      return { status: "fail", output: "It failed; the log holds the details." };
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    if (known === undefined || now() - known.at >= KEPT_MS) known = { at: now(), health: look() };
    return known.health;
  };
}
