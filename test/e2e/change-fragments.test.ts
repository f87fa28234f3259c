import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agentFiles } from "../helpers/agent.ts";
import { createRepository, openRepository, type TestRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";

const HELLO = "export default () => ({});\n";
const TOOL = "manifests/runner/hello.yaml";
const toTool = (name: string) =>
  `name: runner.${name}\nversion: 1.0.0\ndescription: Does ${name}.\ninput: { type: object }\noutput: { type: object }\n`;
const addTool = (name: string) => ({
  [`manifests/runner/${name}.yaml`]: toTool(name),
  [`tools/runner/${name}.ts`]: HELLO,
});

/** Three changes that know nothing of each other. */
const CHANGES: Readonly<Record<string, { readonly say: string; make(repository: TestRepository): Promise<unknown> }>> =
  {
    patch: { say: "Hello is described better.", make: (one) => edit(one, TOOL, "Does hello.", "Says hello.") },
    minor: { say: "One tool more.", make: (one) => one.commit(addTool("more")) },
    major: {
      say: "Old is gone.",
      make: (one) => one.commit({ "manifests/runner/old.yaml": null, "tools/runner/old.ts": null }),
    },
  };
const ORDERS = [
  ["patch", "minor", "major"],
  ["patch", "major", "minor"],
  ["minor", "patch", "major"],
  ["minor", "major", "patch"],
  ["major", "patch", "minor"],
  ["major", "minor", "patch"],
] as const;

async function edit({ path }: TestRepository, file: string, from: string, to: string): Promise<void> {
  await writeFile(join(path, file), (await readFile(join(path, file), "utf8")).replace(from, to));
}

async function cairn({ path }: TestRepository, ...argv: string[]): Promise<string> {
  const { code, printed } = await runIn(path, argv);
  expect(code, `cairn ${argv.join(" ")}: ${printed}`).toBe(0);
  return printed;
}

const readHistory = async ({ path }: TestRepository) =>
  parse(await readFile(join(path, "versions.yaml"), "utf8")) as {
    current: string;
    versions: Record<string, { parent?: string; changes: string[]; accepts?: object[] }>;
  };

/** A clone on `main` with v1.0.0, and its remote. */
async function setUp() {
  const bare = await temporaryFolder();
  await openRepository(bare).git("init", "--quiet", "--bare", "--initial-branch=main");
  const repository = await createRepository();
  for (const [name, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.com"],
  ] as const) {
    await repository.git("config", name, value);
  }
  await repository.git("remote", "add", "origin", bare);
  const tools = { hello: { handler: HELLO }, old: { handler: HELLO } };
  await repository.release("1.0.0", {
    ...agentFiles({ version: "1.0.0", tools }),
    "changes/README.md": "A file for each change.\n",
  });
  await repository.git("push", "--quiet", "origin", "main", "v1.0.0");
  return repository;
}

/** A pull request: a branch from `from` with a change and its fragment, which passes its checks. */
async function propose(repository: TestRepository, name: string, from = "main"): Promise<void> {
  const change = CHANGES[name];
  if (change === undefined) throw new Error(`There is no change ${name}.`);
  await repository.git("switch", "--quiet", "--create", name, from);
  await change.make(repository);
  await cairn(repository, "bump", "-m", change.say);
  await repository.commit({});
  await cairn(repository, "diff", from, "HEAD", "--check");
  await repository.git("switch", "--quiet", "main");
}

const merge = (repository: TestRepository, name: string) =>
  repository.git("merge", "--quiet", "--no-ff", "--no-edit", name);

describe("change fragments in git", { timeout: 240_000 }, () => {
  test.each(ORDERS)("merge without a conflict as %s, %s, %s, and come to one release", async (...order) => {
    const repository = await setUp();
    for (const name of order) await propose(repository, name);
    for (const name of order) await merge(repository, name);
    await cairn(repository, "validate");
    await cairn(repository, "release", "--push");
    const { current, versions } = await readHistory(repository);
    expect([current, versions[current]?.changes]).toEqual([
      "2.0.0",
      ["Old is gone.", "One tool more.", "Hello is described better."],
    ]);
    expect(await readFile(join(repository.path, TOOL), "utf8")).toContain("version: 1.0.1");
    expect(await repository.git("ls-files", "changes")).toBe("changes/README.md");
    await cairn(repository, "validate");
  });

  test("come to one release each where one follows every merge", async () => {
    const repository = await setUp();
    for (const name of ["patch", "minor", "major"]) await propose(repository, name);
    for (const name of ["patch", "minor", "major"]) {
      await merge(repository, name);
      await cairn(repository, "validate");
      await cairn(repository, "release", "--push", "--if-new");
    }
    expect(await repository.git("tag")).toBe("v1.0.0\nv1.0.1\nv1.1.0\nv2.0.0");
    const { versions } = await readHistory(repository);
    expect(Object.entries(versions).map(([name, { parent, changes }]) => [name, parent, changes.length])).toEqual([
      ["1.0.0", undefined, 1],
      ["1.0.1", "1.0.0", 1],
      ["1.1.0", "1.0.1", 1],
      ["2.0.0", "1.1.0", 1],
    ]);
  });

  test("carry the breaks that a person accepts into the release, and are refused once there is no such break", async () => {
    const repository = await setUp();
    const accepts = { finding: "tool-removed", of: "tool runner.old", reason: "Nobody called it.", by: "Ada" };
    await repository.commit({
      "manifests/runner/old.yaml": null,
      "tools/runner/old.ts": null,
      "changes/old.md": `---\nkind: patch\naccepts: [${JSON.stringify(accepts)}]\n---\n\nOld is gone.\n`,
    });
    await cairn(repository, "validate");
    expect(await cairn(repository, "bump")).toContain("No change fragment is written");
    await repository.git("branch", "restored");
    await cairn(repository, "release", "--push");
    const { current, versions } = await readHistory(repository);
    expect([current, versions[current]]).toMatchObject([
      "1.0.1",
      { changes: ["Old is gone."], accepts: [{ ...accepts, from: "1.0.0" }] },
    ]);
    await cairn(repository, "validate", "v1.0.1");

    await repository.git("switch", "--quiet", "restored");
    await repository.git("checkout", "--quiet", "v1.0.0", "--", "manifests", "tools");
    await repository.commit({});
    const { code, printed } = await runIn(repository.path, ["validate"]);
    expect([code, printed]).toEqual([
      1,
      expect.stringContaining("changes/old.md:2:7: There is no break `tool-removed`"),
    ]);
  });

  test("go with the change that is reverted", async () => {
    const repository = await setUp();
    await propose(repository, "major");
    await propose(repository, "minor");
    await merge(repository, "major");
    await merge(repository, "minor");
    await repository.git("revert", "--no-edit", "--mainline", "1", "HEAD~1");
    expect(await repository.git("ls-files", "changes")).toBe("changes/README.md\nchanges/one-tool-more.md");
    await cairn(repository, "validate");
    await cairn(repository, "release", "--push");
    expect((await readHistory(repository)).current).toBe("1.1.0");
  });

  test("release a fix of an older line, whose entry is ported forward beside those of the newer one", async () => {
    const repository = await setUp();
    await propose(repository, "minor");
    await merge(repository, "minor");
    await cairn(repository, "release", "--push");

    await repository.git("branch", "1.0.x", "v1.0.0");
    await propose(repository, "patch", "1.0.x");
    await repository.git("switch", "--quiet", "1.0.x");
    await merge(repository, "patch");
    await cairn(repository, "release", "--branch", "1.0.x", "--push");
    expect((await readHistory(repository)).current).toBe("1.0.1");

    await repository.git("switch", "--quiet", "main");
    await expect(merge(repository, "1.0.x")).rejects.toThrow();
    expect(await repository.git("diff", "--name-only", "--diff-filter=U")).toBe("versions.yaml");
    expect(await cairn(repository, "mend")).toBe("versions.yaml keeps `current: 1.1.0` and lists 1.0.1 besides.");
    await repository.git("commit", "--quiet", "--no-edit");
    const { current, versions } = await readHistory(repository);
    expect([current, Object.keys(versions)]).toEqual(["1.1.0", ["1.0.0", "1.0.1", "1.1.0"]]);
    // The release of the older line took the fragment with it: the newer one needs its own.
    expect((await runIn(repository.path, ["validate"])).printed).toContain("need a patch bump, and no change fragment");
    await cairn(repository, "bump", "-m", "Hello is described better, here too.");
    await repository.commit({});
    await cairn(repository, "validate");
    await cairn(repository, "release", "--push");
    expect((await readHistory(repository)).current).toBe("1.1.1");
    for (const tag of ["v1.0.1", "v1.1.0", "v1.1.1"]) await cairn(repository, "validate", tag);
  });

  test("are refused where the number that they ask for is on a line that was not ported", async () => {
    const repository = await setUp();
    await repository.git("branch", "1.0.x", "v1.0.0");
    await propose(repository, "patch", "1.0.x");
    await repository.git("switch", "--quiet", "1.0.x");
    await merge(repository, "patch");
    await cairn(repository, "release", "--branch", "1.0.x", "--push");
    await repository.git("switch", "--quiet", "main");
    await edit(repository, TOOL, "Does hello.", "Greets.");
    await cairn(repository, "bump", "-m", "Hello greets.");
    await repository.commit({});
    const { code, printed } = await runIn(repository.path, ["release"]);
    expect([code, printed]).toEqual([
      1,
      expect.stringContaining("the changes ask for 1.0.1, and `v1.0.1` is on another"),
    ]);
    expect(await cairn(repository, "release", "--to", "1.0.2")).toContain("v1.0.2");
  });

  test("stop every command where a file beside them would be left out", async () => {
    const repository = await setUp();
    await propose(repository, "patch");
    await merge(repository, "patch");
    await repository.commit({ "changes/fix.markdown": "---\nkind: minor\n---\n\nUnseen.\n" });
    for (const argv of [["validate"], ["validate", "HEAD"], ["diff", "v1.0.0", "--check"], ["bump"], ["release"]]) {
      const { code, printed } = await runIn(repository.path, argv);
      expect([argv, code]).not.toEqual([argv, 0]);
      expect(printed, argv.join(" ")).toContain("changes/fix.markdown:1:1: ");
    }
    expect(await repository.git("tag")).toBe("v1.0.0");
    await cairn(repository, "validate", "v1.0.0");
  });
});
