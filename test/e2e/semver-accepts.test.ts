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
      "- Accepted next to 1.0.0: input-narrowed of tool runner.hello, `mood`, by Ada: Nobody is grumpy.",
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
