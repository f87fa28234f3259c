import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCairn } from "../helpers/cairn.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { type Editor, openEditor } from "./language-server.ts";

/** Host of the list of schemas that the language server looks for at its start. */
const CATALOGUE = "www.schemastore.org";
const shared = createShared();
/** A repository as `cairn init` makes it, in which nothing is installed. */
let agent: string;
let files: readonly string[];

beforeAll(async () => {
  agent = join(await temporaryFolder(shared.atEnd), "agent");
  expect((await runCairn(["init", agent])).code).toBe(0);
  files = globSync("{versions.yaml,manifests/**/*.yaml}", { cwd: agent }).sort();
  expect(files.length).toBeGreaterThan(10);
});
afterAll(shared.undoAll);

/** The content of a file without the line that names its schema. */
async function readUnnamed(file: string): Promise<string> {
  const text = await readFile(join(agent, file), "utf8");
  const unnamed = text.replace(/^# yaml-language-server: .*$/m, "#");
  expect(unnamed, file).not.toBe(text);
  return unnamed;
}

const WAYS = [
  ["by the line in each file", (file: string) => readFile(join(agent, file), "utf8"), async () => ({})],
  [
    "by the settings of the repository",
    readUnnamed,
    async () => JSON.parse(await readFile(join(agent, ".vscode/settings.json"), "utf8")) as Record<string, unknown>,
  ],
] as const;

describe.each(WAYS)("an editor without a network, %s,", (_, read, loadSettings) => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await openEditor(agent, await loadSettings(), shared.atEnd);
    const text = await read("versions.yaml");
    // The server checks what is opened before it has read its settings, too.
    await vi.waitFor(
      async () => expect((await editor.open("versions.yaml", `${text}wrong: 1\n`)).diagnostics).toHaveLength(1),
      { timeout: 30_000 },
    );
  });

  test("finds nothing wrong with the files of a new repository", async () => {
    const found = await Promise.all(
      files.map(async (file) => [file, (await editor.open(file, await read(file))).diagnostics]),
    );
    expect(found.filter(([, diagnostics]) => diagnostics?.length !== 0)).toEqual([]);
  });

  test.each([
    ["manifests/agent.yaml", "defaults", "hostApi", "handlers"],
    ["manifests/runner/greet.yaml", "requiredCapabilities", "deterministic", "The same input always gives"],
    ["manifests/runner/server.yaml", "liveTools", "resources", "without calling a tool"],
    ["versions.yaml", undefined, "labels", "version"],
  ])("offers the keys of %s, refuses a wrong one, and explains a right one", async (file, offered, key, meaning) => {
    const text = await read(file);
    const { diagnostics, complete } = await editor.open(file, `${text}wrong: 1\n`);
    expect(diagnostics).toEqual([expect.stringMatching(/^\d+: Property wrong is not allowed/)]);
    if (offered !== undefined) expect(await complete()).toContain(offered);
    expect((await (await editor.open(file, text)).hover(`${key}:`)).toLowerCase()).toContain(meaning.toLowerCase());
  });

  test("offers and explains the keywords of a tool's schemas, and refuses values that they cannot have", async () => {
    const file = "manifests/runner/greet.yaml";
    const text = await read(file);
    const longest = text.replace("maxLength: 100", "maxLength: long");
    const { diagnostics, hover } = await editor.open(file, longest);
    expect(diagnostics).toEqual([expect.stringMatching(/^\d+: .*"integer"/)]);
    expect(await hover("maxLength:")).toContain("Most characters of a string.");
    const [head = ""] = text.split(/(?<=^ {6}minLength: 1\n)/m);
    expect(await (await editor.open(file, `${head}      `)).complete()).toEqual(
      expect.arrayContaining(["pattern", "format", "description"]),
    );
  });

  test("asks nobody, but for the server's own catalogue", () => {
    expect(editor.tried().filter((host) => host !== CATALOGUE)).toEqual([]);
  });
});

test("an editor knows the files that are made later, by the settings of the repository", async () => {
  const [, , loadSettings] = WAYS[1];
  const editor = await openEditor(agent, await loadSettings(), shared.atEnd);
  const offered = async (file: string) => (await editor.open(file, "description: x\n")).complete();
  await vi.waitFor(async () => expect(await offered("manifests/runner/new.yaml")).toContain("sideEffect"));
  expect(await offered("manifests/desk/server.yaml")).toContain("instructions");
  expect(await offered("manifests/policies/access.yaml")).toContain("roles");
  expect(await offered("manifests/workflows/review.yaml")).toContain("steps");
  expect(await offered("manifests/parameters/tone.yaml")).toContain("experiment");
  expect(await offered("manifests/parameters/tone.yaml")).not.toContain("sideEffect");
  expect(await offered("tools/runner/greet.recording.yaml")).toContain("answers");
  expect(await offered("docs/notes.yaml")).toEqual([]);
  expect(editor.tried().filter((host) => host !== CATALOGUE)).toEqual([]);
});

test("an editor names every strategy of experiments where one is unknown", async () => {
  const [, , loadSettings] = WAYS[1];
  const editor = await openEditor(agent, await loadSettings(), shared.atEnd);
  const text =
    "description: Tones.\nparameters:\n  tone: { type: categorical, values: [a, b], default: a }\nexperiment:\n  strategy: { kind: tompson }\n";
  await vi.waitFor(async () =>
    expect((await editor.open("manifests/parameters/tone.yaml", text)).diagnostics).toEqual([
      '5: Value must be "ucb1" | "ucb1_tuned" | "kl_ucb" | "thompson" | "sw_ucb" | "d_ucb" | "cma_es" | "preference".',
    ]),
  );
});
