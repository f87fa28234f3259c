import { REMOTE_ENTRIES, type RemoteServer, TOKEN_INPUT } from "./remote-entries.ts";

/** Links that add one server to one client, which shows it to the user before it does. */
export interface InstallLink {
  /** Link that opens the client. */
  readonly link: string;
  /** Link of the web that leads to the other, for pages such as GitHub's that allow no others. */
  readonly web?: string;
}

/** Clients that document links, by name. */
export const LINK_CLIENTS = ["cursor", "vscode", "vscode-insiders", "lmstudio", "kiro", "goose"] as const;
export type LinkClient = (typeof LINK_CLIENTS)[number];

export type InstallLinks = Readonly<Record<LinkClient, InstallLink>>;

/** Server that links add, with the name that it gets in the client. */
export interface NamedServer extends RemoteServer {
  readonly name: string;
  readonly description: string;
}

/** Command that a client starts a server with. */
export interface NamedCommand {
  readonly name: string;
  readonly description: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Seconds that Goose waits for an answer, as its own links have it. */
const GOOSE_TIMEOUT = "300";

/** Name of a server in a client's configuration: letters, digits, dashes and underscores, which all clients accept. */
export function toEntryName(agent: string, server: string): string {
  return `${agent}-${server}`.replace(/[^A-Za-z0-9_-]+/g, "-");
}

/** Links to a server over HTTP. None holds a token. */
export function toInstallLinks(server: NamedServer): InstallLinks {
  const { name, description, url } = server;
  const inputs = server.hasToken ? { inputs: [TOKEN_INPUT] } : {};
  return toLinks({
    name,
    cursor: REMOTE_ENTRIES.cursor(server),
    vscode: { ...REMOTE_ENTRIES.vscode(server), ...inputs },
    lmstudio: REMOTE_ENTRIES.lmstudio(server),
    kiro: REMOTE_ENTRIES.kiro(server),
    goose: [
      ["url", url],
      ["type", "streamable_http"],
      ["timeout", GOOSE_TIMEOUT],
      ["id", name],
      ["name", name],
      ["description", description],
    ],
  });
}

/** Links to a server that the client starts itself. They hold paths of this machine, so they are good on it alone. */
export function toLaunchLinks({ name, description, command, args }: NamedCommand): InstallLinks {
  const launch = { command, args };
  return toLinks({
    name,
    cursor: launch,
    vscode: { type: "stdio", ...launch },
    lmstudio: launch,
    kiro: launch,
    goose: [
      ["cmd", command],
      ...args.map((arg) => ["arg", arg] as const),
      ["timeout", GOOSE_TIMEOUT],
      ["id", name],
      ["name", name],
      ["description", description],
    ],
  });
}

interface Parts {
  readonly name: string;
  readonly cursor: object;
  readonly vscode: object;
  readonly lmstudio: object;
  readonly kiro: object;
  readonly goose: readonly (readonly [string, string])[];
}

function toLinks({ name, cursor, vscode, lmstudio, kiro, goose }: Parts): InstallLinks {
  const named = (config: string) =>
    toQuery([
      ["name", name],
      ["config", config],
    ]);
  const ofCursor = named(toBase64(cursor));
  const ofLmStudio = named(toBase64(lmstudio));
  const ofVsCode = encode(JSON.stringify({ name, ...vscode }));
  return {
    cursor: {
      link: `cursor://anysphere.cursor-deeplink/mcp/install?${ofCursor}`,
      web: `https://cursor.com/en/install-mcp?${ofCursor}`,
    },
    vscode: toVsCode("vscode", ofVsCode),
    "vscode-insiders": toVsCode("vscode-insiders", ofVsCode),
    lmstudio: { link: `lmstudio://add_mcp?${ofLmStudio}`, web: `https://lmstudio.ai/install-mcp?${ofLmStudio}` },
    kiro: { link: `https://kiro.dev/launch/mcp/add?${named(JSON.stringify(kiro))}` },
    goose: { link: `goose://extension?${toQuery(goose)}` },
  };
}

function toVsCode(scheme: string, server: string): InstallLink {
  const link = `${scheme}:mcp/install?${server}`;
  return { link, web: `https://insiders.vscode.dev/redirect?url=${encode(link)}` };
}

function toBase64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}

function toQuery(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([name, value]) => `${name}=${encode(value)}`).join("&");
}

/** Encodes more than it must: what is left would end a link in Markdown, an attribute of HTML or a word of a shell. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
