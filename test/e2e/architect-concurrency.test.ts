import { describe, expect, test, vi } from "vitest";
import { createGreeter } from "../fixtures/greeter.ts";
import { type Answer, type ArchitectService, openArchitectService } from "../helpers/architect-service.ts";

const WAIT = 60_000;
const SAY = 'Set the description of runner.greet to "Greets somebody by name."';

/** Parameters in files of their own, so that several changes have nothing to do with each other. */
async function createAgent(count: number): Promise<Record<string, string>> {
  const page = (at: number) =>
    `description: Number ${at}.\nparameters:\n  p${at}: { type: int, min: 0, max: 9, default: 0 }\n`;
  const pages = Array.from({ length: count }, (_, at) => [`manifests/parameters/n${at}.yaml`, page(at)]);
  return { ...(await createGreeter()), ...Object.fromEntries(pages) };
}

describe("evolutions at the same time", () => {
  test("each get a version that has them, and none is lost: those that wait for another land together", async () => {
    const { chat, get, origin } = await openArchitectService({ files: await createAgent(6) });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        chat("mia", { message: `Set p${at} of n${at} to 7.` }, { version: "1.0.0" }),
      ),
    );
    expect(answers.map(({ body }) => body.result)).toEqual(Array(6).fill("committed"));
    const versions = [...new Set(answers.map(({ body }) => String(body.new_version)))].toSorted();
    expect(versions).toEqual(["1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.0.5", "1.0.6"].slice(0, versions.length));
    expect(versions.length).toBeLessThan(6);
    const commits = new Set((await origin.git("rev-list", "v1.0.0..main")).split("\n"));
    expect(commits).toEqual(new Set(answers.map(({ body }) => body.commit_hash)));
    for (const [at, { body, headers }] of answers.entries()) {
      const tag = `v${body.new_version}`;
      expect(await origin.git("rev-parse", `${tag}^{commit}`)).toBe(body.commit_hash);
      expect(await origin.git("show", `${tag}:manifests/parameters/n${at}.yaml`)).toContain("default: 7");
      const others = answers.filter((other) => other.body.commit_hash === body.commit_hash).length - 1;
      if (others > 0)
        expect(body.notes).toMatch(`together with ${others === 1 ? "another change" : `${others} other changes`}.`);
      // Whose change it is can be seen in the commit: by its trailer, and by a spec of its own.
      const id = headers.get("cairn-feedback") ?? "";
      expect(await origin.git("log", "-1", "--format=%B", tag)).toContain(`Cairn-Feedback: ${id}`);
      expect(await origin.git("show", `${tag}:docs/specs/${id}_SPEC.md`)).toContain(`Set p${at} of n${at} to 7.`);
      expect((await get("mia", `/versions/${body.new_version}`)).body.tests.status).toBe("pass");
    }
    await expectTidy(origin, ["v1.0.0", ...versions.map((version) => `v${version}`)]);
  });

  test("of neighbouring keys of one file all land, whether sent to `latest` or to a version", async () => {
    const keys = Array.from({ length: 5 }, (_, at) => `  p${at}: { type: int, min: 0, max: 9, default: 0 }\n`).join("");
    const files = { ...(await createGreeter()), "manifests/parameters/many.yaml": `parameters:\n${keys}` };
    const { chat, origin } = await openArchitectService({ files });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        chat("mia", { message: `Set p${at} of many to 7.` }, { version: at % 2 === 0 ? "latest" : "1.0.0" }),
      ),
    );
    expect(answers.map(({ body }) => body.result)).toEqual(Array(5).fill("committed"));
    const merged = await origin.git("show", "main:manifests/parameters/many.yaml");
    expect(`${merged}\n`).toBe(`parameters:\n${keys.replaceAll("default: 0", "default: 7")}`);
  });

  test("that give one key two values are a contradiction, and the second is told of the first", async () => {
    const { chat, origin } = await openArchitectService();
    const answers = await Promise.all(
      [5, 6].map((value) => chat("mia", { message: `Set most of limits to ${value}.` }, { version: "latest" })),
    );
    const rejected = answers.find(({ body }) => body.result === "rejected")?.body.notes;
    const landed = (await origin.git("show", "main:manifests/parameters/limits.yaml")).includes("default: 5") ? 5 : 6;
    expect(answers.map(({ body }) => body.result).toSorted()).toEqual(["committed", "rejected"]);
    expect(rejected).toContain(
      `- manifests/parameters/limits.yaml at \`/parameters/most/default\`: it was \`3\`, is \`${landed}\` now, and would be \`${11 - landed}\`.`,
    );
  });

  test("of the same lines are planned again where they came to an address that moves, and rejected otherwise", async () => {
    const say = (text: string) => ({ message: `Replace the file docs/page.md:\n\n\`\`\`\n${text}\n\`\`\`\n` });
    const files = { ...(await createGreeter()), "docs/page.md": "Old.\n" };
    const { chat, origin } = await openArchitectService({ files });
    const moving = await Promise.all(["One.", "Two."].map((text) => chat("mia", say(text), { version: "latest" })));
    expect(moving.map(({ body }) => body.result)).toEqual(["committed", "committed"]);
    expect(await origin.git("rev-list", "--count", "v1.0.0..main")).toBe("2");
    const pinned = await chat("mia", say("Three."), { version: "1.0.0" });
    expect(pinned.body).toMatchObject({
      result: "rejected",
      notes: expect.stringContaining("`main` has changed `docs/page.md` since 1.0.0, in the same places."),
    });
  });

  test("about two versions both land on the branch that has them", async () => {
    const { chat, origin } = await openArchitectService({ files: await createAgent(3) });
    await chat("mia", { message: "Set p0 of n0 to 7." });
    const [older, newer] = await Promise.all([
      chat("mia", { message: "Set p1 of n1 to 7." }, { version: "1.0.0" }),
      chat("mia", { message: "Set p2 of n2 to 7." }, { version: "1.0.1" }),
    ]);
    expect(["1.0.2", "1.0.3"]).toContain(older.body.new_version);
    expect(["1.0.2", "1.0.3"]).toContain(newer.body.new_version);
    // Each from the version that its branch was at then, and which its own entry names.
    for (const { body } of [older, newer]) {
      const history = await origin.git("show", `v${body.new_version}:versions.yaml`);
      const [, parent = ""] = new RegExp(`^  ${body.new_version}:\n    parent: (\\S+)$`, "m").exec(history) ?? [];
      expect(body.notes).toContain(`It is live as ${body.new_version}, made from ${parent};`);
    }
    for (const at of [0, 1, 2]) {
      expect(await origin.git("show", `main:manifests/parameters/n${at}.yaml`)).toContain("default: 7");
    }
  });

  test("on another branch land there, under its name", async () => {
    const { chat, origin, clone } = await openArchitectService();
    await clone.git("switch", "--quiet", "--create", "warm-start");
    const history = "current: 1.6.0\nversions:\n  1.6.0:\n    changes: [Warm.]\n";
    await clone.commit({ "versions.yaml": history, "docs/warm.md": "Warm.\n" });
    await clone.git("tag", "v1.6.0+warm-start");
    await clone.git("push", "--quiet", "origin", "warm-start", "v1.6.0+warm-start");
    const main = await origin.git("rev-parse", "main");
    const [{ body }, plain] = await Promise.all([
      chat("mia", { message: SAY }, { version: "1.6.0+warm-start" }),
      chat("mia", { message: "Set most of limits to 4." }, { version: "1.0.0" }),
    ]);
    expect(body).toMatchObject({ result: "committed", new_version: "1.6.1" });
    expect(await origin.git("rev-parse", "v1.6.1+warm-start^{commit}", "warm-start")).toBe(
      `${body.commit_hash}\n${body.commit_hash}`,
    );
    expect(plain.body).toMatchObject({ result: "committed", new_version: "1.0.1" });
    expect(await origin.git("rev-list", `${main}..main`)).toBe(plain.body.commit_hash);
    expect(await origin.git("tag", "--list")).toBe("v1.0.0\nv1.0.1\nv1.6.0+warm-start\nv1.6.1+warm-start");
  });
});

