import { toType, toTypeName, type TypedTool } from "./to-types.ts";

/** Tool that a client calls, by the name that callers use. */
export interface ClientTool extends Omit<TypedTool, "stem"> {
  readonly name: string;
  readonly description: string;
}

/** Writes a typed client of one version: a module without imports, for any JavaScript that has `fetch`. */
export function writeClient(
  tools: readonly ClientTool[],
  { agent, version }: { readonly agent: string; readonly version: string },
): string {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const types = sorted.flatMap(({ name, input, output }) => [
    `export type ${toTypeName(name)}Input = ${toType(input, "caller")};`,
    `export type ${toTypeName(name)}Output = ${toType(output, "caller")};`,
  ]);
  const members = sorted.map(({ name, description }) => {
    const type = toTypeName(name);
    const told = description.replaceAll(/\s+/g, " ").replaceAll("*/", "* /").trim();
    return `  /** ${told} */\n  ${JSON.stringify(name)}: { input: ${type}Input; output: ${type}Output };\n`;
  });
  return `// Client of ${agent} ${version}, written by \`cairn types --client\`; a change here is lost.

${types.join("\n\n")}

/** Inputs and outputs of all tools, by name. */
export interface Tools {
${members.join("")}}
${CLIENT.replace("{{version}}", version)}`;
}

const CLIENT = `
export interface ClientOptions {
  /** Address of the service: \`https://cairn.example\`. */
  readonly url: string;
  /** Version to call: an exact one never changes; a range such as \`^1.2\`, a label or \`latest\` moves. */
  readonly version?: string;
  /** Bearer token, or a function that returns one that is still good. */
  readonly token?: string | (() => string | Promise<string>);
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes it safe to send a call again: the service does the work once, and answers as it did the first time. */
  readonly idempotencyKey?: string;
}

/** Error of the service or of a tool, with the number and name of Cairn's table of errors. */
export class ToolError extends Error {
  override readonly name: string;
  readonly code: number;
  readonly status: number;
  readonly details: unknown;

  constructor(problem: { readonly [key: string]: unknown }, status: number) {
    super(String(problem["detail"] ?? problem["title"] ?? \`The service answered with status \${status}.\`));
    this.name = String(problem["name"] ?? "INTERNAL_ERROR");
    this.code = Number(problem["code"] ?? 0);
    this.status = status;
    this.details = problem["details"];
  }
}

/** Creates a client of a running service. Its calls reject with a \`ToolError\`, or with the error of \`fetch\`. */
export function createClient({ url, version = "{{version}}", token, fetch = globalThis.fetch }: ClientOptions) {
  const base = \`\${url.replace(/\\/+$/, "")}/agent/\${encodeURIComponent(version)}/api/tools/\`;
  return {
    async call<Name extends keyof Tools>(
      name: Name,
      input: Tools[Name]["input"],
      { signal, idempotencyKey }: CallOptions = {},
    ): Promise<Tools[Name]["output"]> {
      const bearer = typeof token === "function" ? await token() : token;
      const headers = new Headers({ "content-type": "application/json" });
      if (bearer !== undefined) headers.set("authorization", \`Bearer \${bearer}\`);
      if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
      const response = await fetch(base + encodeURIComponent(name), {
        method: "POST",
        headers,
        body: JSON.stringify(input),
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.status === 200) return (await response.json()) as Tools[Name]["output"];
      const problem: unknown = await response.json().catch(() => ({}));
      throw new ToolError(typeof problem === "object" && problem !== null ? { ...problem } : {}, response.status);
    },
  };
}
`;
