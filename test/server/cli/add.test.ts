import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agentFiles } from "../../helpers/agent.ts";
import { createRepository, type TestRepository } from "../../helpers/repository.ts";
import { runIn } from "./run-in.ts";

const GREET = { handler: "export default () => ({});\n" };
const POLICY = 'roles:\n  user: ["tool:runner.greet"]\n';

async function createForeign(files: Readonly<Record<string, string>> = {}): Promise<TestRepository> {
  const repository = await createRepository();
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { greet: GREET }, files }));
  return repository;
}

describe("`cairn add tuner` in a repository of others", () => {
  test("adds a tuner with which the repository is valid and its examples pass, and says what it wrote", async () => {
    const { path } = await createForeign();
    const added = await runIn(path, ["add", "tuner"]);
    expect(added.code, added.printed).toBe(0);
    expect(added.printed).toContain("Wrote manifests/tuner/promote.yaml.");
    expect(added.printed).toContain("Wrote tools/tuner/promote.ts.");
    expect(added.printed).not.toContain("policies");
    expect((await runIn(path, ["validate"])).printed).toContain("agent 1.1.0 is valid: 2 servers, 8 tools.");
    expect((await runIn(path, ["test"])).printed).toMatch(/0 failed/);
    expect((await runIn(path, ["add", "tuner"])).printed).toBe("The server `tuner` is there already.");
  });

  test("grants its tools to one role and to no caller, where the repository has roles", async () => {
    const { path } = await createForeign({ "manifests/policies/access.yaml": POLICY });
    const added = await runIn(path, ["add", "tuner"]);
    expect(added.printed).toContain("Give the roles of manifests/policies/tuner.yaml to those who use it");
    const policy = await readFile(join(path, "manifests/policies/tuner.yaml"), "utf8");
    expect(policy).toContain("  tuner:\n    - tool:tuner.bandit_reward\n    - tool:tuner.cma_es_iter\n");
    expect((await runIn(path, ["validate"])).printed).toContain("is valid");
    expect((await runIn(path, ["add", "tuner"])).printed).toBe("The server `tuner` is there already.");
  });

  test("writes a change fragment of what it adds alone, beside changes that are not committed", async () => {
    const repository = await createForeign({ "changes/README.md": "A file for each change.\n" });
    const { path } = repository;
    const manifest = await readFile(join(path, "manifests/runner/greet.yaml"), "utf8");
    await writeFile(
      join(path, "manifests/runner/greet.yaml"),
      manifest.replace(/^input:.*$/m, "input: { type: object, required: [name] }"),
    );
    expect((await runIn(path, ["diff", "v1.0.0", "."])).printed).toContain("major");
    const added = await runIn(path, ["add", "tuner"]);
    expect(added.printed).toMatch(/Wrote changes\/there-is-a-server-tuner\.md: minor\.$/);
    expect(await readFile(join(path, "changes/there-is-a-server-tuner.md"), "utf8")).toBe(
      "---\nkind: minor\n---\n\nThere is a server `tuner`.\n",
    );
  });

  test("overwrites nothing, and then writes nothing", async () => {
    const repository = await createForeign();
    const { path } = repository;
    await runIn(path, ["add", "tuner"]);
    await writeFile(join(path, "tools/tuner/promote.ts"), "export default () => ({ own: true });\n");
    await repository.commit({ "tools/tuner/revert.ts": null, "manifests/tuner/revert.yaml": null });
    const again = await runIn(path, ["add", "tuner"]);
    expect([again.code, again.printed]).toEqual([
      1,
      "cairn: `tools/tuner/promote.ts` is there and differs, so nothing was written; move it away first.",
    ]);
    await expect(readFile(join(path, "tools/tuner/revert.ts"))).rejects.toThrow("ENOENT");
  });
});

describe.each([
  ["work", ["operator", "requester", "worker", "approver"]],
  ["artifacts", ["maker", "treasurer"]],
  ["beliefs", ["believer", "governor"]],
  ["decisions", ["decisions"]],
])("`cairn add %s`", (name, roles) => {
  test("adds the server with all that it needs, and roles with its tools alone: valid, and its examples pass", async () => {
    const { path } = await createForeign({ "manifests/policies/access.yaml": POLICY });
    const added = await runIn(path, ["add", name]);
    expect(added.code, added.printed).toBe(0);
    expect((await runIn(path, ["validate"])).printed).toContain("agent 1.1.0 is valid: 2 servers, ");
    expect((await runIn(path, ["test"])).printed).toMatch(/[1-9]\d* passed, 0 failed/);
    const policy = parse(await readFile(join(path, `manifests/policies/${name}.yaml`), "utf8")) as { roles: object };
    expect(Object.keys(policy.roles)).toEqual(roles);
    const code = await readdir(join(path, `tools/${name}`));
    for (const file of code) {
      expect(await readFile(join(path, `tools/${name}`, file), "utf8")).not.toContain("server/host-api.ts");
    }
    expect((await runIn(path, ["add", name])).printed).toBe(`The server \`${name}\` is there already.`);
  });
});

test("`cairn add` of what does not ship says what does", async () => {
  const { path } = await createForeign();
  expect((await runIn(path, ["add", "console"])).printed).toBe(
    "cairn: `cairn add` has no server `console`; it has `tuner`, `work`, `artifacts`, `beliefs`, `decisions`.",
  );
});
