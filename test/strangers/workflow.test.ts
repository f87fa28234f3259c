import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRepository, type TestRepository } from "../helpers/repository.ts";
import { readYamlFile, runSteps, type Workflow } from "../helpers/run-steps.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createMachine, publishCheckout, toEmptyRoot } from "./machine.ts";

const shared = createShared();
let published: Awaited<ReturnType<typeof publishCheckout>>;
/** Repository that the generated one was pushed to. */
let bare: TestRepository;

beforeAll(async () => {
  published = await publishCheckout(shared.atEnd);
  const [machine, folder] = await Promise.all([
    createMachine(published.registry, shared.atEnd),
    temporaryFolder(shared.atEnd),
  ]);
  const run = async (cwd: string, ...command: readonly [string, ...string[]]) => {
    const ran = await machine.run(cwd, ...command);
    if (ran.code !== 0) throw new Error(`${command.join(" ")}: ${ran.stdout}${ran.stderr}`);
  };
  await run(folder, "npx", "--yes", "cairn-gitops", "init", "agent");
  const agent = join(folder, "agent");
  await run(agent, "npm", "install");
  await run(folder, "git", "init", "--quiet", "--bare", "--initial-branch=main", "bare");
  bare = openRepository(join(folder, "bare"));
  const made = openRepository(agent);
  await made.git("add", "--all");
  await made.git("commit", "--quiet", "--message=Lock what is installed");
  await made.git("push", "--quiet", bare.path, "main", "--tags");
}, 300_000);
afterAll(shared.undoAll);

/** Clones the repository as another machine does: with an empty home, an empty npm cache, and nothing of this checkout. */
async function cloneElsewhere() {
  const machine = await createMachine(published.registry, shared.atEnd);
  const workspace = join(machine.home, "work");
  await mkdir(workspace);
  await openRepository(workspace).git("clone", "--quiet", bare.path, ".");
  return { machine, repository: openRepository(workspace) };
}

async function runWorkflow(
  { machine, repository }: Awaited<ReturnType<typeof cloneElsewhere>>,
  context: Readonly<Record<string, unknown>>,
) {
  const { jobs } = await readYamlFile<Workflow>(join(repository.path, ".github/workflows/validate.yml"));
  return runSteps(jobs["validate"]?.steps ?? [], {
    workspace: repository.path,
    context: { github: context },
    environment: machine.environment,
    within: toEmptyRoot(repository.path),
  });
}

describe("the workflow of a generated repository, in a clone with a root filesystem of its own,", () => {
  test("sees the clone, and nothing of this checkout", () => {
    const [program = "", ...args] = toEmptyRoot("/");
    expect(execFileSync(program, [...args, "ls", "/"], { encoding: "utf8" }).split("\n")).not.toContain(
      process.cwd().split("/")[1],
    );
  });

  test("installs what is locked, and passes", async () => {
    const run = await runWorkflow(await cloneElsewhere(), { event_name: "push", event: {} });
    expect(run.ok, run.output).toBe(true);
    expect(run.output).toContain("agent 0.1.0 is valid: 2 servers, 8 tools.");
    expect(run.output).toMatch(/^pass: 9 passed, 0 failed, 0 skipped$/m);
  }, 300_000);

  const long = test.runIf(process.env["CAIRN_LONG"]);
  long(
    "fails a pull request that claims too little, and one whose handler has a wrong type",
    async () => {
      const clone = await cloneElsewhere();
      const { repository } = clone;
      const base = await repository.git("rev-parse", "HEAD");
      const context = { event_name: "pull_request", event: { pull_request: { base: { sha: base } } } };
      const manifest = await readFile(join(repository.path, "manifests/runner/greet.yaml"), "utf8");
      await repository.commit({ "manifests/runner/greet.yaml": manifest.replace("[de, en, es, fr]", "[de, en, fr]") });
      const refused = await runWorkflow(clone, context);
      expect([refused.ok, refused.output]).toEqual([
        false,
        expect.stringMatching(/::error file=manifests\/runner\/greet\.yaml,line=\d+/),
      ]);
      await writeFile(join(repository.path, "tools/runner/greet.ts"), "export default 1 satisfies string;\n");
      const mistyped = await runWorkflow(clone, context);
      expect([mistyped.ok, mistyped.output]).toEqual([false, expect.stringContaining("tools/runner/greet.ts(1,")]);
    },
    300_000,
  );
});