describe("what people do while a change waits for its checks", () => {
  test("a push of other files to the base is brought in, verified and kept", async () => {
    const { origin, clone, settle, branch, head, review } = await propose(SAY);
    const theirs = await push(clone, { "docs/page.md": "A page.\n" });
    await vi.waitFor(async () => expect(await origin.git("rev-parse", branch)).not.toBe(head), WAIT);
    await review();
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "committed", new_version: "1.0.1" });
    expect(await origin.git("rev-parse", "main")).toBe(body.answer.commit_hash);
    expect(await origin.git("merge-base", theirs, "main")).toBe(theirs);
    expect(await origin.git("show", "main:docs/page.md")).toBe("A page.");
    expect(await origin.git("show", "main:manifests/runner/greet.yaml")).toContain("Greets somebody by name.");
    await expectTidy(origin, ["v1.0.0", "v1.0.1"]);
  });

  test("a push that changes the same is kept, and the change is rejected with the reason", async () => {
    const { origin, clone, settle } = await propose(SAY);
    const file = "manifests/runner/greet.yaml";
    const text = await origin.git("show", `main:${file}`);
    const theirs = await push(clone, { [file]: `${text.replace("Greets somebody.", "Greets all.")}\n` });
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "rejected", notes: expect.stringContaining(file) });
    expect(await origin.git("rev-parse", "main")).toBe(theirs);
    await expectTidy(origin, ["v1.0.0"]);
  });

  test("a release of the number that it wanted has it take the next one", async () => {
    const { origin, clone, settle, branch, review } = await propose(SAY);
    const history = await origin.git("show", "main:versions.yaml");
    const raised = history
      .replace("current: 1.0.0", "current: 1.0.1")
      .replace("versions:\n", "versions:\n  1.0.1:\n    changes: [Theirs.]\n");
    const theirs = await push(clone, { "versions.yaml": `${raised}\n` });
    await clone.git("tag", "v1.0.1");
    await clone.git("push", "--quiet", "origin", "v1.0.1");
    await vi.waitFor(() => review(`${branch}-2`), WAIT);
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "committed", new_version: "1.0.2" });
    expect(await origin.git("rev-parse", "v1.0.1^{commit}")).toBe(theirs);
    expect(await origin.git("rev-parse", "main~1")).toBe(theirs);
    await expectTidy(origin, ["v1.0.0", "v1.0.1", "v1.0.2"]);
  });

  test("a label that they move stays moved", async () => {
    const { origin, clone, settle, branch, head, review } = await propose(SAY);
    const history = await origin.git("show", "main:versions.yaml");
    const theirs = await push(clone, {
      "versions.yaml": `${history.replace("stable:", "canary: 1.0.0\n  stable:")}\n`,
    });
    await vi.waitFor(async () => {
      const heads = await origin.git(
        "for-each-ref",
        "--format=%(refname:lstrip=2) %(objectname)",
        "refs/heads/proposal/",
      );
      expect(heads).not.toContain(head);
      await review(heads.split(" ")[0] ?? branch);
    }, WAIT);
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "committed", new_version: "1.0.1" });
    expect(await origin.git("merge-base", theirs, "main")).toBe(theirs);
    const merged = await origin.git("show", "main:versions.yaml");
    expect(merged).toContain("canary: 1.0.0\n  stable: 1.0.0\n");
    expect(merged).toContain("current: 1.0.1\n");
  });

  test("a push to its branch that holds lands with it", async () => {
    const { origin, clone, settle, branch, head, review } = await propose(SAY);
    await clone.git("fetch", "--quiet", "origin");
    await clone.git("switch", "--quiet", "--detach", `origin/${branch}`);
    const theirs = await clone.commit({ "docs/page.md": "A page.\n" });
    await clone.git("push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
    await review();
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "committed", new_version: "1.0.1", commit_hash: theirs });
    expect(await origin.git("rev-list", "v1.0.0..v1.0.1")).toBe(`${theirs}\n${head}`);
    await expectTidy(origin, ["v1.0.0", "v1.0.1"]);
  });

  test("a push to its branch that breaks it is left to them", async () => {
    const { origin, clone, settle, branch, review } = await propose(SAY);
    await clone.git("fetch", "--quiet", "origin");
    await clone.git("switch", "--quiet", "--detach", `origin/${branch}`);
    const theirs = await clone.commit({ "tools/_lib/words.ts": "export const words = {};\n" });
    await clone.git("push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "rejected", notes: expect.stringContaining("examples: failed") });
    await review();
    expect(await origin.git("rev-parse", branch)).toBe(theirs);
    expect(await origin.git("rev-parse", "main", "v1.0.0^{commit}").then((two) => new Set(two.split("\n")).size)).toBe(
      1,
    );
    expect(await origin.git("tag", "--list")).toBe("v1.0.0");
  });

  test("a secret that they push to its branch does not land", async () => {
    const { origin, clone, settle, branch } = await propose(SAY);
    await clone.git("fetch", "--quiet", "origin");
    await clone.git("switch", "--quiet", "--detach", `origin/${branch}`);
    await clone.commit({ "docs/key.md": `token: ghp_${"a1B2c3D4e5F6".repeat(3)}\n` });
    await clone.git("push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "rejected", notes: expect.stringContaining("secrets: failed") });
    expect(await origin.git("tag", "--list")).toBe("v1.0.0");
  });

  test("deleting its branch ends it", async () => {
    const { origin, clone, settle, branch } = await propose(SAY);
    const main = await origin.git("rev-parse", "main");
    await clone.git("push", "--quiet", "origin", "--delete", branch);
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "rejected", notes: expect.stringContaining("closed") });
    expect(await origin.git("rev-parse", "main")).toBe(main);
    await expectTidy(origin, ["v1.0.0"]);
  });

  test("landing it by hand has it tagged and served", async () => {
    const { origin, clone, settle, branch, head } = await propose(SAY);
    await clone.git("fetch", "--quiet", "origin");
    await clone.git("push", "--quiet", "origin", `origin/${branch}:refs/heads/main`);
    const { body } = await settle();
    expect(body.answer).toMatchObject({ result: "committed", new_version: "1.0.1", commit_hash: head });
    expect(await origin.git("rev-parse", "main", "v1.0.1^{commit}")).toBe(`${head}\n${head}`);
    await expectTidy(origin, ["v1.0.0", "v1.0.1"]);
  });

  test("a tag of its number gives it a name of its own", async () => {
    const { origin, clone, settle, review, id, get } = await propose(SAY);
    await clone.git("tag", "v1.0.1", "v1.0.0");
    await clone.git("push", "--quiet", "origin", "v1.0.1");
    await review();
    const { body } = await settle();
    const name = `1.0.1+${id.slice(0, 8)}`;
    expect(body.answer).toMatchObject({
      result: "committed",
      new_version: "1.0.1",
      notes: expect.stringContaining(name),
    });
    expect(await origin.git("rev-parse", `v${name}^{commit}`)).toBe(body.answer.commit_hash);
    const { commit_hash } = body.answer;
    expect((await get("mia", `/versions/${encodeURIComponent(name)}`)).body).toMatchObject({ commit_hash });
  });
});

