import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkTypes } from "../../../../../server/architect/pipeline/verify/check-types.ts";
import type { Candidate } from "../../../../../server/architect/pipeline/verify/load-candidate.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";
import { createTestVersion } from "../../../../helpers/test-version.ts";

const GREET = "tools/runner/greet.ts";
const TYPED = `import type { Handler } from "../../server/host-api.ts";

const greet: Handler<{ name: string }, { greeting: string }> = ({ name }, ctx) => {
  ctx.log.info("greeted");
  return { greeting: \`Hello, \${name}!\` };
};

export default greet;
`;

type Texts = Readonly<Record<string, string>>;

function check(files: Texts, before: Texts = {}, more: Partial<Parameters<typeof checkTypes>[0]> = {}) {
  const candidate: Candidate = {
    version: createTestVersion(),
    tree: createMemoryTree(files),
    readText: async (file) => files[file],
  };
  return checkTypes({
    candidate,
    readBefore: async (file) => before[file],
    changed: Object.keys(files),
    signal: new AbortController().signal,
    ...more,
  });
}

describe("type checking handlers", () => {
  test("passes what fits the host API, by either of its names", async () => {
    const packaged = TYPED.replace("../../server/host-api.ts", "cairn-gitops/host-api");
    expect(await check({ [GREET]: TYPED, "tools/runner/hail.ts": packaged })).toEqual({
      status: "passed",
      message: "2 files fit the host API's types.",
    });
  });

  test("knows the globals that handlers have, and no others", async () => {
    const known = `export default async () => {
  const hmac = { name: "HMAC", hash: "SHA-256" } as const;
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(atob(btoa("key"))), hmac, false, ["sign"]);
  const text = new TextDecoder().decode(await crypto.subtle.sign("HMAC", key, new Uint8Array(1)));
  queueMicrotask(() => console.log(text, crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(1))));
  const { searchParams } = new URL("https://a.example/?b=c");
  const both = AbortSignal.any([new AbortController().signal]);
  return structuredClone([searchParams.get("b"), [...new URLSearchParams({ a: "1" })], both.aborted, URL.parse("x")?.host]);
};
`;
    expect(await check({ [GREET]: known })).toMatchObject({ status: "passed" });
    const unknown = 'export default () => [fetch("https://a.example"), process.env, setTimeout(() => 1)];\n';
    const found = await check({ [GREET]: unknown });
    expect(found.status).toBe("failed");
    expect(found.message.match(/Cannot find name '\w+'/g)).toEqual([
      "Cannot find name 'fetch'",
      "Cannot find name 'process'",
      "Cannot find name 'setTimeout'",
    ]);
  });

  test("says where handlers, or what they import, are wrong", async () => {
    const files = {
      [GREET]: TYPED.replace('ctx.log.info("greeted")', "ctx.log.shout(name)"),
      "tools/_lib/half.ts": "export const half = (value: number): string => value / 2;\n",
    };
    expect(await check(files)).toEqual({
      status: "failed",
      message: [
        "2 errors in 2 files:",
        "tools/_lib/half.ts:1:48: Type 'number' is not assignable to type 'string'. (TS2322)",
        "tools/runner/greet.ts:4:11: Property 'shout' does not exist on type 'Log'. (TS2339)",
      ].join("\n"),
    });
  });

  test("knows nothing of Node, browsers or packages", async () => {
    const text = `import type { Server } from "node:http";\nimport type { App } from "h3";\nexport default (): number => process.pid + document.title.length;\nexport type All = [Server, App];\n`;
    const { status, message } = await check({ [GREET]: text });
    expect(status).toBe("failed");
    expect(message.split("\n").map((line) => /TS\d+/.exec(line)?.[0])).toEqual([
      undefined,
      expect.stringMatching(/TS2307|TS2591/),
      "TS2307",
      expect.stringMatching(/TS2580|TS2591|TS2304/),
      expect.stringMatching(/TS2584|TS2304/),
    ]);
  });

  test("does not hold against a change what was wrong before, wherever it stands now", async () => {
    const old = "export default (input) => input;\n";
    const moved = `// Echoes.\n\n${old}`;
    expect(await check({ [GREET]: moved }, { [GREET]: old })).toEqual({
      status: "passed",
      message:
        "Nothing new is wrong in 1 files; as before:\ntools/runner/greet.ts:3:17: Parameter 'input' implicitly has an 'any' type. (TS7006)",
    });
    const twice = `${old}export const again = (input) => input;\n`;
    expect(await check({ [GREET]: twice }, { [GREET]: old })).toMatchObject({
      status: "failed",
      message: expect.stringContaining("1 errors in 1 files:\ntools/runner/greet.ts:2:23:"),
    });
  });

  test("is left out when no code changed, or there is none", async () => {
    const changed = ["manifests/runner/greet.yaml", "tools/README.md"];
    expect(await check({ [GREET]: "wrong" }, {}, { changed })).toEqual({
      status: "skipped",
      message: "Nothing under `tools/` has changed.",
    });
    expect(await check({}, {}, { changed: [GREET] })).toMatchObject({ status: "skipped" });
  });
});

