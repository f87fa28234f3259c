// What the actions ask of GitHub's REST interface, with nothing but Node: they run before, or without, anything installed.

/** Tries of one request, and the longest wait between two of them in milliseconds. */
const TRIES = 5;
const LONGEST_WAIT = 60_000;

/** Answers whose request may be sent again: it was not done, or it does no harm to do it twice. */
const PASSING = new Set([409, 429, 500, 502, 503, 504]);

/** What GitHub says no to, for good. */
export class Refused extends Error {
  constructor(what, status, message) {
    super(`${what} was refused with ${status}: ${message}`);
    this.status = status;
  }
}

/**
 * `ask(method, path, body)`, with a path of the REST interface or a whole address, resolves with the parsed answer. Waits and tries again when GitHub is busy or limits the
 * rate; `beforeRetry` of a request may find that it is done already, and what it resolves with is then the answer.
 */
export function createGitHub({ base, token, fetch, sleep }) {
  return async function ask(method, path, body, beforeRetry = async () => undefined) {
    for (let count = 1; ; count += 1) {
      const response = await fetch(path.startsWith("/") ? `${base}${path}` : path, {
        method,
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "user-agent": "cairn",
          "x-github-api-version": "2022-11-28",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return text === "" ? undefined : JSON.parse(text);
      const wait = toWait(response, count);
      if (wait === undefined || count === TRIES)
        throw new Refused(`${method} ${path}`, response.status, text.slice(0, 300));
      await sleep(wait);
      const done = await beforeRetry();
      if (done !== undefined) return done;
    }
  };
}

/** Milliseconds until the next try; nothing when there is no use in one. */
function toWait(response, count) {
  const after = Number(response.headers.get("retry-after") ?? Number.NaN) * 1000;
  const isLimited =
    response.status === 403 && (!Number.isNaN(after) || response.headers.get("x-ratelimit-remaining") === "0");
  if (!PASSING.has(response.status) && !isLimited) return undefined;
  return Math.min(LONGEST_WAIT, Number.isNaN(after) ? 1000 * 2 ** (count - 1) : after);
}
