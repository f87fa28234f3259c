import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { agentFiles } from "../helpers/agent.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { expectSchema } from "../helpers/schemas.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";

const HANDLER = "export default () => ({});\n";
const POLICY = { "manifests/policies/roles.yaml": 'roles:\n  trusted: ["*"]\n  reader: []\n' };
const caller = (role: string): Caller => ({ tenant: "t", actor: "ada", roles: [role], scopes: new Set(["*"]) });
const CALLERS = { trusted: caller("trusted"), reader: caller("reader") };
const narrowed = (of: string) => ({
  finding: "input-narrowed",
  of,
  member: "mood",
  from: "1.0.0",
  reason: "Nobody is grumpy.",
  by: "Ada",
});
const ACCEPTS = [narrowed("tool runner.hello"), narrowed("tool runner.secret")];

function toFiles(version: string, moods: string, accepts: readonly object[], from = "1.0.0"): Record<string, string> {
  const input = `input: { type: object, properties: { mood: { enum: [${moods}] } } }`;
  const parent = version === "1.0.0" ? "" : `    parent: ${from}\n`;
  const own = accepts.length === 0 ? "" : `    accepts: ${JSON.stringify(accepts)}\n`;
  const others = version === "1.0.0" ? "" : "  1.0.0:\n    changes: [First.]\n";
  const number = version === "1.0.0" ? "1.0.0" : "1.0.1";
  return {
    ...agentFiles({
      version,
      tools: {
        hello: { handler: HANDLER, version: number, manifest: input },
        secret: { handler: HANDLER, version: number, manifest: `${input}\nrequiredCapabilities: [secrets.read]` },
      },
      files: POLICY,
    }),
    "versions.yaml": `current: ${version}\nversions:\n${others}  ${version}:\n${parent}    changes: [Moods.]\n${own}`,
  };
}

const shared = createShared();
let repository: TestRepository;
let service: Service;

beforeAll(async () => {
  repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0", toFiles("1.0.0", "glad, grumpy", []));
  await repository.release("1.0.1", toFiles("1.0.1", "glad", ACCEPTS));
  service = await openServiceFor(repository.path, CALLERS, shared.atEnd);
});
afterAll(shared.undoAll);

async function ask(who: string, path: string): Promise<string> {
  const response = await fetch(service.url + path, { headers: { authorization: who } });
  expect(response.status).toBe(200);
  return response.text();
}

describe("[D3] a version that accepts breaks", () => {
  test("is served, and ranges move to it", async () => {
    const detail = JSON.parse(await ask("trusted", "/versions/1.0.1")) as object;
    expectSchema("version-detail", detail);
    expect(detail).toMatchObject({ state: "served", claim: "proven", accepts: ACCEPTS });
    expect(JSON.parse(await ask("trusted", "/versions/%5E1.0.0"))).toMatchObject({ semver: "1.0.1" });
  });

  test("says so in listings, in its changelog, in the comparison and in its manifest of compatibility", async () => {
    const listing = JSON.parse(await ask("trusted", "/versions")) as { versions: { tags: readonly string[] }[] };
    expect(listing.versions.map(({ tags }) => tags.includes("accepts-breaks"))).toEqual([true, false]);
    expect(await ask("trusted", "/versions/1.0.1/changelog")).toContain(
      [
        "- Accepted next to 1.0.0: input-narrowed of tool runner.hello, `mood`, by Ada: Nobody is grumpy.",
        "  - Input of `runner.hello`: ",
      ].join("\n"),
    );
    const difference = JSON.parse(await ask("trusted", "/versions/1.0.0...1.0.1")) as object;
    expectSchema("version-difference", difference);
    expect(difference).toMatchObject({
      required: "patch",
      under_claimed: false,
      findings: [
        { level: "major", accepted: { by: "Ada" } },
        { level: "major", accepted: { by: "Ada" } },
        { rule: "tool-version-changed" },
        { rule: "tool-version-changed" },
      ],
    });
  });

  test("shows of a tool that the caller may not use only the rule", async () => {
    const { accepts } = JSON.parse(await ask("reader", "/versions/1.0.1")) as { accepts: readonly object[] };
    expect(accepts).toEqual([ACCEPTS[0], { finding: "input-narrowed", from: "1.0.0" }]);
    const changelog = await ask("reader", "/versions/1.0.1/changelog");
    expect(changelog).toContain("- A break is accepted next to 1.0.0: input-narrowed.");
    expect(changelog).not.toContain("secret");
  });

  test("is valid on the desk, where the comparison says who accepts what", async () => {
    expect(await runIn(repository.path, ["validate", "v1.0.1"])).toMatchObject({ code: 0 });
    const { code, printed } = await runIn(repository.path, ["diff", "v1.0.0", "v1.0.1", "--check"]);
    expect(code).toBe(0);
    expect(printed).toContain("    Accepted by Ada: Nobody is grumpy.\n");
    expect(printed).toContain("The change from 1.0.0 to 1.0.1 needs a patch bump, and has it.");
  });
});

