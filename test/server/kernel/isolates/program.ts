import { createHash, randomUUID } from "node:crypto";
import { stripTypeScriptTypes } from "node:module";
import {
  NO_PARAMETERS,
  type Returned,
  type SandboxCall,
  type ToolFacts,
} from "../../../../server/kernel/isolates/sandbox.ts";
import type { Json } from "../../../../server/store/store.ts";
import type { Program } from "../../../../server/versions/version.ts";

/** The abilities of a caller that can be asked nothing. */
const NOBODY = Object.freeze({ elicit: false, sample: false, roots: false });

/** A program of modules given as TypeScript, by path. */
export function toProgram(sources: Readonly<Record<string, string>>, memory = 64): Program {
  const modules = new Map(Object.entries(sources).map(([path, source]) => [path, stripTypeScriptTypes(source)]));
  const key = createHash("sha256")
    .update(JSON.stringify([...modules, memory]))
    .digest("hex");
  return { key, modules, memory };
}

/** A program whose one tool has the given body, with `input` and `ctx` as parameters; `top` is what its module says before. */
export function toHandler(body: string, top = "", memory = 64): Program {
  const source = `${top}\nexport default async function (input: any, ctx: any) { ${body} }`;
  return toProgram({ "tools/runner/tool.ts": source }, memory);
}

/** A call of the tool of `program`, or of one made from the body of a handler. */
export function toCall(program: Program | string, changes: Partial<SandboxCall> = {}): SandboxCall {
  return {
    program: typeof program === "string" ? toHandler(program) : program,
    tool: PLAIN_TOOL,
    input: null,
    conversationId: randomUUID(),
    params: NO_PARAMETERS,
    client: NOBODY,
    seed: "0123456789abcdef0123456789abcdef",
    limits: { time: 20_000, cpu: 200, memory: 64, payload: 100_000 },
    syscall: async (name) => {
      throw new Error(`Nothing answers ${name}.`);
    },
    isFinal: () => false,
    restart: () => undefined,
    isNested: false,
    ...changes,
  };
}

/** The tool that calls are of, with what it is granted. */
export function toTool(granted: Partial<ToolFacts> = {}): ToolFacts {
  const grants = { clock: false, random: false, model: false, stages: false };
  const names = {
    server: "runner",
    name: "runner.tool",
    version: "1.0.0",
    commit: "0".repeat(40),
    logsPrefix: "logs://",
  };
  return { handler: "tools/runner/tool.ts", ...names, ...grants, ...granted };
}

const PLAIN_TOOL = toTool();

/** The part of a call that answers every syscall with `value`. */
export function answering(value: Json): Pick<SandboxCall, "syscall"> {
  return { syscall: async () => value };
}

export function toOutput({ output }: Returned): Json | undefined {
  return output;
}
