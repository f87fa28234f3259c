import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { eventually } from "../helpers/eventually.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createRepository, openRepository, type TestRepository } from "../helpers/repository.ts";
import { type AtEnd, createShared, temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";

/** By version that versions.yaml lists, its parent there. */
type History = Readonly<Record<string, string | undefined>>;

const ROOT: History = { "0.1.0": undefined };
const NARROWED: History = { ...ROOT, "0.1.1": "0.1.0" };
const [WIDE, NARROW] = [100, 20];
const TOO_LITTLE =
  "The change needs a major bump, and 0.1.0 to 0.1.2 stands for a minor one at most, as numbers before 1.0.0 are read: it must be 0.2.0 or higher.";

/** An agent with one tool, which takes texts of at most so many characters. */
function filesOf(version: string, maxLength: number, history: History): Record<string, string> {
  const greet: AgentTool = {
    handler: "export default () => ({});\n",
    // Says enough of whatever changes, so that the tree's number alone decides.
    version: `${version.split(".").at(-1)}.${maxLength}.0`,
    manifest: `input: { type: object, properties: { text: { type: string, maxLength: ${maxLength} } } }`,
  };
  const lines = Object.entries(history).map(
    ([name, parent]) => `  ${name}: { ${parent === undefined ? "" : `parent: ${parent}, `}changes: [] }\n`,
  );
  return {
    ...agentFiles({ version, tools: { greet } }),
    "versions.yaml": `current: ${version}\nversions:\n${lines.join("")}`,
  };
}

function serve(repository: TestRepository, data: string, atEnd?: AtEnd): Promise<Service> {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: data };
  return openTestService(environment, repository.path, atEnd && { atEnd });
}

/** The status of a call with a text of fifty characters. */
async function call({ url }: Service, version: string): Promise<number> {
  const response = await fetch(`${url}/agent/${version}/api/tools/runner.greet`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "a".repeat(50) }),
  });
  await response.text();
  return response.status;
}

async function show({ url }: Service, version: string): Promise<unknown> {
  return (await fetch(`${url}/versions/${version}`)).json();
}

describe("[V10] [D3] a break behind a version that is not served", () => {
  const shared = createShared();
  let repository: TestRepository;
  let service: Service;

  beforeAll(async () => {
    repository = await createRepository(await temporaryFolder(shared.atEnd));
    await repository.release("0.1.0", filesOf("0.1.0", WIDE, ROOT));
    await repository.release("0.1.1", filesOf("0.1.1", NARROW, NARROWED));
    service = await serve(repository, await temporaryFolder(shared.atEnd), shared.atEnd);
  });
  afterAll(shared.undoAll);

  test.each([
    ["that names the quarantined version as its parent", { ...NARROWED, "0.1.2": "0.1.1" }],
    ["that names a parent without a tag", { ...ROOT, "0.0.9": undefined, "0.1.2": "0.0.9" }],
    ["that names no parent", { "0.1.2": undefined }],
  ])("is refused in a version %s, at the desk as in the service", async (_what, history) => {
    const head = await repository.commit(filesOf("0.1.2", NARROW, history));
    for (const argv of [
      ["validate"],
      ["validate", head],
      ["diff", "v0.1.1", head, "--check"],
      ["diff", "v0.1.0", head, "--check"],
      ["release", "--dry-run"],
    ]) {
      const { code, printed } = await runIn(repository.path, argv);
      expect([argv.join(" "), code, printed]).toEqual([argv.join(" "), 1, expect.stringContaining(TOO_LITTLE)]);
    }
    await repository.tag("v0.1.2");
    const problem = { rule: "under-claimed", message: expect.stringContaining(TOO_LITTLE) };
    await eventually(async () =>
      expect(await show(service, "0.1.2")).toMatchObject({
        state: "quarantined",
        claim: "under-claimed",
        commit_hash: head,
        problems: expect.arrayContaining([expect.objectContaining(problem)]),
      }),
    );
    expect([await call(service, "^0.1.0"), await call(service, "latest"), await call(service, "0.1.2")]).toEqual([
      200, 200, 404,
    ]);
    await repository.git("tag", "--delete", "v0.1.2");
    await eventually(async () => expect((await fetch(`${service.url}/versions/0.1.2`)).status).toBe(404));
  });

  test("is what a version may take back under the next number", async () => {
    const head = await repository.commit(filesOf("0.1.2", WIDE, { ...NARROWED, "0.1.2": "0.1.1" }));
    for (const argv of [["validate"], ["diff", "v0.1.1", head, "--check"], ["release", "--dry-run"]]) {
      const { code, printed } = await runIn(repository.path, argv);
      expect([argv[0], code, printed]).toEqual([
        argv[0],
        0,
        expect.stringContaining("0.1.2 is measured against 0.1.0: its parent `0.1.1` is not served, and this is"),
      ]);
    }
    await repository.tag("v0.1.2");
    await eventually(async () =>
      expect(await show(service, "latest")).toMatchObject({ commit_hash: head, claim: "proven" }),
    );
    await repository.git("tag", "--delete", "v0.1.2");
  });
});