describe("[D3] notes of a release", () => {
  test("list every break that is covered, and no entry that is refused", async () => {
    const { path, commit, release } = await createRepository(await temporaryFolder());
    await release("1.0.0", toFiles("1.0.0", "glad, grumpy", []));
    const files = (accepts: readonly object[]) => {
      const made = toFiles("1.0.1", "glad", accepts);
      const manifest = "manifests/runner/hello.yaml";
      return {
        ...made,
        [manifest]: (made[manifest] ?? "").replace("type: object,", "type: object, required: [mood],"),
      };
    };
    const [first, secret] = ACCEPTS;
    const entries = [
      { ...first, how: "values-narrowed", reason: "Nobody is grumpy." },
      { ...first, how: "required-added", reason: "All have moods." },
      secret ?? {},
    ];
    await commit(files([first ?? {}, secret ?? {}]));
    const refused = await runIn(path, ["validate", "HEAD"]);
    expect(refused.code).toBe(1);
    expect(refused.printed).toContain("(accepted-ambiguous)");
    expect(refused.printed).not.toContain("Accepted next to 1.0.0: input-narrowed of tool runner.hello");
    await commit(files([...entries, { ...narrowed("tool *") }]));
    const wild = await runIn(path, ["validate", "HEAD"]);
    expect(wild.printed).toContain("(accepted-stale)");
    expect(wild.printed).not.toContain("of tool *, `mood`, by");
    await commit(files(entries));
    const { code, printed } = await runIn(path, ["release", "--dry-run"]);
    expect(printed).toContain("### Accepted");
    for (const [how, reason] of [
      ["values-narrowed", "Nobody is grumpy."],
      ["required-added", "All have moods."],
    ]) {
      expect(printed).toContain(
        `- Accepted next to 1.0.0: input-narrowed (${how}) of tool runner.hello, \`mood\`, by Ada: ${reason}\n  - Input of`,
      );
    }
    expect(printed).toContain("must be there");
    expect(code).toBe(0);
  });

  test("stand for ever: another name under an entry is refused once the tag is there", async () => {
    await repository.git("checkout", "--quiet", "--detach", "v1.0.1");
    const other = toFiles("1.0.1", "glad", [{ ...ACCEPTS[0], by: "Eve" }, ACCEPTS[1] ?? {}]);
    await repository.commit({ "versions.yaml": other["versions.yaml"] ?? "" });
    for (const argv of [
      ["validate", "HEAD"],
      ["diff", "v1.0.0", "HEAD", "--check"],
    ]) {
      const { code, printed } = await runIn(repository.path, argv);
      expect(printed).toContain("(accepted-late)");
      expect(code).toBe(1);
    }
  });
});

