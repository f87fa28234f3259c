import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Fetcher } from "../../capabilities/fetch/open-fetcher.ts";
import {
  type FetchDocument,
  isAddress,
  loadDocument,
  type LoadedDocument,
} from "../../imports/openapi/load-document.ts";
import type { McpSurface } from "../../semver/surfaces/surface.ts";
import type { CliContext } from "../command.ts";
import { openSurface, readHeaders } from "../versions/open-surface.ts";
import type { KnownImport } from "../../imports/drift/list-imports.ts";

/** Content of the source of an import, as it is now. */
export type LoadedSource =
  | { readonly kind: "openapi"; readonly loaded: LoadedDocument }
  | { readonly kind: "mcp"; readonly surface: McpSurface };

/** Places of sources, and credentials for them. */
export interface AskOptions {
  /** Addresses and commands by import, where they are to be asked elsewhere than the service asks. */
  readonly at: ReadonlyMap<string, string>;
  /** Variables with bearer tokens, by import. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Each `header=variable`, by import. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly runsCommands: boolean;
  /** Asks as tools of a service are let out; absent: as the platform does. */
  readonly fetcher?: Pick<Fetcher, "send"> | undefined;
  readonly timeout?: string | undefined;
}

/** Loads the source of an import: nothing of it is kept. Credentials go to the source of their own import alone. */
export async function loadSource(
  context: CliContext,
  { kind, name, from, isCommand }: KnownImport,
  { at, tokens, headers, runsCommands, fetcher, timeout }: AskOptions,
): Promise<LoadedSource> {
  const given = at.get(name);
  const address = given ?? from;
  if (address === "") throw new CairnError("BAD_REQUEST", "Nothing says where it came from.");
  // A checkout of strangers could name any program, and would have it run on the machine that looks for drift.
  if (isCommand && given === undefined && !runsCommands) {
    const how = `\`--run-commands\` starts it, \`--at ${name}=<url|command>\` asks another`;
    throw new CairnError("BAD_REQUEST", `It is a command, which is not started unasked: ${how}.`);
  }
  const guarded = fetcher === undefined ? undefined : await createSourceFetch(fetcher, address, context.folder);
  const source = { address, timeout, tokenEnv: tokens.get(name), headers: headers.get(name) ?? [], fetch: guarded };
  if (kind === "mcp") return { kind, surface: (await openSurface(context, source)).surface };
  const sent = readHeaders(context, source);
  if (guarded !== undefined) {
    const carried: FetchDocument = (url, { signal }) =>
      guarded(new URL(url), { method: "GET", headers: sent, body: null, signal });
    return { kind, loaded: await loadDocument(address, { folder: context.folder, fetch: carried }) };
  }
  const isBare = !isAddress(address) || Object.keys(sent).length === 0;
  // A redirect would take the credentials elsewhere.
  const send: FetchDocument = isBare
    ? fetch
    : (input, init) => fetch(input, { ...init, headers: sent, redirect: "error" });
  return { kind, loaded: await loadDocument(address, { folder: context.folder, fetch: send }) };
}

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
async function createSourceFetch(
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
