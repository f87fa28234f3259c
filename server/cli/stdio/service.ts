import type { CliContext } from "../command.ts";
import { toServiceUrl } from "../client/service-url.ts";

export interface FoundService {
  readonly url: string;
  /** Finds the service's address after the URL `gone` stopped answering; absent where a person chose the address. */
  readonly findOther?: (gone: string) => Promise<string>;
  /** Ends what was started here, and nothing else. */
  readonly close: () => Promise<void>;
}

export interface ServiceChoice {
  readonly url?: string | undefined;
  readonly repository?: string | undefined;
  readonly data?: string | undefined;
}

/** Milliseconds for a service on this machine to say that it is one. */
const PROBE_MS = 2000;

/**
 * The service to bridge to. One that somebody named is taken as it is; without a name, the one at the usual address, or
 * else one of our own, which ends with us. `repository` and `data` say what it serves, so they always mean our own.
 */
export async function findService(context: CliContext, choice: ServiceChoice): Promise<FoundService> {
  const { environment, err } = context;
  if (choice.repository === undefined && choice.data === undefined) {
    const url = toServiceUrl(choice.url, environment);
    const isNamed = (choice.url ?? environment["CAIRN_URL"]) !== undefined;
    if (isNamed || (await isCairn(url))) return { url, close: () => Promise.resolve() };
  }
  // Loaded only now, because a bridge to another process needs none of it.
  const { openOrJoin } = await import("../service/run-service.ts");
  const options = { command: "stdio", host: "127.0.0.1", port: "0", ...choice } as const;
  const open = async () => {
    const opened = await openOrJoin(context, options);
    const [what, stays] = opened.isOwn ? ["serving", "the client"] : ["using the service", "it"];
    err(`cairn: ${what} at ${opened.url} as long as ${stays} stays`);
    return opened;
  };
  let current = await open();
  let finding: Promise<string> | undefined;

  /** The other bridge that had the service has ended, or somebody has ended the service. */
  async function replace(): Promise<string> {
    await current.close();
    current = await open();
    return current.url;
  }

  return {
    url: current.url,
    async findOther(gone) {
      if (current.url !== gone) return current.url;
      // Requests that find it gone at the same time look for it once.
      finding ??= replace().finally(() => (finding = undefined));
      return finding;
    },
    async close() {
      await finding?.catch(() => undefined);
      await current.close();
    },
  };
}

async function isCairn(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/versions?limit=0`, { signal: AbortSignal.timeout(PROBE_MS) });
    // One that wants a token is shown none before somebody named it.
    if (response.status === 401) return response.headers.get("www-authenticate")?.includes('realm="cairn"') === true;
    const body = (await response.json()) as { versions?: unknown } | null;
    return response.ok && Array.isArray(body?.versions);
  } catch {
    // Nobody there, or somebody else.
    return false;
  }
}
