import { type Octokit, RequestError } from "octokit";
import { CairnError } from "../../errors.ts";
import { createSerial } from "../../serial.ts";
import type { ForgeTime } from "../forge-time.ts";
import { type GraphqlError, isGraphqlError, toCairnError, toWords } from "./to-cairn-error.ts";

/** Requests to GitHub, at the pace that it asks for. */
export interface GitHubApi {
  readonly octokit: Octokit;
  /** Rejects with a `CairnError` that says it was asked to `what`. */
  read<Data>(what: string, ask: Ask<Data>): Promise<Data>;
  /** The same, of what there may not be. */
  find<Data>(what: string, ask: Ask<Data>): Promise<Data | undefined>;
  /**
   * Writes go one after the other. One that fails is asked again, so it has to be such that twice is once; `once` keeps
   * from that. A refusal of one of the given statuses comes back.
   */
  write<Data>(what: string, ask: Ask<Data>, options?: WriteOptions): Promise<Written<Data>>;
  /** Reads by GraphQL what REST does not have. */
  query<Data>(what: string, document: string, variables: Readonly<Record<string, unknown>>): Promise<Data>;
  /** Writes by GraphQL what REST cannot. A refusal comes back, but for one that asks for patience: that is waited for. */
  mutate<Data>(what: string, document: string, input: Readonly<Record<string, unknown>>): Promise<Written<Data>>;
}

type Ask<Data> = () => Promise<{ readonly data: Data }>;
export type Written<Data> =
  { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly status: number; readonly words: string };

export interface WriteOptions {
  readonly refusals?: readonly number[];
  readonly once?: boolean;
}

/** GitHub wants at least a second between writes. */
const WRITE_GAP_MS = 1_000;
const MAX_REPEATS = 2;
const BACK_OFF_MS = 1_000;
/** GitHub's advice where it names no time. */
const LIMIT_WAIT_MS = 60_000;
/** Whoever has to wait longer is told to come back. */
const MAX_WAIT_MS = 120_000;

export function createGitHubApi(octokit: Octokit, time: ForgeTime): GitHubApi {
  let lastWrite = -Infinity;
  const inTurn = createSerial();

  async function repeat<Data>(what: string, ask: Ask<Data>, maxRepeats: number): Promise<Data> {
    for (let repeats = 0, waits = 0; ;) {
      try {
        return (await ask()).data;
      } catch (error) {
        const limitedMs = findWait(error, time);
        if (limitedMs !== undefined) {
          if (limitedMs > MAX_WAIT_MS || waits++ >= MAX_REPEATS) throw tooMuch(what, limitedMs);
          await time.sleep(limitedMs);
        } else if (isPassing(error) && repeats < maxRepeats) {
          await time.sleep(BACK_OFF_MS * 3 ** repeats++ * (1 + time.random()));
        } else throw error;
      }
    }
  }

  const read = <Data>(what: string, ask: Ask<Data>) =>
    repeat(what, ask, MAX_REPEATS).catch((error: unknown) => {
      throw toCairnError(error, what);
    });

  async function write<Data>(what: string, ask: Ask<Data>, options: WriteOptions): Promise<Written<Data>> {
    const { refusals = [], once = false } = options;
    const wait = lastWrite + WRITE_GAP_MS - time.now();
    if (wait > 0) await time.sleep(wait);
    try {
      return { ok: true, data: await repeat(what, ask, once ? 0 : MAX_REPEATS) };
    } catch (error) {
      if (isGraphqlError(error) && findWait(error, time) === undefined) {
        return { ok: false, status: 200, words: toWords(error) };
      }
      const isRefusal =
        error instanceof RequestError && error.response !== undefined && refusals.includes(error.status);
      if (!isRefusal) throw toCairnError(error, what);
      return { ok: false, status: error.status, words: toWords(error) };
    } finally {
      lastWrite = time.now();
    }
  }

  return {
    octokit,
    read,
    find: (what, ask) =>
      read(what, ask).catch((error: unknown) => {
        if (error instanceof CairnError && error.name === "NOT_FOUND") return undefined;
        throw error;
      }),
    write: (what, ask, options = {}) => inTurn(() => write(what, ask, options)),
    query: <Data>(what: string, document: string, variables: Readonly<Record<string, unknown>>) =>
      read<Data>(what, async () => ({ data: await octokit.graphql<Data>(document, variables) })),
    mutate: <Data>(what: string, document: string, input: Readonly<Record<string, unknown>>) =>
      inTurn(() => write<Data>(what, async () => ({ data: await octokit.graphql<Data>(document, { input }) }), {})),
  };
}

/** How long GitHub asks to be left alone, in milliseconds; `undefined` when that is not what it says. */
function findWait(error: unknown, time: ForgeTime): number | undefined {
  const isGraphql = isGraphqlError(error);
  if (isGraphql && !error.errors.some(isLimit)) return undefined;
  if (!isGraphql && (!(error instanceof RequestError) || ![403, 429].includes(error.status))) return undefined;
  const headers = (isGraphql ? error.headers : error.response?.headers) ?? {};
  const after = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(after)) return Math.max(0, after) * 1000;
  if (headers["x-ratelimit-remaining"] === "0") {
    return Math.max(0, Number(headers["x-ratelimit-reset"] ?? 0) * 1000 - time.now());
  }
  // GraphQL has nothing but words for it.
  if (isGraphql) return LIMIT_WAIT_MS;
  return error.status === 429 || /secondary rate/i.test(error.message) ? LIMIT_WAIT_MS : undefined;
}

function isLimit({ type, message }: GraphqlError["errors"][number]): boolean {
  return type?.startsWith("RATE_LIMIT") === true || /rate limit/i.test(message);
}

/** A fault of the moment: nobody can tell whether what was asked is done. */
function isPassing(error: unknown): boolean {
  return error instanceof RequestError && (error.response === undefined || error.status >= 500);
}

function tooMuch(what: string, waitMs: number): CairnError {
  const seconds = Math.ceil(waitMs / 1000);
  const message = `GitHub was asked to ${what}, and wants no more requests for ${seconds} seconds.`;
  return new CairnError("UNAVAILABLE", message, { details: { retryAfterSeconds: seconds } });
}
