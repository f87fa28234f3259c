import { sendRaw } from "./raw-http.ts";

interface Told {
  readonly status: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
}

export interface BeliefClient {
  /** One JSON-RPC request with these parameters. */
  ask(method: string, params: object): Promise<Told>;
  /** A tool's answer, or its error. */
  call(tool: string, input: object): Promise<Told>;
  /** The structured content of a call that has to succeed. */
  output(tool: string, input: object): Promise<Readonly<Record<string, unknown>>>;
  /** A body as it is, which need be no JSON. */
  raw(body: string): Promise<Told>;
}

/** The belief graph over the wire, in the revision that its specification names. */
export function createBeliefClient(url: string): BeliefClient {
  const path = "/agent/0.1.0/beliefs";
  const client: BeliefClient = {
    async raw(body) {
      const headers = [
        ["Content-Type", "application/json"],
        ["Accept", "application/json, text/event-stream"],
        ["MCP-Protocol-Version", "2024-11-05"],
      ] as const;
      const { status, body: text } = await sendRaw(url, { path, headers, body });
      return { status, ...(JSON.parse(text) as object) };
    },
    ask: (method, params) => client.raw(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })),
    async call(tool, input) {
      const { result, ...told } = await client.ask("tools/call", { name: tool, arguments: input });
      return result === undefined
        ? told
        : { ...told, result: result["structuredContent"] as Readonly<Record<string, unknown>> };
    },
    async output(tool, input) {
      const { result, error } = await client.call(tool, input);
      if (result === undefined) throw new Error(`${tool}: ${JSON.stringify(error)}`);
      return result;
    },
  };
  return client;
}
