import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AtEnd } from "../helpers/temporary.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Diagnostics {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly range: { readonly start: { readonly line: number } };
    readonly message: string;
  }[];
}

/** A file in an editor that speaks the Language Server Protocol. */
export interface OpenFile {
  /** Lines, counted from 1, with what is wrong there. */
  readonly diagnostics: readonly string[];
  /** Labels that are offered at the end of the file. */
  complete(): Promise<readonly string[]>;
  /** Markdown that is shown over the first occurrence of `word`. */
  hover(word: string): Promise<string>;
}

export interface Editor {
  open(path: string, text: string): Promise<OpenFile>;
  /** Hosts of the connections that were tried, each refused. */
  readonly tried: () => readonly string[];
}

const SERVER = resolve("node_modules/yaml-language-server/bin/yaml-language-server");
const NO_NETWORK = pathToFileURL(resolve("test/strangers/programs/no-network.ts")).href;

/** Starts yaml-language-server on a folder, without a network; `settings` are an editor's, by their dotted names. */
export async function openEditor(
  folder: string,
  settings: Readonly<Record<string, unknown>>,
  atEnd: AtEnd,
): Promise<Editor> {
  const child = spawn(process.execPath, ["--import", NO_NETWORK, SERVER, "--stdio"]);
  const ended = once(child, "close");
  atEnd(async () => {
    child.kill();
    await ended;
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk));
  const answers = new Map<number, (message: Message) => void>();
  const published = new Map<string, (diagnostics: Diagnostics) => void>();
  let lastId = 0;
  let lastVersion = 0;
  const send = (message: Message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const ask = async <Result>(method: string, params: unknown): Promise<Result> => {
    const id = (lastId += 1);
    const answered = new Promise<Message>((answer) => answers.set(id, answer));
    send({ id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(error.message);
    return result as Result;
  };
  readMessages(child.stdout, (message) => {
    if (message.method === "workspace/configuration") send({ ...pick(message), result: toSections(message, settings) });
    else if (message.method === "textDocument/publishDiagnostics") {
      const diagnostics = message.params as Diagnostics;
      published.get(diagnostics.uri)?.(diagnostics);
    } else if (message.method !== undefined && message.id !== undefined) send({ ...pick(message), result: null });
    else if (message.id !== undefined) answers.get(message.id)?.(message);
  });
  const rootUri = pathToFileURL(folder).href;
  await ask("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "agent" }],
    capabilities: { workspace: { configuration: true }, textDocument: { hover: { contentFormat: ["markdown"] } } },
  });
  send({ method: "initialized", params: {} });
  return {
    tried: () => [...complaints.matchAll(/^tried (.*)$/gm)].map(([, host = ""]) => host),
    async open(path, text) {
      const uri = `${rootUri}/${path}`;
      const checked = new Promise<Diagnostics>((publish) => published.set(uri, publish));
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri, languageId: "yaml", version: (lastVersion += 1), text } },
      });
      const { diagnostics } = await checked;
      const lines = text.split("\n");
      const at = (line: number, character: number) => ({ textDocument: { uri }, position: { line, character } });
      return {
        diagnostics: diagnostics.map(({ range, message }) => `${range.start.line + 1}: ${message}`),
        async complete() {
          const end = at(lines.length - 1, lines.at(-1)?.length ?? 0);
          const list = await ask<{ readonly items: readonly { readonly label: string }[] }>(
            "textDocument/completion",
            end,
          );
          return list.items.map(({ label }) => label);
        },
        async hover(word) {
          const line = lines.findIndex((one) => one.includes(word));
          const shown = at(line, (lines[line] ?? "").indexOf(word) + 1);
          const { contents } = await ask<{ readonly contents: { readonly value: string } }>(
            "textDocument/hover",
            shown,
          );
          return contents.value;
        },
      };
    },
  };
}

function pick({ id }: Message): Pick<Message, "id"> {
  return id === undefined ? {} : { id };
}

/** The sections of the settings that the server asks for; none of the others. */
function toSections({ params }: Message, settings: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { items } = params as { readonly items: readonly { readonly section: string }[] };
  return items.map(({ section }) => {
    const inside = Object.entries(settings).filter(([name]) => name.startsWith(`${section}.`));
    return inside.length === 0
      ? null
      : Object.fromEntries(inside.map(([name, value]) => [name.slice(section.length + 1), value]));
  });
}

function readMessages(stream: NodeJS.ReadableStream, onMessage: (message: Message) => void): void {
  let buffer = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const start = buffer.indexOf("\r\n\r\n") + 4;
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, start).toString())?.[1]);
      if (start < 4 || buffer.length < start + length) return;
      onMessage(JSON.parse(buffer.subarray(start, start + length).toString()) as Message);
      buffer = buffer.subarray(start + length);
    }
  });
}
