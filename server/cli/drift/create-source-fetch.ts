import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { Fetcher } from "../../capabilities/fetch/open-fetcher.ts";
import { CairnError } from "../../errors.ts";
import { isAddress } from "../../imports/openapi/load-document.ts";

/** Part of the platform's `fetch` that is used. */
type SourceFetch = (url: URL, request: SourceRequest) => Promise<Response>;

interface SourceRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

/**
 * Creates a `fetch` that reaches the host of a source alone, by https, with no redirect, and no private address but where the operator
 * maps it: a source, or who may merge its address, could otherwise have a service ask what only its own network reaches. A file has to
 * be one of the checkout, for a link could lead to any file of the machine. @throws BAD_REQUEST
 */
export async function createSourceFetch(
  fetcher: Pick<Fetcher, "send">,
  address: string,
  folder: string,
): Promise<SourceFetch> {
  if (!isAddress(address)) {
    await assertInside(folder, address);
    return () => Promise.reject(new CairnError("BAD_REQUEST", "A file is read, and nothing is asked."));
  }
  const { hostname, port } = new URL(address);
  const egress = [port === "" ? hostname : `${hostname}:${port}`];
  return (url, { method, headers, body, signal }) =>
    fetcher.send({ url: url.href, method, headers, ...(body === null ? {} : { body }) }, egress, signal);
}

async function assertInside(folder: string, path: string): Promise<void> {
  const root = await realpath(folder);
  const found = await realpath(resolve(root, path)).catch(() => undefined);
  const from = found === undefined ? undefined : relative(root, found);
  if (from === undefined || (!from.startsWith("..") && !isAbsolute(from))) return;
  throw new CairnError("BAD_REQUEST", `\`${path.slice(0, 200)}\` is no file of the repository.`);
}
