import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { importTools, type ImportOptions } from "../../../../server/imports/mcp/import-tools.ts";
import type { Definition, McpSurface } from "../../../../server/semver/surfaces/surface.ts";
import { LIST, READ } from "../../capabilities/mcp/stand-in.ts";

const READ_MANIFEST = "manifests/files/read.yaml";
const READ_HANDLER = "tools/files/read.ts";
const UPSTREAM = "manifests/upstreams/files.yaml";

function toSurface(tools: Readonly<Record<string, Definition>>): McpSurface {
  return {
    server: { name: "Team Files", version: "2.1.0" },
    protocol: "2025-11-25",
    capabilities: {},
    tools,
    prompts: {},
    resources: {},
    resourceTemplates: {},
  };
}

/** A tree in memory, into which servers with these tools are imported one after the other. */
function openTree(given: Readonly<Record<string, string>> = {}) {
  const tree = new Map(Object.entries(given));
  async function run(tools: Readonly<Record<string, Definition>>, more: Partial<ImportOptions> = {}) {
    const imported = await importTools({
      surface: toSurface(tools),
      name: "files",
      server: "files",
      reach: { url: "https://files.example/mcp" },
      isPrefixed: false,
      isGuarded: false,
      readText: async (path) => tree.get(path),
      ...more,
    });
    for (const [path, text] of imported.files) {
      if (text === undefined) tree.delete(path);
      else tree.set(path, text);
    }
    return imported;
  }
  const edit = (path: string, from: string, to: string) => {
    const text = tree.get(path) ?? "";
    if (!text.includes(from)) throw new Error(`no \`${from}\` in ${path}:\n${text}`);
    tree.set(path, text.replace(from, to));
  };
  const load = (path: string) => parse(tree.get(path) ?? "") as Record<string, unknown>;
  const frozen = () => Object.keys(load(UPSTREAM)["tools"] as object);
  return { tree, run, edit, load, frozen };
}

const TOOLS = { read: READ, list: LIST };

