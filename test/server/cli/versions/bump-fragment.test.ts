import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFiles } from "../../../helpers/agent.ts";
import { createRepository, type TestRepository } from "../../../helpers/repository.ts";
import { runIn } from "../run-in.ts";

const HELLO = "export default () => ({});\n";
const TOOL = "manifests/runner/hello.yaml";
const toTool = (name: string) =>
  `name: runner.${name}\nversion: 1.0.0\ndescription: Does ${name}.\ninput: { type: object }\noutput: { type: object }\n`;

async function createAgent(): Promise<TestRepository> {
  const repository = await createRepository();
  const files = agentFiles({ version: "1.0.0", tools: { hello: { handler: HELLO } } });
  await repository.release("1.0.0", { ...files, "changes/README.md": "A file for each change.\n" });
  return repository;
}

async function edit({ path }: TestRepository, file: string, from: string, to: string): Promise<void> {
  await writeFile(join(path, file), (await readFile(join(path, file), "utf8")).replace(from, to));
}

const run = ({ path }: TestRepository, ...argv: string[]) => runIn(path, argv);
const addTool = (name: string) => ({
  [`manifests/runner/${name}.yaml`]: toTool(name),
  [`tools/runner/${name}.ts`]: HELLO,
});

describe("cairn bump, where a repository uses change fragments", () => {
  test("writes a fragment of the proven kind, and edits no number", async () => {
    const repository = await createAgent();
    await repository.commit(addTool("more"));
    expect(await run(repository, "validate")).toEqual({
      code: 1,
      printed: [
        "versions.yaml:1:1: The changes since 1.0.0 need a minor bump, and no change fragment claims one. (under-claimed)",
        "    Run `cairn bump`: it writes a change fragment with the proven kind.",
        "manifests/runner/more.yaml:1:1: The tool `runner.more` is new. (tool-added)",
        "    It needs a minor bump.",
        "",
        "2 problems in this folder.",
        "No change fragment claims anything since 1.0.0.",
        "1.0.1 is measured against 1.0.0: versions.yaml names it as the parent.",
      ].join("\n"),
    });
    expect(await run(repository, "bump", "-m", "One tool more.")).toEqual({
      code: 0,
      printed: [
        "The changes since 1.0.0 need a minor bump, and no change fragment claims one.",
        "Wrote changes/one-tool-more.md: minor.",
      ].join("\n"),
    });
    expect(await readFile(join(repository.path, "changes/one-tool-more.md"), "utf8")).toBe(
      "---\nkind: minor\n---\n\nOne tool more.\n",
    );
    expect(await repository.git("status", "--short")).toBe("?? changes/one-tool-more.md");
    const valid = await run(repository, "validate");
    expect([valid.code, valid.printed.split("\n").at(-1)]).toEqual([
      0,
      "1.1.0 is measured against 1.0.0: versions.yaml names it as the parent.",
    ]);
    expect((await run(repository, "diff", "v1.0.0", "--check")).code).toBe(0);
  });

  test("writes nothing where nothing is left to claim, and a smaller kind for a smaller change that follows", async () => {
    const repository = await createAgent();
    expect((await run(repository, "bump", "-m", "Nothing.")).printed).toContain("No change fragment is written");
    await repository.commit(addTool("more"));
    await run(repository, "bump", "-m", "One tool more.");
    expect((await run(repository, "bump")).printed).toContain("No change fragment is written");
    await repository.git("add", "--all");
    await repository.commit({});
    await edit(repository, TOOL, "Does hello.", "Says hello.");
    expect((await run(repository, "bump", "--change", "Another description.")).printed).toContain(
      "Wrote changes/another-description.md: patch.",
    );
    expect((await run(repository, "bump", "--kind", "major", "-m", "It is another thing.")).printed).toContain(
      ": major.",
    );
  });

  test("says which fragment claims too little, and with which lines", async () => {
    const repository = await createAgent();
    await repository.commit({ ...addTool("more"), "changes/a.md": "---\nkind: patch\n---\nOne tool more.\n" });
    const { code, printed } = await run(repository, "validate");
    expect([code, printed.split("\n")[0]]).toEqual([
      1,
      "changes/a.md:2:7: The changes since 1.0.0 need a minor bump, and the change fragments claim a patch one at most. (under-claimed)",
    ]);
    const checked = await run(repository, "diff", "v1.0.0", "--check", "--format", "github");
    expect([checked.code, checked.printed]).toEqual([
      1,
      expect.stringContaining("::error file=changes/a.md,line=2,col=7"),
    ]);
    expect((await run(repository, "bump")).printed).toContain(": minor.");
    expect((await run(repository, "validate")).code).toBe(0);
  });

  test("keeps each paragraph and each item of a list in a message as a sentence of its own", async () => {
    const repository = await createAgent();
    await edit(repository, TOOL, "Does hello.", "Says hello.");
    const message = "Hello says\nhello.\n\n- One thing\n  more.\n- Another.\n";
    const { printed } = await run(repository, "bump", "-m", message);
    const [, file = ""] = /Wrote (\S+): patch\./.exec(printed) ?? [];
    expect(await readFile(join(repository.path, file), "utf8")).toBe(
      "---\nkind: patch\n---\n\n- Hello says hello.\n- One thing more.\n- Another.\n",
    );
  });

  test("writes the findings where there is no message, and refuses beside a broken fragment", async () => {
    const repository = await createAgent();
    await edit(repository, TOOL, "Does hello.", "Says hello.");
    const { printed } = await run(repository, "bump", "--dry");
    expect(printed).toMatch(/Would write changes\/reworded-[a-z-]+-[0-9a-f]{6}\.md: patch\.$/);
    await repository.commit({ "changes/a.md": "---\nkind: small\n---\nX.\n" });
    expect(await run(repository, "bump")).toEqual({
      code: 2,
      printed: "cairn: changes/a.md:2:7: `kind` must be one of patch, minor, major, not `small`.",
    });
    expect((await run(repository, "validate")).printed).toContain("changes/a.md:2:7: `kind` must be");
  });

  test("leaves a served tag with fragments beside it as it is, with a line that says so", async () => {
    const repository = await createAgent();
    const files = agentFiles({
      version: "1.1.0",
      parent: "1.0.0",
      tools: { hello: { handler: HELLO }, more: { handler: HELLO } },
    });
    await repository.release("1.1.0", { ...files, "changes/a.md": "---\nkind: major\n---\nLeft.\n" });
    const { code, printed } = await run(repository, "validate", "v1.1.0");
    expect([code, printed.split("\n").at(-1)]).toEqual([
      0,
      "1.1.0 is judged by its number: 1 change fragment beside it will be gathered by the next release.",
    ]);
  });
});
