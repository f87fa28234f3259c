import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agentFiles } from "../../../helpers/agent.ts";
import { createRepository, type TestRepository } from "../../../helpers/repository.ts";
import { runIn } from "../run-in.ts";

const HELLO = { handler: "export default () => ({});\n" };

async function createAgent(version = "1.0.0"): Promise<TestRepository> {
  const repository = await createRepository();
  await repository.release(version, agentFiles({ version, tools: { hello: HELLO } }));
  return repository;
}

async function edit({ path }: TestRepository, file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(path, file), "utf8");
  if (!text.includes(from)) throw new Error(`${from} is not in ${file}.`);
  await writeFile(join(path, file), text.replace(from, to));
}

const toTool = (name: string) =>
  `name: runner.${name}\nversion: 1.0.0\ndescription: Does ${name}.\ninput: { type: object }\noutput: { type: object }\n`;
const historyOf = ({ path }: TestRepository) => readFile(join(path, "versions.yaml"), "utf8");
const TOOL = "manifests/runner/hello.yaml";

describe("cairn bump", () => {
  test("leaves everything alone when nothing changed, or `current` is high enough", async () => {
    const repository = await createAgent();
    const before = await historyOf(repository);
    expect(await runIn(repository.path, ["bump"])).toEqual({
      code: 0,
      printed: "Nothing that a version is made of differs between 1.0.0 and 1.0.0.\n`current` stays 1.0.0.",
    });
    expect(await historyOf(repository)).toBe(before);
    await edit(repository, TOOL, "Does hello.", "Says hello.");
    expect((await runIn(repository.path, ["bump", "--tools"])).printed).toContain("`current` is 1.0.1");
    const raised = await historyOf(repository);
    expect((await runIn(repository.path, ["bump", "--tools"])).printed).toContain("`current` stays 1.0.1.");
    expect(await historyOf(repository)).toBe(raised);
  });

  test("leaves a number that an earlier change has raised, and writes beside what that one said", async () => {
    const repository = await createAgent();
    await repository.commit({ "manifests/runner/more.yaml": toTool("more"), "tools/runner/more.ts": HELLO.handler });
    expect((await runIn(repository.path, ["bump", "--change", "One tool more."])).printed).toContain("is 1.1.0, made");
    await repository.git("commit", "--quiet", "--all", "--message", "One.");
    await repository.commit({ "manifests/runner/other.yaml": toTool("other"), "tools/runner/other.ts": HELLO.handler });
    const { code, printed } = await runIn(repository.path, ["bump", "--change", "Another tool."]);
    expect([code, printed.split("\n").slice(-2)]).toEqual([0, ["`current` stays 1.1.0.", "Wrote versions.yaml."]]);
    const { versions } = parse(await historyOf(repository)) as { versions: Record<string, { changes: string[] }> };
    expect(versions["1.1.0"]?.changes).toEqual(["One tool more.", "Another tool."]);
    expect(Object.keys(versions)).toEqual(["1.0.0", "1.1.0"]);
  });

  test("keeps comments, quotes and order, and puts the newest where the newest is", async () => {
    const repository = await createAgent();
    const history = join(repository.path, "versions.yaml");
    const written = `# What we made.\ncurrent: "1.0.0" # now\nlabels: { stable: 1.0.0 }\nversions:\n  # the good one\n  1.0.0:\n    changes: ['First.']\n  0.9.0: { changes: [] }\n`;
    await writeFile(history, written);
    await repository.commit({});
    await repository.tag("v1.0.0");
    await edit(repository, TOOL, "description: Does hello.", "description: Says hello.\nidempotent: false");
    expect((await runIn(repository.path, ["bump", "--change", "Hello may not be repeated."])).code).toBe(0);
    expect(await historyOf(repository)).toBe(
      `# What we made.
current: "2.0.0" # now
labels: { stable: 1.0.0 }
versions:
  2.0.0:
    parent: 1.0.0
    date: 2026-06-01T00:00:00Z
    changes:
      - Hello may not be repeated.
  # the good one
  1.0.0:
    changes: ['First.']
  0.9.0: { changes: [] }
`,
    );
  });

  test("raises a number that was raised too little, with what was written of it", async () => {
    const repository = await createAgent();
    await edit(repository, "versions.yaml", "current: 1.0.0", "current: 1.0.1");
    await edit(repository, "versions.yaml", "versions:", "versions:\n  1.0.1: { parent: 1.0.0, changes: [My words.] }");
    await edit(repository, TOOL, "version: 1.0.0", "version: 2.0.0\nidempotent: false");
    await runIn(repository.path, ["bump"]);
    const history = await historyOf(repository);
    expect(history).toContain("current: 2.0.0");
    expect(history).not.toContain("1.0.1");
    expect(history).toContain("My words.");
    expect((await runIn(repository.path, ["diff", "v1.0.0", "--check"])).code).toBe(0);
  });

  test("ends with the tools whose versions are too low for a tag, unless it raises them", async () => {
    const repository = await createAgent();
    await edit(repository, TOOL, "Does hello.", "Says hello.");
    const { code, printed } = await runIn(repository.path, ["bump"]);
    const warning = `A tag would be refused: the version in ${TOOL} is too low; \`cairn bump --tools\` raises it.`;
    expect([code, printed.split("\n").at(-1)]).toEqual([0, warning]);
    expect((await runIn(repository.path, ["bump"])).printed.split("\n").slice(-2)).toEqual([
      "`current` stays 1.0.1.",
      warning,
    ]);
    expect((await runIn(repository.path, ["bump", "--tools"])).printed).not.toContain("A tag would be refused");
    expect((await runIn(repository.path, ["bump"])).printed).not.toContain("A tag would be refused");
  });

  test("says what it would write, and writes nothing, when asked to", async () => {
    const repository = await createAgent("0.3.0");
    await edit(repository, TOOL, "Does hello.", "Says hello.");
    const { printed } = await runIn(repository.path, ["bump", "--tools", "--dry"]);
    expect(printed.split("\n").slice(2)).toEqual([
      `Would write ${TOOL}.`,
      "Would write versions.yaml.",
      "`current` would be 0.3.1, made from 0.3.0.",
    ]);
    expect(await repository.git("status", "--short")).toBe(`M ${TOOL}`);
  });

  test("measures against the last release, or what `--from` names", async () => {
    const repository = await createAgent();
    await repository.commit({ "manifests/runner/hello.yaml": null, "tools/runner/hello.ts": null });
    const first = await repository.git("rev-parse", "v1.0.0");
    const files = agentFiles({ version: "2.0.0-rc.1", parent: "1.0.0", tools: { hello: HELLO } });
    await repository.release("2.0.0-rc.1", files);
    expect((await runIn(repository.path, ["bump", "--dry"])).printed).toContain("between 1.0.0 and 2.0.0-rc.1");
    expect((await runIn(repository.path, ["bump", "--from", first, "--dry"])).printed).toContain("stays 2.0.0-rc.1");
    expect(await runIn(repository.path, ["bump", "--from", "v7.0.0"])).toEqual({
      code: 2,
      printed: "cairn: `v7.0.0` is neither a folder nor a commit of the repository here.",
    });
    expect((await runIn(repository.path, ["bump", "--from", "1.0.0"])).printed).toBe(
      "cairn: `1.0.0` is neither a folder nor a commit of the repository here; `v1.0.0` is a tag.",
    );
    expect((await runIn(repository.path, ["bump", "--from", "7.0.0"])).printed).not.toContain("v7.0.0");
  });

  test("asks what to compare with where no tag leads", async () => {
    const repository = await createRepository();
    await repository.commit(agentFiles({ version: "1.0.0", tools: { hello: HELLO } }));
    expect(await runIn(repository.path, ["bump"])).toEqual({
      code: 2,
      printed: "cairn: No tag of a served version leads here; name what to compare with as `--from`.",
    });
  });
});