describe("an import", () => {
  test("writes an upstream, a server, and a manifest and a handler for each tool", async () => {
    const { tree, run, load } = openTree();
    const { added, changed, gone, others, notes } = await run(TOOLS);
    expect({ added, changed, gone, others, notes }).toEqual({
      added: ["read", "list"],
      changed: [],
      gone: [],
      others: [],
      notes: [],
    });
    expect([...tree.keys()].toSorted()).toEqual([
      "manifests/files/list.yaml",
      READ_MANIFEST,
      "manifests/files/server.yaml",
      UPSTREAM,
      "tools/files/list.ts",
      READ_HANDLER,
    ]);
    expect(tree.get(READ_HANDLER)).toContain('(input, ctx) => ctx.mcp.call("files", "read", input);');
    expect(load(UPSTREAM)).toMatchObject({ url: "https://files.example/mcp", server: "Team Files 2.1.0" });
    expect(load("manifests/files/server.yaml")).toEqual({ name: "files", description: "Tools of Team Files." });
  });

  test("leaves out tools that are tasks alone, also one that was imported before it became one", async () => {
    const { run, frozen, tree } = openTree();
    const task = { ...LIST, execution: { taskSupport: "required" } };
    const { added, notes } = await run({ ...TOOLS, research: task });
    expect([added, notes]).toEqual([["read", "list"], ["research: left out, because it can only be called as a task"]]);
    await expect(run({ ...TOOLS, research: task }, { wanted: ["research"] })).rejects.toThrow(
      "`research` can only be called as a task of MCP, and Cairn begins none.",
    );
    expect(await run({ read: READ, list: task })).toMatchObject({ gone: ["list"], others: [] });
    expect(frozen()).toEqual(["read"]);
    expect([...tree.keys()]).not.toContain("manifests/files/list.yaml");
  });

  test("repeated without a change writes what is there", async () => {
    const { tree, run } = openTree();
    await run(TOOLS);
    const before = new Map(tree);
    const { added, changed, gone } = await run(TOOLS);
    expect([added, changed, gone]).toEqual([[], [], []]);
    expect(tree).toEqual(before);
  });

  test("brings in what is asked for, and later what it has and one more", async () => {
    const { run, frozen } = openTree();
    expect((await run(TOOLS, { wanted: ["read"] })).others).toEqual(["list"]);
    expect(frozen()).toEqual(["read"]);
    expect((await run(TOOLS)).others).toEqual(["list"]);
    expect((await run(TOOLS, { wanted: ["list"] })).added).toEqual(["list"]);
    expect(frozen()).toEqual(["read", "list"]);
  });

  test("puts the server's name before names, and keeps the file of a server apart from a tool of that name", async () => {
    const { load, run } = openTree();
    await run({ server: READ }, { isPrefixed: true });
    expect(load("manifests/files/server_.yaml")["name"]).toBe("files.server_");
    expect(load("manifests/files/server.yaml")["name"]).toBe("files");
  });

  test.each<[string, Readonly<Record<string, Definition>>, Partial<ImportOptions>, RegExp]>([
    ["a tool that is not there", TOOLS, { wanted: ["write"] }, /^The server has no tool `write`; it has read, list\.$/],
    ["two tools of one file", { "a b": READ, "A/b": READ }, {}, /^`a b` and `A\/b` would be in the same file\. Bring/],
    [
      "a name that leads out of its folder",
      TOOLS,
      { name: "../x" },
      /^`\.\.\/x` cannot name the upstream: names begin/,
    ],
    [
      "a folder that leads out of the tree",
      TOOLS,
      { server: "../x" },
      /^`\.\.\/x` cannot name the server: names begin/,
    ],
  ])("is refused for %s", async (_title, tools, more, says) => {
    const { tree, run } = openTree();
    await expect(run(tools, more)).rejects.toMatchObject({ name: "BAD_REQUEST", message: expect.stringMatching(says) });
    expect(tree.size).toBe(0);
  });

  test.each([
    [READ_MANIFEST, "name: read\nuses: [fetch]\n", /is a tool that does not call `files`\. Give this upstream's/],
    [READ_MANIFEST, "- no\n- manifest\n", /`manifests\/files\/read\.yaml` cannot be read: it is no mapping\.$/],
    [UPSTREAM, "name: 'files\n", /`manifests\/upstreams\/files\.yaml` cannot be read: Missing closing/],
  ])("writes nothing over %s with %j in it", async (path, text, says) => {
    const { tree, run } = openTree({ [path]: text });
    await expect(run(TOOLS)).rejects.toMatchObject({ name: "BAD_REQUEST", message: expect.stringMatching(says) });
    expect([...tree]).toEqual([[path, text]]);
  });
});

describe("renewing an import", () => {
  const narrower = {
    ...READ,
    description: "Reads one file.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, encoding: { type: "string" } },
      required: ["path", "encoding"],
    },
  };

  test("keeps the texts, examples, numbers, layout and handlers of people, and takes the schemas of the server", async () => {
    const { tree, run, edit, load, frozen } = openTree();
    await run(TOOLS);
    edit(READ_MANIFEST, "description: Reads a file.", "# Worded with the team.\ndescription: Reads a document.");
    edit(READ_MANIFEST, "version: 1.0.0", "version: 1.2.0");
    tree.set(READ_MANIFEST, `${tree.get(READ_MANIFEST)}examples:\n  - { name: One, input: { path: a } }\n`);
    edit(READ_HANDLER, "input, ctx", "given, ctx");
    const { changed, notes } = await run({ ...TOOLS, read: narrower });
    expect(changed).toEqual(["read"]);
    expect(notes).toEqual(["read: `description` changed on both sides; yours stays"]);
    expect(load(READ_MANIFEST)).toMatchObject({
      version: "1.2.0",
      description: "Reads a document.",
      input: narrower.inputSchema,
      examples: [{ name: "One", input: { path: "a" } }],
    });
    expect(tree.get(READ_MANIFEST)).toContain("# Worded with the team.");
    expect(tree.get(READ_HANDLER)).toContain("given, ctx");
    expect(frozen()).toEqual(["read", "list"]);
    expect(load(UPSTREAM)).toMatchObject({ tools: { read: { definition: narrower } } });
  });

  test("takes the server's schema where both changed it, and says so", async () => {
    const { run, edit, load } = openTree();
    await run(TOOLS);
    edit(READ_MANIFEST, "  required:\n    - path\n", "  required: []\n");
    const { notes } = await run({ ...TOOLS, read: { ...narrower, description: "Reads a file." } });
    expect(notes).toEqual(["read: `input.required` changed on both sides; the server's counts"]);
    expect(load(READ_MANIFEST)["input"]).toEqual(narrower.inputSchema);
  });

  test("keeps the limits and the way of rewording of the upstream, and takes where it is now", async () => {
    const { tree, run, load } = openTree();
    await run(TOOLS);
    tree.set(UPSTREAM, `${tree.get(UPSTREAM)}rewording: serve\nlimits: { time: 500 }\n`);
    await run(TOOLS, { reach: { command: ["files"], mounts: ["docs"] } });
    expect(load(UPSTREAM)).toMatchObject({
      rewording: "serve",
      limits: { time: 500 },
      command: ["files"],
      mounts: ["docs"],
    });
    expect(load(UPSTREAM)).not.toHaveProperty("url");
  });

  test("removes a tool that the server has no more, with its recording", async () => {
    const { tree, run, frozen } = openTree();
    await run(TOOLS);
    tree.set("tools/files/read.recording.yaml", "calls: []\n");
    const { gone, notes } = await run({ list: LIST });
    expect([gone, notes, frozen()]).toEqual([["read"], [], ["list"]]);
    expect([...tree.keys()].filter((path) => path.includes("read"))).toEqual([]);
  });

  test("leaves a tool that the server has no more where its handler is somebody's own, and says so", async () => {
    const { tree, run, edit } = openTree();
    await run(TOOLS);
    edit(READ_HANDLER, "input, ctx", "given, ctx");
    const { gone, notes } = await run({ list: LIST });
    expect(gone).toEqual(["read"]);
    expect(notes).toEqual([
      `read: the server has it no more, and \`${READ_HANDLER}\` is your own; its calls of it will fail`,
    ]);
    expect([tree.has(READ_MANIFEST), tree.has(READ_HANDLER)]).toEqual([true, true]);
  });

  test("does not bring back a tool that somebody has deleted, unless asked to", async () => {
    const { tree, run, frozen } = openTree();
    await run(TOOLS);
    tree.delete(READ_MANIFEST);
    tree.delete(READ_HANDLER);
    const { deleted, files } = await run({ ...TOOLS, read: narrower });
    expect([deleted, frozen()]).toEqual([["read"], ["read", "list"]]);
    expect([files.has(READ_MANIFEST), files.has(READ_HANDLER)]).toEqual([false, false]);
    const again = await run({ ...TOOLS, read: narrower }, { wanted: ["read"] });
    expect([again.deleted, tree.has(READ_MANIFEST), tree.has(READ_HANDLER)]).toEqual([[], true, true]);
  });
});
