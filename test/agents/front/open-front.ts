import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startCairn } from "../../helpers/cairn.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { installPackages } from "../../helpers/install-packages.ts";
import { openRepository } from "../../helpers/repository.ts";
import { type AtEnd, temporaryFolder } from "../../helpers/temporary.ts";
import { runIn } from "../../server/cli/run-in.ts";
import { type AskingServer, startAskingServer } from "./asking-server.ts";
import { LENT_FILES, startEverything, toFilesCommand } from "./servers.ts";

/** Revisions that Cairn offers, by how a client of the official SDK is made to speak them. */
export const ERAS = { "2025-11-25": "legacy", "2026-07-28": { pin: "2026-07-28" } } as const;
export type Era = keyof typeof ERAS;
export type Upstream = "everything" | "files" | "asking";

/** Service in front of the official servers, and those servers themselves. */
export interface Front {
  /** Output of the commands that made the agent. */
  readonly printed: string;
  /** Address of the version, without the name of a server. */
  readonly url: string;
  /** Process of the service. */
  readonly pid: number;
  /** Address of `server-everything` itself. */
  readonly everything: string;
  /** Command that runs `server-filesystem` without Cairn. */
  readonly files: readonly string[];
  readonly asking: AskingServer;
  /** Documents of the server that is asked directly, and of the one behind Cairn. */
  readonly docs: { readonly direct: string; readonly fronted: string };
  /** Clients of the servers themselves, which declare nothing that they can be asked. */
  readonly direct: Readonly<Record<Upstream, Client>>;
  /** Opens a client of `server-everything` itself that can be asked everything. */
  openAskable(): Promise<Client>;
  openFronted(upstream: Upstream, era: Era): Promise<Client>;
}

const INFO = { name: "test", version: "1.0.0" };
const POLICY = `commands:
  - { program: node, arguments: [${LENT_FILES.split(" ").slice(1).join(", ")}] }
`;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
  "base64",
);
const DOCUMENTS = {
  "refunds.txt": "Refunds\ntake three days.\n",
  "pixel.png": PIXEL,
  "beep.wav": Buffer.from("RIFF"),
  "data.bin": Buffer.from([0, 1, 2, 255]),
};

/** Makes an agent of three imported servers with the commands of the documentation, releases it, and serves it. */
export async function openFront(atEnd: AtEnd): Promise<Front> {
  const packages = await installPackages("test/agents/front");
  const docs = { direct: await makeDocuments(atEnd), fronted: await makeDocuments(atEnd) };
  const everything = await startEverything(packages, await findFreePort(), atEnd);
  const asking = await startAskingServer(atEnd);
  const files = toFilesCommand(packages, docs.direct);
  const folder = join(await temporaryFolder(atEnd), "agent");
  const printed = await makeAgent(folder, [
    [`${everything}/mcp`, "--name", "everything", "--as", "https://everything.internal/mcp"],
    [asking.url, "--name", "asking", "--as", "https://asking.internal/mcp"],
    [files.join(" "), "--name", "files", "--as", LENT_FILES, "--mount", "packages", "--mount", "docs"],
  ]);
  const { url: origin, pid } = await startCairn(
    ["serve", folder, "--data", await temporaryFolder(atEnd)],
    {
      CAIRN_EGRESS_MAP: `everything.internal=${everything},asking.internal=${asking.origin}`,
      CAIRN_MOUNTS: `packages=${packages},docs=${docs.fronted}:rw`,
    },
    atEnd,
  );
  const url = `${origin}/agent/0.1.1`;
  const [program = "", ...args] = files;
  const toDirect: Readonly<Record<Upstream, () => Transport>> = {
    everything: () => new StreamableHTTPClientTransport(new URL(`${everything}/mcp`)),
    asking: () => new StreamableHTTPClientTransport(new URL(asking.url)),
    files: () => new StdioClientTransport({ command: program, args, stderr: "ignore" }),
  };
  const connect = async (transport: Transport, era: Era, capabilities = {}) => {
    const client = new Client(INFO, { capabilities, versionNegotiation: { mode: ERAS[era] } });
    await client.connect(transport);
    atEnd(() => client.close());
    return client;
  };
  return {
    printed,
    url,
    pid,
    everything: `${everything}/mcp`,
    files,
    asking,
    docs,
    direct: {
      everything: await connect(toDirect.everything(), "2025-11-25"),
      files: await connect(toDirect.files(), "2025-11-25"),
      asking: await connect(toDirect.asking(), "2025-11-25"),
    },
    openAskable: () => connect(toDirect.everything(), "2025-11-25", { sampling: {}, elicitation: {}, roots: {} }),
    openFronted: (upstream, era) => connect(new StreamableHTTPClientTransport(new URL(`${url}/${upstream}`)), era),
  };
}

/** Makes a folder that the account of commands may write, also where the service is root. */
async function makeDocuments(atEnd: AtEnd): Promise<string> {
  const folder = join(await temporaryFolder(atEnd), "docs");
  await mkdir(folder);
  for (const [name, content] of Object.entries(DOCUMENTS)) await writeFile(join(folder, name), content);
  await cp(join(folder, "refunds.txt"), join(folder, "old.txt"));
  await chmod(folder, 0o777);
  return folder;
}

async function makeAgent(folder: string, imports: readonly (readonly string[])[]): Promise<string> {
  let all = "";
  const cairn = async (cwd: string, ...argv: string[]) => {
    const { code, printed } = await runIn(cwd, argv);
    if (code !== 0) throw new Error(`cairn ${argv.join(" ")} ended with ${code}:\n${printed}`);
    all += `${printed}\n`;
  };
  await cairn(join(folder, ".."), "init", "agent");
  await mkdir(join(folder, "manifests/policies"));
  await writeFile(join(folder, "manifests/policies/access.yaml"), POLICY);
  for (const argv of imports) await cairn(folder, "import", "mcp", ...argv);
  await cairn(folder, "bump");
  const repository = openRepository(folder);
  await repository.git("config", "user.name", "Ana");
  await repository.git("config", "user.email", "ana@example.com");
  await repository.commit({});
  await cairn(folder, "release");
  return all;
}
