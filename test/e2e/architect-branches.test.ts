import { describe, expect, test, vi } from "vitest";
import { createGreeter } from "../fixtures/greeter.ts";
import { type ArchitectService, openArchitectService } from "../helpers/architect-service.ts";

const SAY = 'Set the description of runner.greet to "Greets somebody by name."';
const SECOND = `current: 2.0.0
labels:
  stable: 1.0.0
versions:
  2.0.0:
    parent: 1.0.0
    changes: [The second.]
  1.0.0:
    changes: [The first.]
`;

/** `main` at 2.0.0 with the label `stable` at 1.0.0, which the given branches have, too. */
async function openTwoLines(branches: readonly string[]) {
  const opened = await openArchitectService({ files: await createGreeter() });
  const { clone } = opened;
  await clone.commit({ "versions.yaml": SECOND, "docs/second.md": "Second.\n" });
  await clone.git("tag", "v2.0.0");
  for (const branch of branches) await clone.git("branch", branch, "v1.0.0");
  await clone.git("push", "--quiet", "origin", "main", "v2.0.0", ...branches);
  await untilServed(opened, "2.0.0");
  return opened;
}

async function untilServed({ get }: ArchitectService, version: string): Promise<void> {
  const ask = async () => (await get("mia", `/agent/${version}/openapi.json`)).status;
  await vi.waitFor(async () => expect(await ask()).toBe(200), { timeout: 20_000, interval: 50 });
}

describe("feedback about an older version", () => {
  test.each(["stable", "1.0.0"])("at `%s` is planned on the branch that maintains it, and says so", async (version) => {
    const { chat, get, origin } = await openTwoLines(["1.x", "feature"]);
    const main = await origin.git("rev-parse", "main");
    const { body } = await chat("mia", { message: SAY }, { version });
    expect(body).toMatchObject({ result: "committed", new_version: "1.0.1" });
    expect(body.notes).toContain("It is live as 1.0.1+1-x, made from 1.0.0;");
    expect(body.notes).toContain("It is for the branch `1.x`, which has 1.0.0.");
    expect(await origin.git("rev-parse", "main", "1.x", "v1.0.1+1-x^{commit}")).toBe(
      [main, body.commit_hash, body.commit_hash].join("\n"),
    );
    const served = await get("mia", "/agent/1.0.1/openapi.json");
    expect([served.status, served.headers.get("cairn-version")]).toEqual([200, "1.0.1+1-x"]);
  });

  test("gets a number that no other branch has given away, so that its address means it", async () => {
    const { chat, clone, get } = await openTwoLines(["1.x"]);
    await clone.git("switch", "--quiet", "--create", "other", "v1.0.0");
    await clone.commit({ "versions.yaml": "current: 1.0.1\nversions:\n  1.0.1:\n    changes: [Another.]\n" });
    await clone.git("tag", "v1.0.1");
    await clone.git("push", "--quiet", "origin", "v1.0.1");
    const { body } = await chat("mia", { message: SAY }, { version: "1.0.0" });
    expect(body).toMatchObject({ result: "committed", new_version: "1.0.2" });
    const served = await get("mia", "/agent/1.0.2/openapi.json");
    expect(served.headers.get("cairn-commit")).toBe(body.commit_hash);
  });

  test("moves labels where they are said: on the default branch", async () => {
    const { chat, origin } = await openTwoLines(["1.x"]);
    await chat("mia", { message: SAY }, { version: "1.0.0" });
    const { body } = await chat("mia", { message: "Point stable at 2.0.0." }, { version: "stable" });
    expect(body).toMatchObject({ result: "committed" });
    expect(await origin.git("show", "main:versions.yaml")).toContain("stable: 2.0.0");
    expect(await origin.git("rev-parse", "main")).toBe(body.commit_hash);
  });

  test("without a branch of its own is for the default branch, and says how it gets one", async () => {
    const { chat, origin } = await openTwoLines([]);
    const advice =
      "It is for `main`, which has come to 2.0.0 since 1.0.0; to change 1.x instead, make the branch `1.x` from 1.0.0 and send it there again.";
    const dry = await chat("mia", { message: SAY, dry_run: true }, { version: "stable" });
    expect(dry.body.notes).toContain(`This would be committed as 2.0.1. ${advice}`);
    const { body } = await chat("mia", { message: SAY }, { version: "stable" });
    expect(body).toMatchObject({ result: "committed", new_version: "2.0.1" });
    expect(body.notes).toContain(advice);
    expect(await origin.git("rev-parse", "main")).toBe(body.commit_hash);
  });

  test("that no branch has any more is told how it gets one", async () => {
    const opened = await openTwoLines([]);
    const { chat, clone, origin } = opened;
    await clone.git("switch", "--quiet", "--create", "gone", "v1.0.0");
    await clone.commit({ "versions.yaml": "current: 1.0.1\nversions:\n  1.0.1:\n    changes: [Gone.]\n" });
    await clone.git("tag", "v1.0.1");
    await clone.git("push", "--quiet", "origin", "v1.0.1");
    await untilServed(opened, "1.0.1");
    const { body } = await chat("mia", { message: SAY }, { version: "1.0.1" });
    const commit = await origin.git("rev-parse", "v1.0.1");
    expect(JSON.stringify(body)).toContain(
      `Make one (\`git push origin ${commit}:refs/heads/1.x\`) and send it again.`,
    );
  });
});

describe("feedback on a branch whose number people have raised, and not released", () => {
  const RAISED = `current: 1.1.0
versions:
  1.1.0:
    parent: 1.0.0
    changes:
      # By hand.
      - Takes a parameter more.
  1.0.0:
    changes: [The first.]
`;

  test("is part of that release, whose sentences and parent stay, and what comes after it of the next", async () => {
    const { chat, clone, get, origin } = await openArchitectService({ files: await createGreeter() });
    await clone.commit({ "versions.yaml": RAISED });
    await clone.git("push", "--quiet", "origin", "main");
    const head = await clone.git("rev-parse", "main");
    await vi.waitFor(async () => expect(await origin.git("rev-parse", "main")).toBe(head));
    const dry = await chat("mia", { message: SAY, dry_run: true }, { version: "1.0.0" });
    expect(dry.body.notes).toContain("This would be committed as 1.1.0.");
    expect(dry.body.notes).toContain("1.1.0 is measured against 1.0.0: versions.yaml names it as the parent.");
    expect(dry.body.notes).not.toContain("must be 1.1.1");

    const { body } = await chat("mia", { message: SAY }, { version: "1.0.0" });
    expect(body).toMatchObject({ result: "committed", new_version: "1.1.0" });
    expect(body.notes).toContain("It is live as 1.1.0, made from 1.0.0;");
    expect(await origin.git("rev-parse", "main", "v1.1.0^{commit}")).toBe(
      [body.commit_hash, body.commit_hash].join("\n"),
    );
    expect(await origin.git("show", "v1.1.0:versions.yaml")).toMatch(
      /1\.1\.0:\n {4}parent: 1\.0\.0\n {4}changes:\n {6}# By hand\.\n {6}- Takes a parameter more\.\n {6}- .*greet.*\n {4}date: /,
    );
    const served = await get("mia", "/agent/1.1.0/openapi.json");
    expect([served.status, served.headers.get("cairn-commit")]).toEqual([200, body.commit_hash]);

    const next = await chat("mia", { message: SAY.replace("somebody", "everybody") }, { version: "1.1.0" });
    expect(next.body).toMatchObject({ result: "committed", new_version: "1.1.1" });
    expect(next.body.notes).toContain("made from 1.1.0");
  });
});
