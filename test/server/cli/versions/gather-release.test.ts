import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agentFiles } from "../../../helpers/agent.ts";
import { createRepository, openRepository, type TestRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { runIn } from "../run-in.ts";

const HELLO = "export default () => ({});\n";
const TOOL = "manifests/runner/hello.yaml";
const toTool = (name: string) =>
  `name: runner.${name}\nversion: 1.0.0\ndescription: Does ${name}.\ninput: { type: object }\noutput: { type: object }\n`;
const addTool = (name: string) => ({
  [`manifests/runner/${name}.yaml`]: toTool(name),
  [`tools/runner/${name}.ts`]: HELLO,
});
const toFragment = (kind: string, text: string) => `---\nkind: ${kind}\n---\n\n${text}\n`;

/** A clone on `main` with v1.0.0, and a remote that takes pushes. */
async function setUp() {
  const bare = await temporaryFolder();
  await openRepository(bare).git("init", "--quiet", "--bare", "--initial-branch=main");
  const repository = await createRepository();
  await repository.git("config", "user.name", "Ada");
  await repository.git("config", "user.email", "ada@example.com");
  await repository.git("remote", "add", "origin", bare);
  const files = agentFiles({ version: "1.0.0", tools: { hello: { handler: HELLO } } });
  await repository.release("1.0.0", { ...files, "changes/README.md": "A file for each change.\n" });
  await repository.git("push", "--quiet", "origin", "main", "v1.0.0");
  return { repository, remote: openRepository(bare) };
}

const run = ({ path }: TestRepository, ...argv: string[]) => runIn(path, argv);
const readHistory = async ({ path }: TestRepository) =>
  parse(await readFile(join(path, "versions.yaml"), "utf8")) as {
    current: string;
    versions: Record<string, { parent?: string; changes: string[] }>;
  };

describe("cairn release, where a repository uses change fragments", { timeout: 120_000 }, () => {
  test("gathers them: number, tools, versions.yaml, CHANGELOG.md, one commit, tag and push", async () => {
    const { repository, remote } = await setUp();
    await repository.commit({ "CHANGELOG.md": "# Changes\n\n## Unreleased\n\nSoon.\n\n## 1.0.0\n\nFirst.\n" });
    await repository.commit({ ...addTool("more"), "changes/more.md": toFragment("minor", "One tool more.") });
    const text = (await readFile(join(repository.path, TOOL), "utf8")).replace("Does hello.", "Says hello.");
    await repository.commit({
      [TOOL]: text,
      "changes/words.md": toFragment("patch", "Fixed: Hello is described better."),
    });
    const before = await repository.git("rev-parse", "HEAD");

    const tried = await run(repository, "release", "--dry-run");
    expect([tried.code, tried.printed]).toEqual([0, expect.stringContaining("1.1.0 gathers 2 change fragments.")]);
    expect(await repository.git("status", "--porcelain")).toBe("");
    expect(await repository.git("rev-parse", "HEAD")).toBe(before);
    expect(await repository.git("tag")).toBe("v1.0.0");

    const { code, printed } = await run(repository, "release", "--push");
    expect([code, printed.split("\n").slice(-5)], printed).toEqual([
      0,
      ["", "- One tool more.", "", "### Fixed", "", "- Hello is described better."].slice(-5),
    ]);
    expect((await readHistory(repository)).versions["1.1.0"]).toEqual({
      parent: "1.0.0",
      date: "2026-06-01T00:00:00Z",
      changes: ["One tool more.", "Fixed: Hello is described better."],
    });
    expect(await readFile(join(repository.path, TOOL), "utf8")).toContain("version: 1.0.1");
    expect(await readFile(join(repository.path, "CHANGELOG.md"), "utf8")).toBe(
      "# Changes\n\n## Unreleased\n\nSoon.\n\n## 1.1.0 (2026-06-01)\n\n- One tool more.\n\n### Fixed\n\n- Hello is described better.\n\n## 1.0.0\n\nFirst.\n",
    );
    expect(await repository.git("ls-files", "changes")).toBe("changes/README.md");
    expect(await repository.git("log", "-1", "--format=%s")).toBe("Release 1.1.0");
    expect(await repository.git("status", "--porcelain")).toBe("");
    expect(await remote.git("rev-parse", "main")).toBe(await remote.git("rev-parse", "v1.1.0^{commit}"));
    expect((await run(repository, "validate")).code).toBe(0);
    expect((await run(repository, "release", "--push", "--if-new")).code).toBe(0);
    expect(await repository.git("tag")).toBe("v1.0.0\nv1.1.0");
  });

  test("refuses what claims too little, with the fragment's place, and a number that says too little", async () => {
    const { repository } = await setUp();
    await repository.commit({ ...addTool("more"), "changes/more.md": toFragment("patch", "One tool more.") });
    const low = await run(repository, "release");
    expect([low.code, low.printed]).toEqual([
      1,
      expect.stringContaining("changes/more.md:2:7: The changes since 1.0.0 need"),
    ]);
    await repository.commit({ "changes/more.md": toFragment("minor", "One tool more.") });
    expect((await run(repository, "release", "--to", "1.0.5")).printed).toContain(
      "Nothing was released: 1.0.5 says too little: the changes since 1.0.0 are minor, so it must be 1.1.0 or higher.",
    );
    expect((await run(repository, "release", "--to", "one")).printed).toContain("`one` is no version");
    await writeFile(join(repository.path, "changes/README.md"), "Changed.\n");
    expect((await run(repository, "release")).printed).toContain("the work tree is not as committed");
    await repository.git("checkout", "--quiet", ".");
    expect(await repository.git("tag")).toBe("v1.0.0");
    expect((await run(repository, "release", "--to", "3.0.0")).code).toBe(0);
    expect(await repository.git("tag")).toBe("v1.0.0\nv3.0.0");
    expect((await run(repository, "release", "--to", "4.0.0")).printed).toContain("there are no change fragments");
  });

  test("counts pre-releases, which keep the fragments, and ends them with the release", async () => {
    const { repository } = await setUp();
    await repository.commit({ ...addTool("more"), "changes/more.md": toFragment("minor", "One tool more.") });
    expect(await run(repository, "release", "--pre", "rc")).toMatchObject({ code: 0 });
    expect(await repository.git("ls-files", "changes")).toContain("changes/more.md");
    await repository.commit({ ...addTool("third"), "changes/third.md": toFragment("minor", "A third tool.") });
    const valid = await run(repository, "validate");
    expect([valid.code, valid.printed]).toEqual([0, expect.stringContaining("is measured against 1.0.0")]);
    expect(await run(repository, "release", "--pre", "rc")).toMatchObject({ code: 0 });
    expect(await run(repository, "release")).toMatchObject({ code: 0 });
    expect(await repository.git("tag")).toBe("v1.0.0\nv1.1.0\nv1.1.0-rc.1\nv1.1.0-rc.2");
    const { current, versions } = await readHistory(repository);
    expect([current, versions["1.1.0"]?.changes]).toEqual(["1.1.0", ["One tool more.", "A third tool."]]);
    expect(await repository.git("ls-files", "changes")).toBe("changes/README.md");
  });

  test("says that nothing is to be released where all fragments of a pre-release are gone, and how to end it", async () => {
    const { repository } = await setUp();
    await repository.commit({ ...addTool("more"), "changes/more.md": toFragment("minor", "One tool more.") });
    expect(await run(repository, "release", "--pre", "rc", "--push")).toMatchObject({ code: 0 });
    const gone = { "manifests/runner/more.yaml": null, "tools/runner/more.ts": null, "changes/more.md": null };
    await repository.commit(gone);
    const { code, printed } = await run(repository, "release");
    expect([code, printed]).toEqual([
      1,
      expect.stringContaining(
        "A tag never moves, and no change fragment asks for another number, so there is nothing to release.",
      ),
    ]);
    expect(printed).not.toContain("raise `current`");
    expect(await run(repository, "bump", "--kind", "patch", "-m", "Nothing is new.")).toMatchObject({ code: 0 });
    await repository.commit({});
    const ended = await run(repository, "release");
    expect(ended.code, ended.printed).toBe(0);
    expect(await repository.git("tag", "--points-at", "HEAD")).toBe("v1.0.1");
  });

  test("adds to a number that a person has raised, and keeps each word and comment", async () => {
    const { repository } = await setUp();
    const file = join(repository.path, "versions.yaml");
    const raised = `# Ours.\ncurrent: 2.0.0 # big\nversions:\n  1.0.0:\n    changes: [First.]\n  # the next\n  2.0.0:\n    parent: 1.0.0\n    changes:\n      # by hand\n      - My words. # mine\n`;
    await writeFile(file, raised);
    await repository.git("commit", "--quiet", "--all", "--message", "Raise");
    await repository.commit({ ...addTool("more"), "changes/more.md": toFragment("patch", "One tool more.") });
    const { code, printed } = await run(repository, "release");
    expect(code, printed).toBe(0);
    expect(await readFile(file, "utf8")).toBe(
      raised.replace("# mine\n", "# mine\n      - One tool more.\n    date: 2026-06-01T00:00:00Z\n"),
    );
  });

  test("leaves branch and tags as they were where the remote does not take them", async () => {
    const { repository, remote } = await setUp();
    await writeFile(join(remote.path, "hooks/pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const head = await repository.commit({
      ...addTool("more"),
      "changes/more.md": toFragment("minor", "One tool more."),
    });
    expect((await run(repository, "release", "--push")).code).not.toBe(0);
    expect(await repository.git("rev-parse", "HEAD")).toBe(head);
    expect(await repository.git("tag")).toBe("v1.0.0");
    expect(await repository.git("status", "--porcelain")).toBe("");
  });
});
