import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { raiseVersion } from "../../../../../server/architect/pipeline/verify/raise-version.ts";
import type { Verification, VerifyCheck } from "../../../../../server/architect/pipeline/verify/verification.ts";
import { bodyKey } from "../../../../../server/store/keys.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { findSandbox } from "../../../../helpers/sandbox.ts";
import { openVerifyBench, type VerifyBench } from "../../../../helpers/verify.ts";

const sandbox = await findSandbox();
const MANIFEST = "manifests/runner/greet.yaml";
const HANDLER = "tools/runner/greet.ts";
const AGENT = "manifests/agent.yaml";
const FILES = agentFiles({
  version: "1.4.2",
  tools: {
    greet: {
      handler: `import type { Handler } from "cairn-gitops/host-api";

const greet: Handler<{ name: string }, { text: string }> = ({ name }) => ({ text: \`Hello, \${name}!\` });

export default greet;
`,
      manifest: `deterministic: true
record: true
input: { type: object, required: [name], properties: { name: { type: string } } }
output: { type: object, required: [text], properties: { text: { type: string } } }
examples:
  - { description: Ada, input: { name: Ada }, output: { text: "Hello, Ada!" } }`,
    },
    other: {
      handler: "export default () => ({});\n",
      manifest: "input: { type: object }\noutput: { type: object }\nexamples:\n  - { input: {}, output: {} }",
    },
  },
});
const ALL = ["version", "types", "semver", "examples", "replay", "tests", "secrets"];

/** The least that a change of these files needs, as the Architect would have it. */
async function raised(bench: VerifyBench, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) await bench.workspace.fs.write(path, text);
  const { before, workspace, loader, against } = bench;
  const { version } = before;
  const about = { before: version, released: version, workspace, changes: ["More."], against, loader };
  const { files: more } = await raiseVersion({ ...about, taken: () => false, now: () => 0 });
  return { ...files, ...Object.fromEntries(more) };
}

const edit = (path: string, from: string, to: string) => ({ [path]: (FILES[path] ?? "").replace(from, to) });

function statusOf({ checks }: Verification): Readonly<Record<string, VerifyCheck["status"]>> {
  return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
}

function find({ checks }: Verification, name: VerifyCheck["name"]): VerifyCheck | undefined {
  return checks.find((check) => check.name === name);
}

