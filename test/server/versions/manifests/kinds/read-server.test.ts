import { describe, expect, it } from "vitest";
import { createLoader } from "../../../../../server/versions/load-version.ts";
import type { Server } from "../../../../../server/versions/version.ts";
import { createMemoryTree, type Files } from "../../../../fixtures/trees/create-memory-tree.ts";
import { type Change, changeTree, edit } from "../../../../fixtures/trees/good-tree.ts";

const SERVER = "manifests/runner/server.yaml";
const loader = createLoader();

async function load(changes: Readonly<Record<string, Change>>): Promise<Server> {
  const files: Files = changeTree(changes);
  const loaded = await loader.load(createMemoryTree(files), "0123456");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const server = loaded.version.servers.get("runner");
  if (!server) throw new Error("There is no server.");
  return server;
}

const withResource = (lines: string) => ({ [SERVER]: edit("prompts:", `${lines}\nprompts:`) });
const withMessage = (line: string) => ({
  [SERVER]: edit("        text: Explain the weather in {{place}}.", `        ${line}`),
});

describe("the state of a server", () => {
  const withState = async (line: string) =>
    (await load({ [SERVER]: edit("name: runner\n", `name: runner\n${line}`) })).state;

  it("is shared under its name, written short or in full", async () => {
    expect(await withState("state: desk\n")).toBe("desk");
    expect(await withState("state: { scope: shared, name: desk }\n")).toBe("desk");
  });

  it("is the commit's alone where the manifest says so, or nothing", async () => {
    expect(await withState("state: { scope: version }\n")).toBeUndefined();
    expect(await withState("")).toBeUndefined();
  });
});

describe("a resource", () => {
  it("may be bytes", async () => {
    const { resources } = await load(
      withResource("  - { uri: docs://dot, name: dot, mimeType: image/gif, blob: R0lGOA== }"),
    );
    expect(resources.at(-1)).toEqual({
      uri: "docs://dot",
      name: "dot",
      mimeType: "image/gif",
      source: { kind: "blob", blob: "R0lGOA==" },
    });
  });

  it("at a template may be a text with variables, and suggest values for them", async () => {
    const { resourceTemplates } = await load(
      withResource(
        "  - { uriTemplate: 'docs://{place}{?limit}', name: places, text: '{{limit}} of {{place}}', suggestions: { place: [Rome, Bonn] } }",
      ),
    );
    expect(resourceTemplates.at(-1)).toEqual({
      uriTemplate: "docs://{place}{?limit}",
      name: "places",
      source: { kind: "text", text: "{{limit}} of {{place}}" },
      suggestions: new Map([["place", ["Rome", "Bonn"]]]),
    });
    expect(Object.isFrozen(resourceTemplates.at(-1)?.suggestions.get("place"))).toBe(true);
  });

  it("at a fixed address may have braces that mean nothing", async () => {
    const { resources } = await load({ [SERVER]: edit("Read the sky.", '"{{ mustache }} {{place}}"') });
    expect(resources.at(-1)?.source).toEqual({ kind: "text", text: "{{ mustache }} {{place}}" });
  });

  it("takes base64 with either padding or none, and nothing else", async () => {
    const withBlob = (blob: string) => withResource(`  - { uri: docs://b, name: b, blob: "${blob}" }`);
    for (const blob of ["QUJD", "QUI=", "QQ==", "+/+/", "QUJD".repeat(50_000)]) {
      expect((await load(withBlob(blob))).resources.at(-1)?.source).toEqual({ kind: "blob", blob });
    }
    for (const blob of ["", "QUJ", "QUJD=", "Q===", "QU JD", "QU-_", "=QUJ", `${"QUJD".repeat(50_000)}!`]) {
      await expect(load(withBlob(blob))).rejects.toThrow("wrong-value");
    }
  });
});

describe("a prompt", () => {
  it.each([
    ["text: 'In {{place}}'", { type: "text", text: "In {{place}}" }],
    ["image: { data: QQ==, mimeType: image/png }", { type: "image", data: "QQ==", mimeType: "image/png" }],
    ["audio: { data: QQ==, mimeType: audio/wav }", { type: "audio", data: "QQ==", mimeType: "audio/wav" }],
    [
      "resource: { uri: '{{place}}', mimeType: text/plain, text: '{{place}}!' }",
      { type: "resource", resource: { uri: "{{place}}", mimeType: "text/plain", text: "{{place}}!" } },
    ],
    [
      "resource: { uri: 'docs://dot', blob: QQ== }",
      { type: "resource", resource: { uri: "docs://dot", blob: "QQ==" } },
    ],
  ])("may say %s", async (line, content) => {
    const { prompts } = await load(withMessage(line));
    expect(prompts[0]?.messages).toEqual([{ role: "user", content }]);
    expect(Object.isFrozen(prompts[0]?.messages[0])).toBe(true);
  });

  it.each([
    "image: { data: QQ== }",
    "audio: { mimeType: audio/wav }",
    "resource: { uri: docs://dot }",
    "resource: { uri: docs://dot, text: a, blob: QQ== }",
    "resource: { uri: 'docs://a b', text: a }",
    "image: { data: 'no', mimeType: image/png }",
  ])("cannot say %s", async (line) => {
    await expect(load(withMessage(line))).rejects.toThrow("manifests/runner/server.yaml");
  });

  it("may have a question and suggestions for an argument", async () => {
    const more = "        required: true\n        ask: Which place?\n        suggestions: [Rome, Bonn]";
    const { prompts } = await load({ [SERVER]: edit("        required: true", more) });
    expect(prompts[0]?.arguments).toEqual([
      { name: "place", required: true, ask: "Which place?", suggestions: ["Rome", "Bonn"] },
    ]);
  });
});

describe("a server", () => {
  it("is interactive when one of its tools or prompts may ask", async () => {
    const tool = { "manifests/runner/chat.yaml": edit("uses: [session", "interactive: true\nuses: [elicit, session") };
    const prompt = { [SERVER]: edit("        required: true", "        required: true\n        ask: Which place?") };
    expect((await load({})).interactive).toBe(false);
    expect((await load(tool)).interactive).toBe(true);
    expect((await load(tool)).tools.map(({ interactive }) => interactive)).toEqual([true, false]);
    expect((await load(prompt)).interactive).toBe(true);
  });
});
