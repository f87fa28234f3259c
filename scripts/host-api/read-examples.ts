import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync } from "oxc-parser";
import { dedent, type Node } from "./read-members.ts";

/** Code that is run and checked by types, which examples are taken from; the first folder that has one wins. */
const EXAMPLES = ["template/tools/**/*.ts", "tools/**/*.ts", "test/fixtures/**/*.ts"];
/** Lines that an example may have, so that it shows the call and not the handler. */
const EXAMPLE_LINES = 8;
export interface Example {
  readonly file: string;
  readonly code: string;
}
/** Finds the shortest statement with a call of each member of `ctx`, in the first folder that has one. */
export function readExamples(): ReadonlyMap<string, Example> {
  const examples = new Map<string, Example>();
  for (const pattern of EXAMPLES) {
    const found = new Map<string, Example>();
    for (const file of globSync(pattern)
      .map((one) => one.replaceAll("\\", "/"))
      .sort()) {
      for (const [path, code] of readCalls(file)) {
        const known = found.get(path);
        if (known === undefined || code.length < known.code.length) found.set(path, { file, code });
      }
    }
    for (const [path, example] of found) if (!examples.has(path)) examples.set(path, example);
  }
  return examples;
}

/** Lists calls of members of `ctx` in a file, each with the innermost statement around it. */
function readCalls(file: string): readonly (readonly [path: string, code: string])[] {
  const text = readFileSync(file, "utf8");
  const calls: (readonly [string, string])[] = [];
  const visit = (part: unknown, statement: Node | undefined): void => {
    if (Array.isArray(part)) return part.forEach((one) => visit(one, statement));
    if (typeof part !== "object" || part === null || !("type" in part)) return;
    const one = part as Node;
    const around = /^(?:Expression|Return|Throw|If)Statement$|^VariableDeclaration$/.test(one.type) ? one : statement;
    const path = one.type === "CallExpression" ? /^ctx(?:\.\w+)+$/.exec(sourceOf(text, one["callee"])) : null;
    if (path !== null && around !== undefined) {
      const code = dedent(text.slice(around.start, around.end));
      if (code.split("\n").length <= EXAMPLE_LINES) calls.push([path[0], code]);
    }
    for (const [key, child] of Object.entries(one)) if (key !== "parent") visit(child, around);
  };
  visit(parseSync(basename(file), text).program, undefined);
  return calls;
}

function sourceOf(text: string, node: unknown): string {
  const { start, end } = node as Node;
  return text.slice(start, end);
}
