import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { runIn } from "../run-in.ts";

const TSC = resolve("node_modules/typescript/bin/tsc");

async function copyTemplate(): Promise<string> {
  const folder = await temporaryFolder();
  for (const part of ["manifests", "tools"])
    await cp(resolve("template", part), join(folder, part), { recursive: true });
  await cp(resolve("template/versions.yaml"), join(folder, "versions.yaml"));
  const agent = await readFile(join(folder, "manifests/agent.yaml"), "utf8");
  const filled = agent.replaceAll("{{name}}", "greeter").replaceAll("{{hostApi}}", "1.0.0");
  await writeFile(join(folder, "manifests/agent.yaml"), filled);
  return folder;
}

function typecheck(folder: string, ...files: readonly string[]): string {
  const options = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--target",
    "esnext",
    "--module",
    "nodenext",
    "--erasableSyntaxOnly",
    "--allowImportingTsExtensions",
    "--skipLibCheck",
    "--types",
    "",
  ];
  return spawnSync(process.execPath, [TSC, ...options, ...files], { cwd: folder, encoding: "utf8" }).stdout;
}

describe("cairn types", () => {
  test("writes the types of all tools beside their handlers, once", async () => {
    const folder = await copyTemplate();
    expect((await runIn(folder, ["types", "--check"])).code).toBe(1);
    expect(await runIn(folder, ["types"])).toEqual({ code: 0, printed: "wrote  tools/runner/_types.ts" });
    expect(await readFile(join(folder, "tools/runner/_types.ts"), "utf8")).toContain(`export type GreetInput = {
  /** Whom to greet. */
  name: string;
  /** Language of the greeting. */
  language: "de" | "en" | "es" | "fr";
};`);
    expect(await runIn(folder, ["types", "--check"])).toEqual({ code: 0, printed: "All types are up to date." });
    expect((await runIn(folder, ["validate", "--no-number"])).code).toBe(0);
  });

  test("says that a commit gets no types", async () => {
    const { code, printed } = await runIn(process.cwd(), ["types", "HEAD"]);
    expect([code, printed]).toEqual([
      2,
      "cairn: `HEAD` is a commit; only a folder's handlers can get types; `--client` prints a client of it.",
    ]);
  });
});

describe("cairn types --client", () => {
  test("prints a client whose calls the compiler checks", async () => {
    const folder = await copyTemplate();
    await writeFile(join(folder, "client.ts"), (await runIn(folder, ["types", "--client"])).printed);
    const use = (input: string) => `import { createClient } from "./client.ts";
const { greeting } = await createClient({ url: "https://x" }).call("runner.greet", ${input});
greeting satisfies string;
`;
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await mkdir(join(folder, "node_modules/@types"), { recursive: true });
    await symlink(resolve("node_modules/@types/node"), join(folder, "node_modules/@types/node"));
    await writeFile(join(folder, "right.ts"), use('{ name: "Ada" }'));
    await writeFile(join(folder, "wrong.ts"), use('{ name: "Ada", language: "it" }'));
    expect(typecheck(folder, "right.ts")).toBe("");
    expect(typecheck(folder, "wrong.ts")).toContain("wrong.ts(2,");
  });

  test("its calls reach the version, and an error is the service's own", async () => {
    const folder = await copyTemplate();
    await writeFile(join(folder, "client.ts"), (await runIn(folder, ["types", "--client"])).printed);
    const requests: unknown[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        requests.push([request.url, request.headers.authorization, body]);
        const isFirst = requests.length === 1;
        response.writeHead(isFirst ? 200 : 403, { "content-type": "application/json" });
        response.end(
          JSON.stringify(isFirst ? { greeting: "Hello" } : { detail: "No.", name: "FORBIDDEN", code: 2101 }),
        );
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { createClient } = (await import(join(folder, "client.ts"))) as {
      createClient: (options: object) => { call: (name: string, input: object) => Promise<unknown> };
    };
    const client = createClient({ url, token: () => "t" });
    expect(await client.call("runner.greet", { name: "Ada" })).toEqual({ greeting: "Hello" });
    await expect(client.call("runner.greet", { name: "Ada" })).rejects.toMatchObject({
      name: "FORBIDDEN",
      code: 2101,
      status: 403,
      message: "No.",
    });
    expect(requests[0]).toEqual(["/agent/0.1.0/api/tools/runner.greet", "Bearer t", '{"name":"Ada"}']);
  });
});
