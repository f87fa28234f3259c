/** What a client would add, read from a link as the documentation of the client describes it. */
export interface DecodedLink {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Decoders by client, written from their documentation and not from what makes the links. */
export const DECODERS: Readonly<Record<string, (link: string) => DecodedLink>> = {
  cursor: (link) => readBase64(link, "cursor://anysphere.cursor-deeplink/mcp/install?"),
  vscode: (link) => readVsCode(link, "vscode:mcp/install?"),
  "vscode-insiders": (link) => readVsCode(link, "vscode-insiders:mcp/install?"),
  lmstudio: (link) => readBase64(link, "lmstudio://add_mcp?"),
  kiro(link) {
    const query = readQuery(link, "https://kiro.dev/launch/mcp/add?");
    return { name: query.get("name") ?? "", config: JSON.parse(query.get("config") ?? "") as object as never };
  },
  goose(link) {
    const query = readQuery(link, "goose://extension?");
    const type = query.get("type");
    const config =
      type === "streamable_http" ? { url: query.get("url") } : { command: query.get("cmd"), args: query.getAll("arg") };
    return { name: query.get("name") ?? "", config: { ...config, description: query.get("description") } };
  },
};

/** Link that a page of the web leads to, as its service does. */
export function toDirectLink(client: string, web: string): string {
  if (client.startsWith("vscode")) return new URL(web).searchParams.get("url") ?? "";
  const [, query = ""] = web.split(/\?(.*)/s);
  if (client === "cursor" && web.startsWith("https://cursor.com/en/install-mcp?")) {
    return `cursor://anysphere.cursor-deeplink/mcp/install?${query}`;
  }
  if (client === "lmstudio" && web.startsWith("https://lmstudio.ai/install-mcp?")) return `lmstudio://add_mcp?${query}`;
  throw new Error(`${client} has no such page: ${web}`);
}

function readQuery(link: string, start: string): URLSearchParams {
  if (!link.startsWith(start)) throw new Error(`${link} does not begin with ${start}`);
  return new URL(link).searchParams;
}

function readBase64(link: string, start: string): DecodedLink {
  const query = readQuery(link, start);
  const bytes = Uint8Array.from(atob(query.get("config") ?? ""), (char) => char.charCodeAt(0));
  return { name: query.get("name") ?? "", config: JSON.parse(new TextDecoder().decode(bytes)) as never };
}

function readVsCode(link: string, start: string): DecodedLink {
  if (!link.startsWith(start)) throw new Error(`${link} does not begin with ${start}`);
  const { name, ...config } = JSON.parse(decodeURIComponent(link.slice(start.length))) as { name: string };
  return { name, config };
}
