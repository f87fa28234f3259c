import { CairnError } from "../../errors.ts";
import { createSourceFetch } from "./create-source-fetch.ts";
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
