import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { writeSurface } from "../../../../server/semver/surfaces/surface.ts";
import { agentFiles } from "../../../helpers/agent.ts";
import { openTestService } from "../../../helpers/open-service.ts";
import { createRepository, openRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { toSurface } from "../../semver/surfaces/surfaces.ts";
import { runIn } from "../run-in.ts";

const PROGRAM = resolve("test/server/cli/mcp/programs/sdk-server.ts");
/** Command that starts a server of the official SDK: its version, then its edits. */
const issues = (...words: string[]) => `'${process.execPath}' '${PROGRAM}' ${words.join(" ")}`;

/** A folder with the saved surface of version 1.0.0. */
async function saveFirst(): Promise<string> {
  const folder = await temporaryFolder();
  const { code, printed } = await runIn(folder, ["surface", "save", "--mcp", issues("1.0.0")]);
  expect([code, printed]).toEqual([
    0,
    expect.stringMatching(
      /^Saved `issues` 1\.0\.0 to mcp-surface\.json: 2 tools, \d+ prompts?, \d+ resources?, \d+ resource templates?; sha256:/,
    ),
  ]);
  return folder;
}

describe("[V2] comparing a server of the official SDK with its saved surface", () => {
  test("finds nothing in itself, and what each edit needs", async () => {
    const folder = await saveFirst();
    const diff = (...args: string[]) => runIn(folder, ["diff", ...args]);
    expect(await diff("--mcp", issues("1.0.0"), "--check")).toEqual({
      code: 0,
      printed: "Nothing that clients can see differs between `issues` 1.0.0 and `issues` 1.0.0.",
    });
    const more = await diff("--mcp", issues("1.1.0", "limit"), "--check");
    expect(more).toEqual({
      code: 0,
      printed: expect.stringMatching(
        /^mcp-surface\.json:\d+: minor: Input of `list_issues`: `limit` is new, and may be given\. \[input-widened\]\n {4}For example `\{"project":"some text","limit":1\}` is taken now\.\n\nThe change from 1\.0\.0 to 1\.1\.0 needs a minor bump, and has it\.$/,
      ),
    });
    const less = await diff("--mcp", issues("1.1.0", "required", "gone"), "--check", "--format", "github");
    expect(less.code).toBe(1);
    const [verdict, ...found] = less.printed.split("\n");
    expect(verdict).toBe(
      "::error file=mcp-surface.json::The change needs a major bump, and 1.0.0 to 1.1.0 stands for a minor one at most: it must be 2.0.0 or higher.",
    );
    const saved = (await readFile(join(folder, "mcp-surface.json"), "utf8")).split("\n");
    const lines = found.map((line) => saved[Number(/,line=(\d+),/.exec(line)?.[1]) - 1]?.trim());
    expect(lines).toEqual(['"properties": {', '"ping_project": {']);
    const expected = await diff("--mcp", issues("1.0.0", "limit"), "--expect", "patch");
    expect([expected.code, expected.printed]).toEqual([
      1,
      expect.stringContaining("At most a patch bump was expected, and the change needs a minor one."),
    ]);
  });

  test("reads the saved surface of a commit, and another server", async () => {
    const folder = await saveFirst();
    const repository = await createRepository();
    await writeFile(join(repository.path, "s.json"), await readFile(join(folder, "mcp-surface.json")));
    await openRepository(repository.path).commit({});
    await writeFile(join(repository.path, "s.json"), "changed since");
    const committed = await runIn(repository.path, ["diff", "--mcp", issues("1.0.0"), "--against", "HEAD:s.json"]);
    expect([committed.code, committed.printed]).toEqual([
      0,
      expect.stringContaining("Nothing that clients can see differs"),
    ]);
    const live = await runIn(folder, [
      "diff",
      "--mcp",
      issues("2.0.0", "gone"),
      "--against",
      issues("1.0.0"),
      "--format",
      "json",
    ]);
    expect(JSON.parse(live.printed)).toMatchObject({
      from: { name: "issues", version: "1.0.0", protocol: "2025-11-25" },
      required: "major",
      refused: false,
      claim: { claimed: "major", kept: true },
      findings: [
        { rule: "tool-removed", level: "major", side: "before", path: "tools/ping_project", tool: "ping_project" },
      ],
    });
  });

  test("reads a saved surface under any name, and says what it expects of another file", async () => {
    const folder = await saveFirst();
    const text = await readFile(join(folder, "mcp-surface.json"), "utf8");
    for (const name of ["r.surface", "my release"]) {
      await writeFile(join(folder, name), text);
      const { code, printed } = await runIn(folder, ["diff", "--mcp", name, "--against", name]);
      expect([code, printed]).toEqual([0, expect.stringContaining("Nothing that clients can see differs")]);
    }
    await writeFile(join(folder, "notes"), "Ask Ada.");
    await writeFile(join(folder, "empty"), "");
    for (const name of ["notes", "empty"]) {
      expect(await runIn(folder, ["diff", "--mcp", "mcp-surface.json", "--against", name])).toEqual({
        code: 2,
        printed: `cairn: \`${name}\` is neither a saved surface, which begins with \`{\`, nor a program that may be run; give a URL, a command, or a file that \`cairn surface save\` wrote.`,
      });
    }
  });

  test("says of a surface with a single prompt that it has 1 prompt, and expects none of a change as no bump", async () => {
    const folder = await temporaryFolder();
    const saved = (more: object) => writeSurface(toSurface([], more));
    await writeFile(join(folder, "a.json"), saved({}));
    await writeFile(join(folder, "b.json"), saved({ prompts: { greet: {} } }));
    expect(await runIn(folder, ["surface", "save", "copy.json", "--mcp", "b.json"])).toEqual({
      code: 0,
      printed: expect.stringContaining(": 0 tools, 1 prompt, 0 resources, 0 resource templates; sha256:"),
    });
    expect(await runIn(folder, ["diff", "--mcp", "b.json", "--against", "a.json", "--expect", "none"])).toEqual({
      code: 1,
      printed: expect.stringContaining("No bump was expected, and the change needs a minor one."),
    });
    expect((await runIn(folder, ["surface", "save", "--help"])).printed).toContain("cairn surface save");
  });

  test.each<[readonly string[], string]>([
    [[], "`cairn diff` compares with a tag, branch, commit or folder"],
    [["v1.0.0", "--mcp", "x"], "name the older one with `--against`"],
    [["v1.0.0", "--expect", "minor"], "`--expect` is for MCP servers"],
    [
      ["--mcp", "x"],
      "There is no saved surface `mcp-surface.json`; `cairn surface save --mcp <url|command> mcp-surface.json` writes one",
    ],
    [["--mcp", "x", "--against", "HEAD:s.json"], "There is no saved surface `s.json` in `HEAD`"],
  ])("refuses %j", async (args, message) => {
    const { code, printed } = await runIn(await temporaryFolder(), ["diff", ...args]);
    expect([code, printed]).toEqual([2, expect.stringContaining(message)]);
  });
});

test("[V2] a version that Cairn serves has the surface that was saved of its tag, and a later one differs by its edit", async () => {
  const tool = (input: string) => ({
    handler: "export default () => ({ text: '' });\n",
    manifest: `input: { type: object, properties: { ${input} } }\noutput: { type: object, properties: { text: { type: string } } }`,
  });
  const repository = await createRepository();
  await repository.commit(agentFiles({ version: "1.0.0", tools: { greet: tool("name: { type: string }") } }));
  await repository.tag("v1.0.0");
  const both = tool("name: { type: string }, title: { type: string }");
  await repository.commit(
    agentFiles({ version: "1.1.0", parent: "1.0.0", tools: { greet: { ...both, version: "1.1.0" } } }),
  );
  await repository.tag("v1.1.0");
  const folder = await temporaryFolder();
  const environment = { PATH: process.env["PATH"], PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: folder };
  const { url } = await openTestService(environment, repository.path);
  const of = (version: string) => `${url}/agent/${version}/runner`;
  const saved = await runIn(folder, ["surface", "save", "--mcp", of("1.0.0")]);
  expect(saved).toEqual({ code: 0, printed: expect.stringMatching(/^Saved `test-agent\/runner` 1\.0\.0 to /) });
  const same = await runIn(folder, ["diff", "--mcp", of("1.0.0"), "--check"]);
  expect(same).toEqual({ code: 0, printed: expect.stringContaining("Nothing that clients can see differs between") });
  const later = await runIn(folder, ["diff", "--mcp", of("1.1.0"), "--check", "--format", "json"]);
  expect([later.code, JSON.parse(later.printed)]).toEqual([
    0,
    expect.objectContaining({
      required: "minor",
      claim: expect.objectContaining({ from: "1.0.0", to: "1.1.0", kept: true }),
    }),
  ]);
});
