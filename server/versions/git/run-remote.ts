import { CairnError } from "../../errors.ts";
import type { Git, RunOptions } from "./git.ts";
import type { Upstream } from "./upstream.ts";

/**
 * Runs a git command that speaks with the upstream, as whoever its token is of; a token that was refused is tried anew
 * once. It stands in the command's environment alone: arguments can be read by every user of a machine, and files stay.
 */
export async function runRemote(
  git: Git,
  upstream: Upstream,
  args: readonly string[],
  options: Omit<RunOptions, "environment">,
): Promise<string> {
  const { address, loadToken } = upstream;
  if (loadToken === undefined) return git.run(args, options);
  const run = (token: string) => git.run(args, { ...options, environment: toEnvironment(address, token) });
  const load = (refused?: string) => unlessStopped(loadToken(refused), options.signal);
  const token = await load();
  try {
    return await run(token);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const next = await load(token);
    if (next === token) throw error;
    return run(next);
  }
}

function toEnvironment(address: string, token: string): Readonly<Record<string, string>> {
  // Any name will do beside a token.
  const header = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  const settings = [
    // An empty one takes back what the machine's own settings add.
    [`http.${new URL(address).origin}/.extraHeader`, ""],
    [`http.${new URL(address).origin}/.extraHeader`, header],
    // Whoever a redirect names would get the token, too.
    ["http.followRedirects", "false"],
    // What is refused is not asked again with passwords of the machine's user.
    ["credential.helper", ""],
  ];
  const pairs = settings.flatMap(([name = "", value = ""], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(settings.length), GIT_ASKPASS: "" };
}

/** Rejects at the end of the signal; the work continues, because others may wait for the provider of tokens as well. */
function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new CairnError("UNAVAILABLE", "The repository is closed."));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

/** Git has no status for a 401: it says that it would now ask for a password. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof CairnError && /could not read (?:Username|Password)|Authentication failed/.test(error.message)
  );
}