describe("[V10] a tag that was never served", () => {
  /** A clone on `main` of a remote where v0.1.1 narrows what v0.1.0 takes; its head mends that. */
  async function mended() {
    const remote = await createRepository();
    await remote.git("config", "receive.denyCurrentBranch", "ignore");
    await remote.release("0.1.0", filesOf("0.1.0", WIDE, ROOT));
    const refused = await remote.release("0.1.1", filesOf("0.1.1", NARROW, NARROWED));
    const clone = openRepository(await temporaryFolder());
    await clone.git("clone", "--quiet", remote.path, ".");
    for (const name of ["user.name", "user.email"]) await clone.git("config", name, "ada@example.com");
    const commit = () => clone.commit(filesOf("0.1.1", WIDE, NARROWED));
    return { remote, refused, clone, commit };
  }

  test("is set again by a release that says so, and judged anew by every replica alike", async () => {
    const { remote, refused, clone, commit } = await mended();
    const data = await temporaryFolder();
    const old = await serve(remote, data);
    expect(await show(old, "0.1.1")).toMatchObject({ state: "quarantined", commit_hash: refused });
    const head = await commit();

    const asked = await runIn(clone.path, ["release", "--push"]);
    expect([asked.code, asked.printed]).toEqual([
      1,
      expect.stringMatching(`\`v0.1.1\` is on ${refused}, which is not served .*may be set again: \`--again\` does`),
    ]);
    const skipped = await runIn(clone.path, ["release", "--push", "--if-new"]);
    expect([skipped.code, skipped.printed]).toEqual([0, expect.stringContaining("`--again` does")]);
    const tried = await runIn(clone.path, ["release", "--push", "--again", "--dry-run"]);
    expect([tried.code, tried.printed]).toEqual([0, expect.stringContaining(`${head} becomes v0.1.1`)]);
    expect(await remote.git("rev-parse", "v0.1.1^{commit}")).toBe(refused);
    const done = await runIn(clone.path, ["release", "--push", "--again"]);
    expect([done.code, done.printed]).toEqual([0, expect.stringContaining("It is set again here.")]);
    expect(await remote.git("rev-parse", "v0.1.1^{commit}")).toBe(head);

    const fresh = await serve(remote, await temporaryFolder());
    for (const service of [old, fresh]) {
      await eventually(async () =>
        expect(await show(service, "0.1.1")).toMatchObject({ commit_hash: head, claim: "proven" }),
      );
      expect(await show(service, "^0.1.0")).toMatchObject({ commit_hash: head });
      expect([await call(service, "0.1.1"), await call(service, "latest")]).toEqual([200, 200]);
    }
    const burned = await runIn(clone.path, ["release", "--push", "--again"]);
    expect([burned.code, burned.printed]).toEqual([1, expect.stringContaining("`v0.1.1` is there already: this very")]);
    await clone.commit({ "README.md": "More." });
    const moved = await runIn(clone.path, ["release", "--push", "--again"]);
    expect([moved.code, moved.printed]).toEqual([
      1,
      expect.stringContaining(`\`v0.1.1\` is served already, as ${head}`),
    ]);
  });
});