describe("cairn diff", () => {
  test("ends with 1 only when it is to check, and a number says too little", async () => {
    const repository = await createAgent();
    expect((await runIn(repository.path, ["diff", "v1.0.0", "--check"])).code).toBe(0);
    await edit(repository, TOOL, "Does hello.", "Says hello.");
    expect((await runIn(repository.path, ["diff", "v1.0.0"])).code).toBe(0);
    expect((await runIn(repository.path, ["diff", "v1.0.0", "--check"])).code).toBe(1);
    expect((await runIn(repository.path, ["diff", "v1.0.0", "HEAD", "--check"])).code).toBe(0);
  });

  test("prints annotations, Markdown and JSON", async () => {
    const repository = await createAgent();
    await edit(repository, TOOL, "Does hello.", "Says @everyone *hello*.\ntitle: <b>");
    await edit(repository, TOOL, "version: 1.0.0", "version: 1.0.1\nrequiredCapabilities: [a_b]");
    const print = async (format: string) =>
      (await runIn(repository.path, ["diff", "v1.0.0", "--format", format])).printed;
    const need = "The change needs a major bump, and 1.0.0 is no higher than 1.0.0: it must be 2.0.0 or higher.";
    const annotations = (await print("github")).split("\n");
    expect(annotations[0]).toBe(`::error file=versions.yaml::${need}`);
    expect(annotations).toContain(
      `::error file=${TOOL},line=3,col=1,title=major%3A capability-added::Callers of \`runner.hello\` need \`a_b\`. It is about: tool runner.hello, member a_b.`,
    );
    expect(
      (await print("markdown"))
        .split("\n")
        .filter((line) => line !== "")
        .slice(0, 4),
    ).toEqual([
      "The change needs a major bump, and 1.0.0 is no higher than 1.0.0: it must be 2.0.0 or higher.",
      expect.stringContaining("The change of the tool `runner.hello` needs a major bump"),
      "### Major",
      `- Callers of \`runner.hello\` need \`a_b\`. (\`${TOOL}:3:1\`, capability-added of \`tool runner.hello, member a_b\`)`,
    ]);
    expect(JSON.parse(await print("json"))).toMatchObject({ required: "major", under_claimed: true, hidden: 0 });
  });

  test("says of a tree that is no version what is wrong with it", async () => {
    const repository = await createAgent();
    await edit(repository, TOOL, "version: 1.0.0", "version: one");
    const { code, printed } = await runIn(repository.path, ["diff", "v1.0.0"]);
    expect([code, printed]).toEqual([1, expect.stringContaining(`${TOOL}:2:10: `)]);
  });
});
