import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toEntryName, toInstallLinks, toLaunchLinks } from "../../../../server/http/install/install-links.ts";
import { DECODERS, toDirectLink } from "../../../helpers/install-links.ts";

const URL = "https://cairn.example.com/agent/1.6.0+warm/runner";
const SERVER = { name: "my-agent-runner", description: "Runs.", url: URL, hasToken: false };

const decode = (links: ReturnType<typeof toInstallLinks>) =>
  Object.fromEntries(Object.entries(links).map(([client, { link }]) => [client, DECODERS[client]?.(link)]));

describe("install links", () => {
  test("add the server under its name, as each client reads them", () => {
    const name = SERVER.name;
    expect(decode(toInstallLinks(SERVER))).toEqual({
      cursor: { name, config: { url: URL } },
      vscode: { name, config: { type: "http", url: URL } },
      "vscode-insiders": { name, config: { type: "http", url: URL } },
      lmstudio: { name, config: { url: URL } },
      kiro: { name, config: { url: URL } },
      goose: { name, config: { url: URL, description: "Runs." } },
    });
  });

  test("are these, to the letter, for Cursor and VS Code", () => {
    const links = toInstallLinks({ ...SERVER, name: "a", url: "http://127.0.0.1:3000/agent/1.0.0/runner" });
    expect(links.cursor.link).toBe(
      "cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=eyJ1cmwiOiJodHRwOi8vMTI3LjAuMC4xOjMwMDAvYWdlbnQvMS4wLjAvcnVubmVyIn0%3D",
    );
    expect(links.vscode.link).toBe(
      "vscode:mcp/install?%7B%22name%22%3A%22a%22%2C%22type%22%3A%22http%22%2C%22url%22%3A%22http%3A%2F%2F127.0.0.1%3A3000%2Fagent%2F1.0.0%2Frunner%22%7D",
    );
  });

  test("name a token in the client's way, and hold none", () => {
    const decoded = decode(toInstallLinks({ ...SERVER, hasToken: true }));
    const headers = (reference: string) => ({ headers: { Authorization: `Bearer ${reference}` } });
    expect(decoded["cursor"]?.config).toEqual({ url: URL, ...headers("${env:CAIRN_TOKEN}") });
    expect(decoded["kiro"]?.config).toEqual({ url: URL, ...headers("${CAIRN_TOKEN}") });
    expect(decoded["vscode"]?.config).toEqual({
      type: "http",
      url: URL,
      ...headers("${input:cairn-token}"),
      inputs: [{ type: "promptString", id: "cairn-token", description: "Token for Cairn", password: true }],
    });
    expect([decoded["lmstudio"]?.config, decoded["goose"]?.config]).toEqual([
      { url: URL },
      { url: URL, description: "Runs." },
    ]);
  });

  test("carry every name, description and word of a command whole, and end in no text around them", () => {
    const text = fc.oneof(
      fc.constantFrom("a b", `it's "so"`, "a&b=c#d?e", "Grüße 漢字 🦊", "%20+", "<x>", "(y)", "..", "a\nb"),
      fc.string({ unit: "grapheme", minLength: 1 }),
    );
    fc.assert(
      fc.property(text, text, fc.array(text), (name, description, args) => {
        const command = "/opt/my node";
        for (const [client, { link, web }] of Object.entries(toLaunchLinks({ name, description, command, args }))) {
          const decoded = DECODERS[client]?.(link);
          expect(decoded?.name).toBe(name);
          expect(decoded?.config).toMatchObject({ command, args });
          expect(link).toMatch(/^[\w:/.?&=%~-]+$/);
          if (web !== undefined) expect(toDirectLink(client, web)).toBe(link);
        }
        for (const [client, { link }] of Object.entries(toInstallLinks({ ...SERVER, name, description }))) {
          expect(DECODERS[client]?.(link)).toMatchObject({ name, config: { url: URL } });
        }
      }),
    );
  });

  test("give a server a name that every client takes", () => {
    expect(toEntryName("my-agent", "runner")).toBe("my-agent-runner");
    expect(toEntryName(`My "agent" & Größe`, "run ner")).toBe("My-agent-Gr-e-run-ner");
  });
});