describe("verifying a change", { timeout: 120_000 }, () => {
  test("passes one that is fine, with every check in order, each told as soon as it is made", async () => {
    const bench = await openVerifyBench(FILES);
    const told: VerifyCheck[] = [];
    const files = await raised(bench, edit(MANIFEST, "Does greet.", "Greets."));
    const verification = await bench.verify(files, { onCheck: (check) => told.push(check) });
    expect(verification).toMatchObject({ status: "passed", required: "patch" });
    expect(verification.checks.map(({ name }) => name)).toEqual(ALL);
    expect(statusOf(verification)).toEqual({
      version: "passed",
      types: "skipped",
      semver: "passed",
      examples: "passed",
      replay: "skipped",
      tests: "skipped",
      secrets: "passed",
    });
    expect(find(verification, "examples")?.message).toBe("2 examples of 2 tools: 2 passed, 0 failed, 0 skipped.");
    expect(told.toSorted((a, b) => ALL.indexOf(a.name) - ALL.indexOf(b.name))).toEqual(verification.checks);
    expect(told[0]?.name).toBe("version");
    expect(verification.checks.every(({ durationMs }) => Number.isSafeInteger(durationMs) && durationMs >= 0)).toBe(
      true,
    );
  });

  test("tells all that is wrong with one, and where", async () => {
    const bench = await openVerifyBench(FILES);
    const key = ["ghp", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"].join("_");
    const value = {
      schemaVersion: 1,
      tool: "runner.greet",
      input: { name: "Bo" },
      output: { text: "Hello, Bo!" },
      at: 1,
    };
    await bench.store.commit({ set: [{ key: bodyKey("local", bench.commit, "call-1"), value }] });
    const verification = await bench.verify({
      ...edit(HANDLER, "Hello, ${name}!", "${name * 2}"),
      "notes.md": `# Notes\n\nKey: ${key}\n`,
    });
    expect(verification).toMatchObject({ status: "failed", required: "patch" });
    expect(statusOf(verification)).toEqual({
      version: "passed",
      types: "failed",
      semver: "failed",
      examples: "failed",
      replay: "failed",
      tests: "skipped",
      secrets: "failed",
    });
    const messages = Object.fromEntries(verification.checks.map(({ name, message }) => [name, message]));
    expect(messages["types"]).toContain("tools/runner/greet.ts:3:86: The left-hand side of an arithmetic operation");
    expect(messages["semver"]).toContain("versions.yaml:1:1: The change needs a patch bump");
    expect(messages["semver"]).toContain("tools/runner/greet.ts:1:1: `tools/runner/greet.ts` has other code.");
    expect(messages["examples"]).toContain(
      `${MANIFEST}:9:5: runner.greet (Ada): failed: /text: expected "Hello, Ada!"`,
    );
    expect(messages["replay"]).toContain("1 x runner.greet answers otherwise at /text (its version promises the same)");
    expect(messages["secrets"]).toContain("notes.md:3:6: looks like a credential (GITHUB_TOKEN).");
    expect(JSON.stringify(verification)).not.toContain(key);
  });

  test("tells where the files make no version, and leaves out the rest but the search for credentials", async () => {
    const bench = await openVerifyBench(FILES);
    const verification = await bench.verify(edit(MANIFEST, "deterministic: true", "deterministic: maybe"));
    expect(verification).toMatchObject({ status: "failed", required: "none" });
    expect(find(verification, "version")).toMatchObject({
      status: "failed",
      message: expect.stringContaining(`${MANIFEST}:4:16: `),
    });
    expect(find(verification, "secrets")).toMatchObject({ status: "passed", message: "1 files searched." });
    const rest = verification.checks.filter(({ name }) => name !== "version" && name !== "secrets");
    expect(rest.map(({ status, message }) => [status, message])).toEqual(
      Array.from({ length: 5 }, () => ["skipped", "The files make no version; `version` says why."]),
    );
  });

  test("lets a tool whose number says that it changed answer otherwise than it was recorded", async () => {
    const bench = await openVerifyBench(FILES);
    const value = {
      schemaVersion: 1,
      tool: "runner.greet",
      input: { name: "Bo" },
      output: { text: "Hello, Bo!" },
      at: 1,
    };
    await bench.store.commit({ set: [{ key: bodyKey("local", bench.commit, "call-1"), value }] });
    const files = {
      ...edit(HANDLER, "Hello", "Hi"),
      [MANIFEST]: (FILES[MANIFEST] ?? "").replace('"Hello, Ada!"', '"Hi, Ada!"'),
    };
    const patched = await bench.verify(await raised(bench, files));
    expect(statusOf(patched)).toMatchObject({ examples: "passed", replay: "failed" });
    await bench.workspace.reset();
    const minor = {
      ...files,
      [MANIFEST]: files[MANIFEST].replace("version: 1.0.0", "version: 1.1.0"),
    };
    const verification = await bench.verify(await raised(bench, minor));
    expect(verification.status).toBe("passed");
    expect(find(verification, "replay")?.message).toContain("its version says that it changed");
    expect(find(await bench.verify(files, { tenant: "other" }), "replay")?.status).toBe("skipped");
  });

  test("tries each candidate's own code, not that of one before", async () => {
    const bench = await openVerifyBench(FILES);
    const wrong = await bench.verify(edit(HANDLER, "Hello", "Bye"));
    const right = await bench.verify(edit(HANDLER, "Hello", "Hello"));
    expect([find(wrong, "examples")?.status, find(right, "examples")?.status]).toEqual(["failed", "passed"]);
    const again = await bench.verify(await raised(bench, edit(HANDLER, "export default", "// More.\nexport default")));
    expect(find(again, "examples")?.status).toBe("passed");
  });

  test("does not choke on what changed files are", async () => {
    const bench = await openVerifyBench(FILES);
    await symlink("/etc/passwd", join(bench.tree, "link.md"));
    const verification = await bench.verify(
      { "empty.md": "" },
      { changed: ["empty.md", "link.md", "gone.md", "../out.md", "/etc/passwd"] },
    );
    expect(verification.status).toBe("passed");
    const { message } = find(verification, "secrets") ?? { message: "" };
    expect(message.split("\n").map((line) => line.split(":")[0])).toEqual([
      "1 files searched.",
      "link.md",
      "../out.md",
      "/etc/passwd",
    ]);
    expect(message).not.toContain("root:");
  });

  test("rejects when it is given up, before or meanwhile", async () => {
    const bench = await openVerifyBench(FILES);
    await expect(bench.verify({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "CANCELLED" });
    const controller = new AbortController();
    const onCheck = () => controller.abort();
    const files = edit(MANIFEST, "Does greet.", "Greets.");
    await expect(bench.verify(files, { signal: controller.signal, onCheck })).rejects.toMatchObject({
      name: "CANCELLED",
    });
    await bench.workspaces.close();
    await expect(bench.verify({})).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });
});

describe("the commands that an agent declares", { timeout: 120_000 }, () => {
  const POLICY = "manifests/policies/commands.yaml";
  const declare = (checks: string) => `${FILES[AGENT]}checks:\n${checks}`;
  const WITH_CHECKS = {
    ...FILES,
    [POLICY]: "commands:\n  - { program: node, arguments: [check.mjs] }\n  - { program: node, arguments: [--eval] }\n",
    "check.mjs":
      'import { readFileSync } from "node:fs";\nif (readFileSync("word.txt", "utf8") !== "right") throw new Error("The word is wrong.");\n',
    "word.txt": "right",
  };

  test("fail a change where there is no sandbox to run them in, and say what is missing", async () => {
    const files = { ...WITH_CHECKS, [AGENT]: declare("  - { name: word, command: [node, check.mjs] }\n") };
    const bench = await openVerifyBench(files);
    const check = find(await bench.verify({ "word.txt": "other" }), "tests");
    expect(check?.status).toBe("failed");
    expect(check?.message).toMatch(
      /^0 of 1 commands went well\.\nword: .*none in this test.*apt-get install bubblewrap/,
    );
  });

  test.skipIf(!sandbox.available)("pass a change or fail it, with what they said", async () => {
    const files = { ...WITH_CHECKS, [AGENT]: declare("  - { name: word, command: [node, check.mjs] }\n") };
    const bench = await openVerifyBench(files, { sandbox });
    expect(find(await bench.verify({ "notes.md": "More.\n" }), "tests")).toMatchObject({
      status: "passed",
      message: "1 of 1 commands went well.",
    });
    const wrong = await bench.verify({ "word.txt": "wrong" });
    expect(wrong.status).toBe("failed");
    expect(find(wrong, "tests")?.message).toMatch(
      /^0 of 1 commands went well\.\nword: `node check\.mjs` ended with 1\.\n[^]*Error: The word is wrong\./,
    );
  });

  test.skipIf(!sandbox.available)("are those that there would be, allowed by the version before", async () => {
    const files = { ...WITH_CHECKS, [AGENT]: declare("  - { name: word, command: [node, check.mjs] }\n") };
    const bench = await openVerifyBench(files, { sandbox });
    const other = declare("  - { name: word, command: [node, check.mjs, --strict] }\n");
    const altered = await bench.verify({ [AGENT]: other, "word.txt": "wrong" });
    expect(find(altered, "tests")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("word: `node check.mjs --strict` ended with 1."),
    });
    expect(altered.concerns).toEqual([
      "It alters the check `word` (`node check.mjs`), which changes had to pass, to `node check.mjs --strict`.",
    ]);
    const added = declare(
      "  - { name: word, command: [node, check.mjs] }\n  - { name: more, command: [node, --eval, 'process.exit(3)'] }\n",
    );
    const broken = await bench.verify({ [AGENT]: added, "word.txt": "right" });
    expect(find(broken, "tests")?.message).toMatch(
      /^1 of 2 commands went well\.\nmore: `node --eval .*` ended with 3\./,
    );
    expect(broken.concerns).toEqual([
      "It adds the check `more` (`node --eval process.exit(3)`), which every change after it has to pass.",
    ]);
  });

  test.skipIf(!sandbox.available)("can always be taken out, and are not tried then", async () => {
    const files = {
      ...WITH_CHECKS,
      [AGENT]: declare(
        "  - { name: word, command: [node, check.mjs] }\n  - { name: shell, command: [sh, -c, 'true'] }\n",
      ),
      "word.txt": "wrong",
    };
    const bench = await openVerifyBench(files, { sandbox });
    expect(find(await bench.verify({ "notes.md": "More.\n" }), "tests")?.message).toMatch(/^0 of 2 commands went well/);
    const one = await bench.verify({ [AGENT]: declare("  - { name: word, command: [node, check.mjs] }\n") });
    expect(find(one, "tests")?.message).toMatch(/^0 of 1 commands went well/);
    const none = await bench.verify({ [AGENT]: FILES[AGENT] ?? "" });
    expect([find(none, "tests")?.status, none.concerns]).toEqual([
      "skipped",
      [
        "It takes out the check `word` (`node check.mjs`), which changes had to pass.",
        "It takes out the check `shell` (`sh -c true`), which changes had to pass.",
      ],
    ]);
  });

  test("are allowed by no change itself, and taken no permission that they need", async () => {
    const shell = declare("  - { name: shell, command: [sh, -c, 'true'] }\n");
    const allowing = "commands:\n  - { program: sh, arguments: [-c] }\n";
    const bench = await openVerifyBench(WITH_CHECKS, { sandbox });
    expect(find(await bench.verify({ [AGENT]: shell, [POLICY]: allowing }), "tests")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("have to allow it before a check may run it: send that as a change of its own"),
    });
    const files = { ...WITH_CHECKS, [AGENT]: declare("  - { name: word, command: [node, check.mjs] }\n") };
    const checked = await openVerifyBench(files, { sandbox });
    const locking = { [POLICY]: "commands:\n  - { program: node, arguments: [--eval] }\n" };
    expect(find(await checked.verify(locking), "tests")).toMatchObject({
      status: "failed",
      message: expect.stringContaining(
        "word: The policy allows no command `node check.mjs`. After this change no other could pass",
      ),
    });
  });

  test.skipIf(!sandbox.available)("cannot write to the files, and are ended when their time is over", async () => {
    const write = `require("node:fs").writeFileSync("word.txt", "written")`;
    const checks = [
      `  - { name: write, command: [node, --eval, '${write}'] }\n`,
      "  - { name: wait, command: [node, --eval, 'setInterval(() => 0, 1000)'], timeout: 500 }\n",
    ];
    const bench = await openVerifyBench({ ...WITH_CHECKS, [AGENT]: declare(checks.join("")) }, { sandbox });
    const { message } = find(await bench.verify({ "notes.md": "More.\n" }), "tests") ?? { message: "" };
    expect(message).toMatch(/^0 of 2 commands went well\.\nwrite: `node --eval .*` ended with 1\.\n[^]*EROFS/);
    expect(message).toMatch(/\nwait: `node .*` was ended by a limit \(time, it has 500 ms\)\./);
    expect(await readFile(join(bench.tree, "word.txt"), "utf8")).toBe("right");
  });
});
