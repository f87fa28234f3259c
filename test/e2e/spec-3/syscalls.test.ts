import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  KITCHEN,
  openSpecifiedWork,
  type SpecifiedWork,
  toReplacement,
  type WorkAnswer,
} from "../../helpers/specified-work.ts";
import { createShared } from "../../helpers/temporary.ts";

/** Section 2 of the specification of tasks and runs, sentence by sentence: files and commands. */

const shared = createShared();
let work: SpecifiedWork;
beforeAll(async () => {
  work = await openSpecifiedWork(shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

type Claim = WorkAnswer["body"];
const call = (run: Claim, tool: string, input: object = {}) => work.call("wim", tool, { run_id: run.run_id, ...input });
const ask = (run: Claim, tool: string, input: object = {}) => work.ask("wim", tool, { run_id: run.run_id, ...input });
const changed = async (run: Claim) =>
  (await ask(run, "git_status")).files
    .map(({ path, change }: Record<string, string>) => `${change} ${path}`)
    .toSorted();
const tree = async (run: Claim) => {
  const { tasks } = await work.ask("rita", "task_list", { limit: 200 });
  const task = tasks.find(({ task_id }: Claim) => task_id === run.task_id);
  return join(work.data, task.workspace_path, "tree");
};

describe("Filesystem: fs.read, fs.write_file, fs.apply_patch", () => {
  test("[W4] fs.read is the file of the commit, and what was written since", async () => {
    const run = await work.beginPlanned("docs/kitchen.md");
    expect(await ask(run, "fs_read", { path: "docs/kitchen.md" })).toMatchObject({ content: KITCHEN });
    expect(await ask(run, "fs_write_file", { path: "docs/kitchen.md", content: "Closed.\n" })).toMatchObject({
      bytes: 8,
    });
    expect(await ask(run, "fs_read", { path: "docs/kitchen.md" })).toMatchObject({ content: "Closed.\n" });
    // Of this run alone, and of no branch.
    expect(await ask(await work.beginPlanned(), "fs_read", { path: "docs/kitchen.md" })).toMatchObject({
      content: KITCHEN,
    });
    expect(await work.repository.git("status", "--porcelain")).toBe("");
    expect((await call(run, "fs_read", { path: "docs/none.md" })).status).toBe(404);
  });

  test.for([
    "../versions.yaml",
    "docs/../../x",
    "/etc/passwd",
    "docs//kitchen.md",
    "./versions.yaml",
    ".git/config",
    "docs\\x",
    ".GIT/config",
    "",
  ])("[W4] the path %j is refused, to read and to write", async (path) => {
    const run = await work.beginPlanned();
    expect((await call(run, "fs_read", { path })).status).toBe(400);
    expect([400, 403]).toContain((await call(run, "fs_write_file", { path, content: "x" })).status);
    expect(await changed(run)).toEqual([]);
  });

  test("[W4] no link leads out of the workspace", async () => {
    const run = await work.beginPlanned("docs/out.md", "out/x.md");
    await ask(run, "fs_read", { path: "versions.yaml" });
    const folder = await tree(run);
    await writeFile(join(work.data, "secret.md"), "Secret.");
    await symlink(join(work.data, "secret.md"), join(folder, "docs/out.md"));
    await symlink(work.data, join(folder, "out"));
    for (const path of ["docs/out.md", "out/secret.md", "out/x.md"]) {
      const read = await call(run, "fs_read", { path });
      expect(read.status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(read.body)).not.toContain("Secret.");
    }
    expect((await call(run, "fs_write_file", { path: "out/x.md", content: "x" })).status).toBeGreaterThanOrEqual(400);
    expect(await readdir(work.data)).not.toContain("x.md");
  });

  test("[W4] fs.apply_patch changes all of its files or none", async () => {
    const run = await work.beginPlanned("docs/new.md", "docs/one.md");
    await ask(run, "fs_write_file", { path: "docs/one.md", content: "one\n" });
    const added =
      "diff --git a/docs/new.md b/docs/new.md\nnew file mode 100644\n--- /dev/null\n+++ b/docs/new.md\n@@ -0,0 +1 @@\n+new\n";
    const misfit = await ask(run, "fs_apply_patch", { patch: added + toReplacement("docs/one.md", "eins", "two") });
    expect(misfit).toMatchObject({ status: "rejected" });
    expect(await changed(run)).toEqual(["added docs/one.md"]);
    expect(
      await ask(run, "fs_apply_patch", { patch: added + toReplacement("docs/one.md", "one", "two") }),
    ).toMatchObject({
      status: "applied",
    });
    expect(await ask(run, "fs_read", { path: "docs/one.md" })).toMatchObject({ content: "two\n" });
    expect(await ask(run, "fs_read", { path: "docs/new.md" })).toMatchObject({ content: "new\n" });
    for (const patch of [
      "Hello.",
      toReplacement("../x", "a", "b"),
      toReplacement("/etc/passwd", "a", "b"),
      toReplacement(".git/config", "a", "b"),
    ]) {
      expect((await call(run, "fs_apply_patch", { patch })).status).toBe(400);
    }
    const outside = toReplacement("docs/two.md", "a", "b") + toReplacement("docs/one.md", "two", "three");
    expect((await call(run, "fs_apply_patch", { patch: outside })).status).toBe(403);
    expect(await ask(run, "fs_read", { path: "docs/one.md" })).toMatchObject({ content: "two\n" });
  });
});

describe("Execution: exec.run (sandboxed, allowlisted, network policy)", () => {
  const run = async (claim: Claim, code: string, more = {}) =>
    ask(claim, "exec_run", { command: ["node", "--eval", code], ...more });

  test("[W4] it runs a program in the workspace, with its exit code, its input and what it said", async () => {
    const claim = await work.beginPlanned("docs/made.md");
    const code =
      'const { readFileSync: read, writeFileSync: write } = fs; write("docs/made.md", read(0)); console.log(read("docs/kitchen.md", "utf8")); console.error("Oh."); process.exit(3)';
    expect(await run(claim, code, { stdin: "Fresh.\n" })).toMatchObject({
      exit_code: 3,
      stdout: `${KITCHEN}\n`,
      stderr: "Oh.\n",
    });
    expect(await ask(claim, "fs_read", { path: "docs/made.md" })).toMatchObject({ content: "Fresh.\n" });
    expect(await run(claim, "for (;;);", { timeout: 500 })).toMatchObject({ exit_code: null, timed_out: true });
  });

  test("[W4] sandboxed: it sees no other file of the machine, and changes none", async () => {
    const claim = await work.beginPlanned();
    const other = await work.beginPlanned();
    await writeFile(join(work.data, "secret.md"), "Secret.");
    for (const path of [
      join(work.data, "secret.md"),
      join(work.data, "workspaces", other.run_id),
      work.tokenFile("wim"),
      process.cwd(),
      "/etc/passwd",
      "/root",
    ]) {
      const { stdout } = await run(
        claim,
        `try { fs.statSync(${JSON.stringify(path)}); console.log("there") } catch (e) { console.log(e.code) }`,
      );
      expect([path, stdout]).toEqual([path, expect.stringMatching(/^(ENOENT|EACCES)\n$/)]);
    }
    const { stdout } = await run(
      claim,
      'for (const p of ["/usr/x", "/x"]) try { fs.writeFileSync(p, "x"); console.log("written") } catch (e) { console.log(e.code) } console.log(Object.keys(process.env).filter((name) => /CAIRN|TOKEN/.test(name)).length)',
    );
    expect(stdout).toMatch(/^(EROFS|EACCES)\n(EROFS|EACCES|ENOENT)\n0\n$/);
  });

  test.for([
    [["ls"]],
    [["sh", "-c", "true"]],
    [["node", "docs/kitchen.md"]],
    [["/usr/bin/cat", "versions.yaml"]],
    [["./cat"]],
    [["node"]],
  ] as const)("[W4] allowlisted: %j is refused, and not run", async ([command]) => {
    const claim = await work.beginPlanned();
    expect([400, 403]).toContain((await call(claim, "exec_run", { command })).status);
    expect((await work.journal(claim.run_id)).map(({ kind }) => kind)).not.toContain("exec.run");
  });

  test("[W4] network policy: a host that no policy names cannot be reached, nor the service itself", async () => {
    const claim = await work.beginPlanned();
    for (const url of [work.url, "http://127.0.0.1:80", "http://example.com", "http://1.1.1.1"]) {
      const { stdout } = await run(
        claim,
        `fetch(${JSON.stringify(url)}).then(() => console.log("reached"), (e) => console.log("no"))`,
      );
      expect([url, stdout]).toEqual([url, "no\n"]);
    }
  });

  test("[W4] what a command changes beyond the plan is never committed", async () => {
    const claim = await work.beginPlanned("docs/made.md");
    await run(claim, 'fs.writeFileSync("docs/made.md", "x"); fs.writeFileSync("docs/stray.md", "x")');
    const refused = await call(claim, "git_commit", { message: "Both.", allowed_files: ["docs/made.md"] });
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("docs/stray.md")]);
  });
});
