import { splitWords } from "../../capabilities/mcp/client/connect-command.ts";
import { isSecretName } from "../../config/config-secrets.ts";
import { defined } from "../../json/defined.ts";
import { CairnError } from "../../errors.ts";
import { type Imported, importTools, type ImportOptions } from "../../imports/mcp/import-tools.ts";
import type { McpSurface } from "../../semver/surfaces/surface.ts";
import { printable } from "../../text/printable.ts";
import { type Command, type CommandContext, createCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readRepeated } from "../repeated.ts";
import { openSurface, SERVER_OPTIONS } from "../versions/open-surface.ts";
import { createTextReader, hasRoles, putFiles } from "./put-files.ts";

const ADVICE = "Numbers are not checked yet: `cairn bump --tools` raises the versions of what changed.";

/** Creates `cairn import mcp <url|command>`: the tools of a running MCP server become tools of the version here. */
export function createImportMcpCommand(context: CommandContext): Command {
  return createCommand({
    meta: { name: "import mcp", description: "Make the tools of a running MCP server tools of this version" },
    args: {
      address: { type: "positional", required: true, valueHint: "url|command", description: "The running server" },
      name: { type: "string", description: "Name of the upstream (default: made of the server's own)" },
      server: { type: "string", description: "Folder of its tools (default: the name of the upstream)" },
      tool: { type: "string", description: "A tool to bring in; may be repeated (default: all, or those of before)" },
      prefix: { type: "boolean", default: false, description: "Put the name of the folder before the tools' names" },
      as: {
        type: "string",
        valueHint: "url|command",
        description: "What the service is to use, where that is not what is asked here",
      },
      secret: {
        type: "string",
        valueHint: "NAME",
        description: "Secret that the service is to send where `--token-env` or `--header` does now",
      },
      of: { type: "string", description: "Who owns it: service, tenant or caller (default: service)" },
      mount: { type: "string", description: "Folder of CAIRN_MOUNTS that the command sees; may be repeated" },
      "dry-run": { type: "boolean", default: false, description: "Say what would change, and write nothing" },
      ...SERVER_OPTIONS,
      "token-env": {
        ...SERVER_OPTIONS["token-env"],
        description: "Variable with the bearer token for the server's URL",
      },
    },
    async run({ args, rawArgs }) {
      const { address, timeout, "token-env": tokenEnv } = args;
      const secret = readSecret(args, readRepeated(rawArgs, "header"));
      const source = { address, timeout, tokenEnv, headers: readRepeated(rawArgs, "header") };
      const { surface } = await openSurface(context, source);
      const name = args.name ?? toName(surface);
      const wanted = readRepeated(rawArgs, "tool");
      const imported = await importTools({
        surface,
        name,
        server: args.server ?? name.replaceAll("_", "-"),
        reach: readReach(args.as ?? address, readRepeated(rawArgs, "mount")),
        ...defined({ secret }),
        ...(wanted.length === 0 ? {} : { wanted }),
        isPrefixed: args.prefix === true,
        isGuarded: await hasRoles(context.folder),
        readText: createTextReader(context.folder),
      });
      await report(context, name, surface, imported);
      if (args["dry-run"] === true) return EXIT.OK;
      await putFiles(context.folder, imported.files);
      const code = await context.runCommand(["validate", ".", "--no-number"], context);
      const isOther = [imported.added, imported.changed, imported.gone].some(({ length }) => length > 0);
      if (code === EXIT.OK && isOther) context.out(ADVICE);
      return code;
    },
  });
}

function toName({ server }: McpSurface): string {
  const name = server.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, 60);
  if (name !== "") return name;
  throw new CairnError("BAD_REQUEST", "The server's own name gives no name for the upstream: give one with `--name`.");
}

/** Reads the secret that the service is to send, carried as the credentials of this import are. @throws BAD_REQUEST */
function readSecret(
  {
    secret,
    of = "service",
    "token-env": tokenEnv,
  }: Readonly<Record<"secret" | "of" | "token-env", string | undefined>>,
  headers: readonly string[],
): ImportOptions["secret"] {
  if (secret === undefined) return undefined;
  const refuse = (why: string) => new CairnError("BAD_REQUEST", `\`--secret\` ${why}.`);
  if (!isSecretName(secret)) throw refuse("is a name in capital letters, digits and `_`, such as GITHUB");
  if (of !== "service" && of !== "tenant" && of !== "caller") throw refuse("is `--of` service, tenant or caller");
  if (headers.length + (tokenEnv === undefined ? 0 : 1) > 1) {
    throw refuse("is sent in one header: give one of `--token-env` and `--header`, and add others to the manifest");
  }
  const [header] = (headers[0] ?? "").split("=");
  if (header) return { name: secret, of, header };
  return { name: secret, of, header: "Authorization", format: "Bearer {}" };
}

/** Reads where the service finds the server. @throws BAD_REQUEST for an address that no service may ask. */
function readReach(address: string, mounts: readonly string[]): ImportOptions["reach"] {
  if (address.startsWith("https://")) return { url: address };
  if (address.startsWith("http://")) {
    const { pathname } = new URL(address);
    throw new CairnError(
      "BAD_REQUEST",
      `A service asks upstreams over HTTPS alone. Name the address that it is to use with \`--as https://files.internal${pathname}\`, and for a private one tell the service where that is: \`CAIRN_EGRESS_MAP=files.internal=${new URL(address).origin}\`.`,
    );
  }
  return { command: splitWords(address), ...(mounts.length === 0 ? {} : { mounts }) };
}

async function report(
  { out, err, folder }: CommandContext,
  name: string,
  { server, protocol }: McpSurface,
  { files, added, changed, gone, deleted, others, notes }: Imported,
): Promise<void> {
  out(`${name}: ${printable(server.name)} ${printable(server.version)}, MCP ${protocol}`);
  const lists = {
    new: added,
    changed,
    gone,
    "deleted here, and not written again (`--tool <name>` does)": deleted,
    "not imported (`--tool <name>` brings one in)": others,
  };
  for (const [what, tools] of Object.entries(lists)) {
    if (tools.length > 0) out(`  ${what}: ${tools.map(printable).join(", ")}`);
  }
  const readText = createTextReader(folder);
  for (const [path, text] of files) {
    const before = await readText(path);
    if (before !== text) out(`  ${text === undefined ? "remove" : before === undefined ? "add" : "change"} ${path}`);
  }
  for (const note of notes) err(`  ${printable(note)}`);
}
