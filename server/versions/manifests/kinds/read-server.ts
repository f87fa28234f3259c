import { defined } from "../../../json/defined.ts";
import type { Problem } from "../../problem.ts";
import type { Server } from "../../version.ts";
import { coversKey, type StoredValue } from "../../stored-value.ts";
import type { Manifest } from "../manifest.ts";
import type { SchemaCompiler } from "../schema/schema-compiler.ts";
import type { FileRead } from "./file-read.ts";
import { readPrompts } from "./read-prompts.ts";
import { readSchema } from "./read-schema.ts";
import { readResources } from "./read-resources.ts";
import type { ServerContent } from "./server-content.ts";

/** All of a server but its tools, which are files of their own, and what follows from them. */
export type ServerFile = Omit<Server, "tools" | "interactive"> & {
  /** False where the manifest does not say how long state lives. */
  readonly saysState: boolean;
  readonly problem: Manifest<ServerContent>["problem"];
};

/** Addresses below a version, and words that stand for versions, so that no server can be taken for them. */
const RESERVED_NAMES: ReadonlySet<string> = new Set("api architect dev latest openapi.json versions".split(" "));

export function readServer(
  folder: string,
  manifest: Manifest<ServerContent>,
  compile: SchemaCompiler,
): FileRead<ServerFile> {
  const { file, content, problem } = manifest;
  const { resources: _resources, prompts: _prompts, errors = "tool", state, ...rest } = content;
  const problems: Problem[] = [];
  if (content.name !== folder) {
    const message = `The server \`${content.name}\` is in the folder \`${folder}\`.`;
    problems.push(problem("name-mismatch", ["name"], message, `Write \`name: ${folder}\`, or rename the folder.`));
  }
  if (RESERVED_NAMES.has(folder)) {
    const message = `The name \`${folder}\` already means something in addresses.`;
    problems.push(problem("reserved-name", ["name"], message, "Rename the server and its folder."));
  }
  const resources = readResources(manifest);
  const prompts = readPrompts(manifest);
  problems.push(...resources.problems, ...prompts.problems, ...checkState(manifest));
  const shared = typeof state === "object" ? state.name : state;
  const values = readValues(manifest, compile);
  problems.push(...values.problems);
  return {
    value: Object.freeze({
      ...rest,
      errors,
      ...defined({ state: shared, values: values.value }),
      saysState: state !== undefined,
      ...resources.value,
      prompts: prompts.value,
      file,
      problem,
    }),
    problems,
  };
}

function checkState({ content: { name: server, state }, problem }: Manifest<ServerContent>): readonly Problem[] {
  if (typeof state !== "object") return [];
  const { scope, name } = state;
  if (scope === "shared" && name === undefined) {
    const message = "State that versions share has a name, by which they find it.";
    return [problem("missing-key", ["state"], message, `Write \`state: { scope: shared, name: ${server} }\`.`)];
  }
  if (scope === "version" && name !== undefined) {
    const message = "State of one version alone has no name: the commit is its name.";
    return [problem("wrong-value", ["state", "name"], message, "Remove `name`, or write `scope: shared`.")];
  }
  return [];
}

function readValues({ content: { state }, problem }: Manifest<ServerContent>, compile: SchemaCompiler) {
  if (typeof state !== "object" || state.values === undefined) return { value: undefined, problems: [] };
  const problems: Problem[] = [];
  const value = state.values.flatMap(({ key, schema }, index, all): StoredValue[] => {
    const before = all.slice(0, index).find((other) => coversKey(other.key, key));
    if (before !== undefined) {
      const message = `No key gets this schema: \`${JSON.stringify(before.key)}\` before it fits them all.`;
      problems.push(
        problem("wrong-value", ["state", "values", index, "key"], message, "Put the narrower pattern first."),
      );
    }
    const { compiled, problems: found } = readSchema(problem, ["state", "values", index, "schema"], schema, compile);
    problems.push(...found);
    return compiled === undefined ? [] : [Object.freeze({ key, schema, check: compiled.check })];
  });
  return { value: Object.freeze(value), problems };
}
