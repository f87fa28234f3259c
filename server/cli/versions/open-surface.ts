import { access, constants, open, readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createSecretMask, type MaskSecrets } from "../../capabilities/secrets/mask-secrets.ts";
import { isSecretValue } from "../../capabilities/secrets/secrets.ts";
import { defined } from "../../json/defined.ts";
import { CairnError } from "../../errors.ts";
import { readSurface, type McpSurface } from "../../semver/surfaces/surface.ts";
import type { SavedFile } from "../../semver/surfaces/format-surface-difference.ts";
import { loadGit } from "../../versions/git/git.ts";
import { type CliContext, version } from "../command.ts";
import { connectCommand } from "../../capabilities/mcp/client/connect-command.ts";
import { connectUrl, type Fetch, type Headers } from "../../capabilities/mcp/client/connect-url.ts";
import { loadSurface } from "../../capabilities/mcp/client/load-surface.ts";
import { readNumber } from "../read-number.ts";

/** File in which a surface is saved, and looked for, unless another is named. */
export const SURFACE_FILE = "mcp-surface.json";

/** Options that say how servers are asked. */
export const SERVER_OPTIONS = {
  "token-env": {
    type: "string",
    valueHint: "variable",
    description: "Variable of the environment with the bearer token for the URL of `--mcp`",
  },
  header: {
    type: "string",
    valueHint: "name=variable",
    description: "Another header for that URL, and the variable with its value; may be repeated",
  },
  timeout: { type: "string", valueHint: "seconds", description: "How long one server may take in all (default: 60)" },
} as const;

const CREDENTIALS_HINT = "name the variable that holds a token with `--token-env`, or another header's with `--header`";

/** Origin of a surface, and what is sent to a URL. */
export interface SurfaceSource {
  readonly address: string;
  readonly tokenEnv?: string | undefined;
  /** Each `name=variable`. */
  readonly headers?: readonly string[];
  readonly timeout?: string | undefined;
  /** Absent: the platform's. */
  readonly fetch?: Fetch | undefined;
}

type Surroundings = Pick<CliContext, "folder" | "environment">;

/**
 * Opens a surface: a saved one as a file of any name or as `<ref>:<file>` of the git repository here, or that of a running server,
 * which a URL names or a command starts.
 */
export async function openSurface(
  context: Surroundings,
  source: SurfaceSource,
): Promise<{ readonly surface: McpSurface; readonly saved?: SavedFile }> {
  const { address } = source;
  const headers = readHeaders(context, source);
  if (isUrl(address)) return { surface: await askServer(context, source, headers) };
  const path = resolve(context.folder, address);
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  if (isFile && (address.endsWith(".json") || (await beginsAsJson(path)))) {
    const text = await readFile(path, "utf8");
    return { surface: readSurface(text, address), saved: { name: address, text } };
  }
  const [, ref, file] = /^([^\s:]+):([^\s:]+\.json)$/.exec(address) ?? [];
  if (ref !== undefined && file !== undefined) {
    const text = await readCommitted(context, ref, file);
    return { surface: readSurface(text, address), saved: { name: file, text } };
  }
  if (/^\S+\.json$/.test(address)) {
    const hint = `\`cairn surface save --mcp <url|command> ${address}\` writes one`;
    throw new CairnError("BAD_REQUEST", `There is no saved surface \`${address}\`; ${hint}.`);
  }
  if (isFile && !(await isProgram(path))) {
    throw new CairnError(
      "BAD_REQUEST",
      `\`${address}\` is neither a saved surface, which begins with \`{\`, nor a program that may be run; give a URL, a command, or a file that \`cairn surface save\` wrote.`,
    );
  }
  return { surface: await askServer(context, source, headers) };
}

/** Reads the first byte alone: programs are large, and some may be run but not read. */
async function beginsAsJson(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  try {
    return (await file?.read(Buffer.alloc(1), 0, 1, 0))?.buffer.toString() === "{";
  } finally {
    await file?.close();
  }
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function askServer(context: Surroundings, source: SurfaceSource, headers: Headers): Promise<McpSurface> {
  const seconds = readNumber("timeout", source.timeout, { otherwise: 60, min: 1, max: 3_600, isWhole: false });
  const { folder, environment } = context;
  const { address } = source;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1_000);
  const { signal } = limit;
  try {
    const connection = isUrl(address)
      ? connectUrl(new URL(address), {
          headers,
          signal,
          fetch: source.fetch ?? fetch,
          hint: CREDENTIALS_HINT,
          ...defined({ mask: toMask(headers) }),
        })
      : connectCommand(address, { folder, environment, signal });
    try {
      return await loadSurface(connection, version);
    } finally {
      await connection.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** A server may repeat what it was sent in what it lists, which is written into files to commit. */
function toMask(headers: Headers): MaskSecrets | undefined {
  const values = Object.values(headers).map((value) => value.replace(/^(?:Bearer|Basic|Token) /i, ""));
  const found = values.filter(isSecretValue);
  return found.length === 0 ? undefined : createSecretMask(found);
}

async function readCommitted({ folder, environment }: Surroundings, ref: string, file: string): Promise<string> {
  const git = await loadGit({ environment });
  return git.run(["-C", folder, "show", "--end-of-options", `${ref}:./${file}`]).catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `There is no saved surface \`${file}\` in \`${ref}\` of the repository here.`, {
      cause,
    });
  });
}

/** Reads what is sent to a URL, by reference: every user of a machine can read the arguments of all its programs. */
export function readHeaders(
  { environment }: Surroundings,
  { tokenEnv, headers = [], address }: SurfaceSource,
): Headers {
  const named = headers.map((header): readonly [string, string] => {
    const [, name, variable] = /^([A-Za-z0-9-]+)=([A-Za-z_]\w*)$/.exec(header) ?? [];
    if (name !== undefined && variable !== undefined) return [name, readVariable(variable)];
    throw new CairnError("BAD_REQUEST", "`--header` is `name=variable`: a header, and the variable with its value.");
  });
  const all =
    tokenEnv === undefined ? named : [...named, ["authorization", `Bearer ${readVariable(tokenEnv)}`] as const];
  if (all.length > 0 && !isUrl(address)) {
    throw new CairnError("BAD_REQUEST", `Headers go to a URL, and \`${address.slice(0, 100)}\` is none.`);
  }
  return Object.fromEntries(all);

  function readVariable(name: string): string {
    const value = environment[name]?.trim() ?? "";
    if (/^[\t\x20-\x7e]+$/.test(value)) return value;
    throw new CairnError("BAD_REQUEST", `The variable ${name.slice(0, 100)} holds nothing that a header could carry.`);
  }
}

function isUrl(address: string): boolean {
  return /^https?:\/\//.test(address) && URL.canParse(address);
}