describe("hostile handlers", () => {
  test("bring no configuration, plugin or package of their own", async () => {
    const config = JSON.stringify({ compilerOptions: { noCheck: true, plugins: [{ name: "./plugin.js" }] } });
    const files = {
      [GREET]: "export default (): string => 1;\n",
      "tsconfig.json": config,
      "tools/tsconfig.json": config,
      "tools/runner/tsconfig.json": config,
      "tools/runner/plugin.js": "throw new Error('run');\n",
      "package.json": '{ "imports": { "#x": "./tools/runner/plugin.js" } }',
      "server/host-api.ts": "export type Handler = any;\n",
    };
    expect(await check(files)).toMatchObject({ status: "failed", message: expect.stringContaining("TS2322") });
  });

  test.each([
    ["an import", (path: string) => `import type { Key } from "${path}";`],
    ["an import of no name", (path: string) => `import "${path}";`],
    ["an import type", (path: string) => `type Key = import("${path}").Key;`],
    ["a reference", (path: string) => `/// <reference path="${path}" />\ntype Key = 1;`],
    ["an augmentation", (path: string) => `declare module "${path}" { interface Key { more: 1 } }\ntype Key = 1;`],
    [
      "an import of what is not there",
      (path: string) => `import type { Key } from "${path.replace("secret", "none")}";`,
    ],
    [
      "an escaped import",
      (path: string) => `import type { Key } from "${path.replaceAll("/", "\\x2f").replaceAll(".", "\\u{2e}")}";`,
    ],
  ])("are shown nothing that lies beside the repository by %s", async (_what, lead) => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "other"));
    const secret = join(folder, "other", "secret.ts");
    await writeFile(secret, 'export type Key = { sesame: "open" };\nexport const sesame: number = "open sesame";\n');
    for (const path of [secret, `${"../".repeat(12)}${secret.slice(1)}`]) {
      const text = `${lead(path)}\nexport const key: Key = 7;\nexport default () => key;\n`;
      const { status, message } = await check({ [GREET]: text });
      expect({ status, message }).toEqual({
        status: "failed",
        message: "An import or a reference leads out of `tools/`, which handlers may not leave.",
      });
    }
  });

  test("read no file that is no TypeScript", async () => {
    const lines = ["/etc/passwd", "/proc/self/environ", "/dev/zero"].flatMap((path) => [
      `/// <reference path="${path}" />`,
      `import type x${path.length} from "${path}";`,
    ]);
    const { status, message } = await check({ [GREET]: `${lines.join("\n")}\nexport default () => 1;\n` });
    expect(status).toBe("failed");
    expect(message).not.toContain("root:");
  });

  test("are told a bounded number of errors", async () => {
    const text = `export default () => 1;\n${Array.from({ length: 30_000 }, (_, index) => `const a${index}: string = ${index};\n`).join("")}`;
    const { status, message } = await check({ [GREET]: text });
    expect(status).toBe("failed");
    expect(message.length).toBeLessThan(4_200);
    expect(message).toMatch(/^10000 errors in 1 files:\n[^]*\n\.\.\. and \d+ more\.$/);
  });

  test("are given up when checking them takes too long, or too much memory", async () => {
    const files = { [GREET]: ENDLESS };
    const small = { timeMs: 1_000, memoryBytes: 2 ** 31 };
    expect(await check(files, {}, { limits: small })).toEqual({
      status: "failed",
      message: "Type checking was not done after 1000 ms.",
    });
    expect(await check({ [GREET]: TYPED }, {}, { limits: { timeMs: 20_000, memoryBytes: 2 ** 20 } })).toEqual({
      status: "failed",
      message: "Type checking needs more than 1048576 bytes.",
    });
  });

  test("end with whoever waits for them", async () => {
    const controller = new AbortController();
    const checked = check({ [GREET]: ENDLESS }, {}, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(checked).rejects.toMatchObject({ name: "CANCELLED" });
  });
});

/** Types that double with each of sixteen steps, again and again. */
const ENDLESS = `
type Steps = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
type Grow<Left extends 0[], Path extends string> = Left extends [0, ...infer Rest extends 0[]]
  ? Grow<Rest, \`\${Path}0\`> | Grow<Rest, \`\${Path}1\`>
  : Path;
${Array.from({ length: 1_000 }, (_, index) => `export const a${index}: Grow<Steps, '${index}-'> = 1;`).join("\n")}
export default () => 1;
`;
