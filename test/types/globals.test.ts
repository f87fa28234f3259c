import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { isObject } from "../../server/json/is-object.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { useSandbox } from "../server/kernel/isolates/use-sandbox.ts";

const { run } = useSandbox();
const FILE = "types/globals.d.ts";
const { program } = parseSync(FILE, readFileSync(FILE, "utf8"));

/** Names declared as values, and the members of each that is an object or a class. */
interface Declared {
  readonly name: string;
  readonly statics: readonly string[];
  readonly members: readonly string[];
}

const declared = program.body.flatMap((node): Declared[] => {
  if (node.type === "TSDeclareFunction" || node.type === "FunctionDeclaration") {
    return [{ name: node.id?.name ?? "", statics: [], members: [] }];
  }
  if (node.type === "ClassDeclaration") {
    const of = (isStatic: boolean) =>
      node.body.body.flatMap((member) => {
        if (member.type === "TSIndexSignature" || !("static" in member) || member.static !== isStatic) return [];
        const name = nameOf(member.key);
        return name === undefined || name === "constructor" ? [] : [name];
      });
    return [{ name: node.id?.name ?? "", statics: of(true), members: of(false) }];
  }
  if (node.type !== "VariableDeclaration") return [];
  return node.declarations.map(({ id }) => {
    const type = "typeAnnotation" in id ? id.typeAnnotation?.typeAnnotation : undefined;
    const members = type?.type === "TSTypeLiteral" ? type.members : [];
    return {
      name: "name" in id ? id.name : "",
      statics: members.flatMap((member) => ("key" in member ? (nameOf(member.key) ?? []) : [])),
      members: [],
    };
  });
});

/** The name of a member that is no symbol. */
function nameOf(key: unknown): string | undefined {
  return isObject(key) && key["type"] === "Identifier" ? String(key["name"]) : undefined;
}

/** What stands on each of these globals in an isolate: on itself, and on what it makes. */
const LOOK = `
  const own = (value) => Object.getOwnPropertyNames(value ?? {}).filter((name) => !["length", "name", "prototype", "constructor"].includes(name));
  const made = { AbortController: () => new AbortController(), AbortSignal: () => new AbortController().signal, TextDecoder: () => new TextDecoder() };
  return Object.fromEntries(input.map((name) => {
    const value = globalThis[name];
    const members = typeof value === "function" ? [...own(value.prototype), ...own(made[name]?.())] : [];
    return [name, { type: typeof value, statics: own(value), members: [...new Set(members)] }];
  }));
  // console URL TextEncoder crypto structuredClone AbortController queueMicrotask
`;

describe("cairn-gitops/globals", () => {
  test("declares all globals that an isolate has beside the language, and no other", async () => {
    const found = await run(`return Object.getOwnPropertyNames(globalThis); ${LOOK}`);
    const language: readonly string[] = runInNewContext("Object.getOwnPropertyNames(globalThis)");
    const own = (Array.isArray(found) ? found.map(String) : []).filter(
      (name) => !language.includes(name) || name === "console",
    );
    expect(declared.map(({ name }) => name).toSorted()).toEqual(own.filter((name) => name !== "gc").toSorted());
  });

  test("declares the members that each has, and no other", async () => {
    const found = await run(LOOK, { input: declared.map(({ name }) => name) });
    const told = declared.map(({ name, statics, members }) => [name, statics.toSorted(), members.toSorted()]);
    const seen = Object.entries(isObject(found) ? found : {}).map(([name, look]) => {
      const { statics, members } = look as { readonly statics: string[]; readonly members: string[] };
      return [name, statics.toSorted(), members.toSorted()];
    });
    expect(told).toEqual(seen);
  });

  test("makes a type error of what handlers do not have, and none of what they have", async () => {
    const folder = await temporaryFolder();
    const lines = [
      'export const host: string = new URL("https://example.com").host;',
      'export const hash: Promise<ArrayBuffer> = crypto.subtle.digest("SHA-256", new TextEncoder().encode("a"));',
      "export const copy: { a: number } = structuredClone({ a: 1 }); console.log(AbortSignal.any([]).aborted);",
      "process.exit();",
      'void fetch("https://example.com");',
      "setTimeout(() => {}, 1);",
      'Buffer.from("a");',
    ];
    await writeFile(join(folder, "handler.ts"), lines.join("\n"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const compilerOptions = { ...readOptions(), types: [] };
    const files = [resolve(FILE), "handler.ts"];
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const compiler = resolve("node_modules/typescript/bin/tsc");
    const args = [compiler, "--project", folder, "--pretty", "false"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
      (error: { readonly stdout: string }) => error,
    );
    const told = [...stdout.matchAll(/^handler\.ts\((\d+),\d+\): error TS\d+: Cannot find name '(\w+)'/gm)];
    expect(told.map(([, line, name]) => `${line} ${name}`)).toEqual([
      "4 process",
      "5 fetch",
      "6 setTimeout",
      "7 Buffer",
    ]);
    expect(
      stdout
        .trim()
        .split("\n")
        .filter((line) => /error TS/.test(line)),
    ).toHaveLength(4);
  });

  test("is what the template's compiler options name", () => {
    expect(readOptions()).toMatchObject({ types: ["cairn-gitops/globals"] });
    const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> };
    expect(exports["./globals"]).toEqual({ types: `./dist/${FILE}` });
  });
});

/** The compiler options of a new repository of tools. */
function readOptions(): object {
  const { compilerOptions } = JSON.parse(readFileSync("template/tsconfig.json", "utf8")) as { compilerOptions: object };
  return compilerOptions;
}
