import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { Client as ClientV2, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../helpers/temporary.ts";

/** What tests do with a client, whichever it is. */
interface Driver {
  /** The revision that was agreed on, where the client tells it. */
  readonly revision?: string | undefined;
  listTools(): Promise<readonly string[]>;
  call(name: string, args: Readonly<Record<string, number>>): Promise<{ isError: boolean; text: string }>;
  read(uri: string): Promise<string>;
}

interface Target {
  /** The service's own address. */
  readonly service: string;
  readonly version: string;
  readonly server: string;
  /** Where packages are installed that are run as programs. */
  readonly packages: string;
}

/** Opens a client for the current test. */
export type OpenDriver = (target: Target) => Promise<Driver>;

type V2Mode = NonNullable<NonNullable<ClientOptions["versionNegotiation"]>["mode"]>;
type V1Transport = Parameters<Client["connect"]>[0];
type Result = Readonly<Record<string, unknown>>;

/** What each client that can be asked something answers. */
const REPLY = { action: "accept" as const, content: { name: "Ada" } };
const CAPABILITIES = { capabilities: { elicitation: {} } };
const INFO = { name: "test", version: "1.0.0" };

export const openV1Http: OpenDriver = (target) => openV1(new HttpV1(new URL(toUrl(target))) as V1Transport);

export const openV1Stdio: OpenDriver = (target) => openV1(new StdioClientTransport(toBridge(target)));

/** A bridge of somebody else's, between the SDK over stdio and our HTTP. */
export const openMcpRemote: OpenDriver = async (target) => {
  const proxy = join(target.packages, "mcp-remote/dist/proxy.js");
  const args = [proxy, toUrl(target), "--transport", "http-only", "--allow-http"];
  const env = { PATH: process.env["PATH"] ?? "", MCP_REMOTE_CONFIG_DIR: await temporaryFolder() };
  return openV1(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
};

export function openV2Http(mode: V2Mode): OpenDriver {
  return (target) => openV2(mode, new StreamableHTTPClientTransport(new URL(toUrl(target))));
}

export function openV2Stdio(mode: V2Mode): OpenDriver {
  return (target) => openV2(mode, new StdioV2(toBridge(target)));
}

/** The Inspector's command: a process, and a connection, for each request. */
export const openInspector: OpenDriver = async (target) => {
  const launcher = join(target.packages, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const env = { PATH: process.env["PATH"], HOME: await temporaryFolder() };
  const ask = (method: string, ...more: readonly string[]) =>
    new Promise<Result>((done, fail) => {
      const args = [launcher, "--cli", "--transport", "http", "--method", method, ...more, "--", toUrl(target)];
      // It ends with an error's code after an error's answer, which it prints all the same.
      execFile(process.execPath, args, { env }, (_, stdout, stderr) => {
        try {
          done(JSON.parse(stdout) as Result);
        } catch {
          fail(new Error(stderr));
        }
      });
    });
  return {
    listTools: async () => toNames(await ask("tools/list")),
    call: async (name, args) => {
      const pairs = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
      return toAnswer(await ask("tools/call", "--tool-name", name, ...pairs));
    },
    read: async (uri) => toText(await ask("resources/read", "--uri", uri)),
  };
};

async function openV1(transport: V1Transport): Promise<Driver> {
  const client = new Client(INFO, CAPABILITIES);
  client.setRequestHandler(ElicitRequestSchema, () => REPLY);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    listTools: async () => toNames(await client.listTools()),
    call: async (name, args) => toAnswer(await client.callTool({ name, arguments: args })),
    read: async (uri) => toText(await client.readResource({ uri })),
  };
}

async function openV2(mode: V2Mode, transport: Parameters<ClientV2["connect"]>[0]): Promise<Driver> {
  const client = new ClientV2(INFO, { ...CAPABILITIES, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", () => REPLY);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: async () => toNames(await client.listTools()),
    call: async (name, args) => toAnswer(await client.callTool({ name, arguments: args })),
    read: async (uri) => toText(await client.readResource({ uri })),
  };
}

function toUrl({ service, version, server }: Target): string {
  return `${service}/agent/${version}/${server}`;
}

/** `cairn stdio`, as a client starts it. */
function toBridge({ service, version, server }: Target) {
  const args = [resolve("bin/cairn.mjs"), "stdio", version, server, "--url", service];
  return { command: process.execPath, args, stderr: "inherit" as const };
}

function toNames(result: object): string[] {
  return (result as { tools: readonly { name: string }[] }).tools.map(({ name }) => name);
}

function toAnswer(result: object): { isError: boolean; text: string } {
  const { isError = false, content } = result as { isError?: boolean; content: readonly { text?: string }[] };
  return { isError, text: content[0]?.text ?? "" };
}

function toText(result: object): string {
  return (result as { contents: readonly { text?: string }[] }).contents[0]?.text ?? "";
}
