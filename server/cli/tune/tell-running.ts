import { toErrorBody } from "../../errors.ts";
import { printable } from "../../text/printable.ts";
import type { Version } from "../../versions/version.ts";
import { loadToken } from "../client/service-token.ts";
import { toServiceUrl } from "../client/service-url.ts";
import type { CliContext } from "../command.ts";
import { loadRunning, type Running } from "./load-running.ts";

/**
 * Says to a releaser where experiments run with other values than the defaults that are about to be released. Without
 * `CAIRN_URL` no service is asked; one that does not answer stops no release.
 */
export async function tellRunning(context: CliContext, version: Version): Promise<void> {
  const { environment, err } = context;
  if (environment["CAIRN_URL"] === undefined) return;
  try {
    const service = { url: toServiceUrl(undefined, environment), token: await loadToken(context, undefined) };
    const running = await loadRunning(service, "latest", version);
    for (const line of running.flatMap(describeRunning)) err(line);
    if (running.length > 0) err("`cairn tune apply` makes these values the defaults.");
  } catch (error) {
    err(printable(`The values that experiments run with are not known: ${toErrorBody(error, "none").message}`));
  }
}

/** Lines about one experiment, one for each parameter. */
export function describeRunning({ set, differs, reason }: Running): readonly string[] {
  return differs.map(({ name, from, to }) =>
    printable(
      `${set.name}.${name}: calls run with ${JSON.stringify(to)}, the default is ${JSON.stringify(from)} (${reason}).`,
    ),
  );
}