describe("[D3] what the desk refuses", () => {
  const check = async (files: Record<string, string>) => {
    await repository.git("checkout", "--quiet", "--detach", "v1.0.1");
    await repository.commit(files);
    const { code, printed } = await runIn(repository.path, ["validate", "HEAD"]);
    return { code, rules: [...printed.matchAll(/\(([a-z-]+)\)$/gm)].map(([, rule]) => rule) };
  };

  test("an entry whose break is gone, or next to a version that the number is not measured against", async () => {
    const next = toFiles("1.0.2", "glad", [{ ...narrowed("tool runner.hello"), from: "1.0.1" }], "1.0.1");
    const history = (text: string) =>
      text.replace(
        "  1.0.2:",
        `  1.0.1:\n    parent: 1.0.0\n    changes: [Moods.]\n    accepts: ${JSON.stringify(ACCEPTS)}\n  1.0.2:`,
      );
    const listed = { ...next, "versions.yaml": history(next["versions.yaml"] ?? "") };
    expect(await check(listed)).toEqual({ code: 1, rules: ["accepted-stale"] });
    const moved = listed["versions.yaml"].replace('"from":"1.0.1"', '"from":"1.0.0"');
    expect(await check({ ...listed, "versions.yaml": moved })).toEqual({ code: 1, rules: ["accepted-stale"] });
    const fine = moved.replace(/ {4}accepts: .*\n$/, "");
    expect(await check({ ...listed, "versions.yaml": fine })).toEqual({ code: 0, rules: [] });
  });
});

describe("[D3] several pull requests before one release", () => {
  const tool = (name: string, description = `Does ${name}.`) =>
    `name: runner.${name}\nversion: 1.0.0\ndescription: ${description}\ninput: { type: object }\noutput: { type: object }\n`;
  const history = (semver: string) =>
    `current: ${semver}\nversions:\n  1.0.0:\n    changes: [First.]\n  ${semver}:\n    parent: 1.0.0\n    changes: [More.]\n`;
  const add = (name: string) => ({
    [`manifests/runner/${name}.yaml`]: tool(name),
    [`tools/runner/${name}.ts`]: HANDLER,
  });

  test("two minor ones in a row and a patch after them keep the number that the first one raised", async () => {
    const { path, commit, release } = await createRepository(await temporaryFolder());
    await release("1.0.0", agentFiles({ version: "1.0.0", tools: { hello: { handler: HANDLER } } }));
    const commits = [
      await commit({ ...add("more"), "versions.yaml": history("1.1.0") }),
      await commit(add("other")),
      await commit({
        "tools/runner/hello.ts": "export default () => ({ });\n",
        "manifests/runner/hello.yaml": tool("hello").replace("1.0.0", "1.0.1"),
      }),
      await commit({ "manifests/runner/more.yaml": null, "tools/runner/more.ts": null }),
    ];
    const pairs = [["v1.0.0", commits[0]], ...commits.slice(1).map((after, index) => [commits[index], after])];
    for (const [before = "", after = ""] of pairs) {
      expect(await runIn(path, ["validate", after])).toMatchObject({ code: 0 });
      for (const format of ["text", "markdown", "github"]) {
        const { code, printed } = await runIn(path, ["diff", before, after, "--check", "--format", format]);
        expect([code, format, printed]).toEqual([0, format, expect.not.stringContaining("it must be")]);
      }
    }
  });

  test("one that breaks what is released needs a higher number, whatever the ones before were", async () => {
    const { path, commit, release } = await createRepository(await temporaryFolder());
    await release("1.0.0", agentFiles({ version: "1.0.0", tools: { hello: { handler: HANDLER } } }));
    const first = await commit({ ...add("more"), "versions.yaml": history("1.1.0") });
    const second = await commit({ "manifests/runner/hello.yaml": null, "tools/runner/hello.ts": null });
    const { code, printed } = await runIn(path, ["diff", first, second, "--check"]);
    expect(code).toBe(1);
    expect(printed).toContain("it must be 2.0.0 or higher");
  });
});