test("a tag that somebody else has given already has a change take another number", async () => {
  const { chat, origin, clone } = await openArchitectService();
  await clone.git("tag", "v1.0.1", "v1.0.0");
  await clone.git("push", "--quiet", "origin", "v1.0.1");
  const { body } = await chat("mia", { message: SAY });
  expect(body).toMatchObject({ result: "committed", new_version: "1.0.2" });
  await expectTidy(origin, ["v1.0.0", "v1.0.1", "v1.0.2"]);
});

interface Waiting extends ArchitectService {
  readonly id: string;
  readonly branch: string;
  /** What was proposed. */
  readonly head: string;
  /** Has the check that is missing pass for where the branch, or another, is now. */
  review(branch?: string): Promise<void>;
  settle(): Promise<Answer>;
}

/** Feedback of which a change is made that waits for a check of somebody else. */
async function propose(message: string): Promise<Waiting> {
  const service = await openArchitectService({ environment: { CAIRN_FORGE_CHECKS: "cairn,review" } });
  const { chat, get, origin } = service;
  const sent = await chat("mia", { message }, { headers: { prefer: "respond-async" } });
  const id: string = sent.body.id;
  const location = sent.headers.get("location") ?? "";
  const branch = `proposal/${id}`;
  await vi.waitFor(async () => {
    const { body } = await get("mia", location);
    expect(body).toMatchObject({ stage: "checks", proposal: { branch, version: "1.0.1" } });
  }, WAIT);
  return {
    ...service,
    id,
    branch,
    head: await origin.git("rev-parse", branch),
    async review(of = branch) {
      const commit = await origin.git("rev-parse", of);
      await service.service.forge.forge?.report(commit, "review", {
        status: "completed",
        conclusion: "success",
        summary: "It is fine.",
      });
    },
    settle: () =>
      vi.waitFor(async () => {
        const answer = await get("mia", location);
        expect(answer.body.status).toBe("ended");
        return answer;
      }, WAIT),
  };
}

/** A commit on the base, pushed by somebody. */
async function push(clone: ArchitectService["clone"], files: Readonly<Record<string, string>>): Promise<string> {
  const commit = await clone.commit(files);
  await clone.git("push", "--quiet", "origin", "HEAD:refs/heads/main");
  return commit;
}

async function expectTidy(origin: ArchitectService["origin"], tags: readonly string[]): Promise<void> {
  const refs = (await origin.git("for-each-ref", "--format=%(refname)", "refs/heads/", "refs/tags/")).split("\n");
  expect(refs).toEqual(["refs/heads/main", ...tags.map((tag) => `refs/tags/${tag}`)]);
}
