import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openForge } from "../../../server/app/open-forge.ts";
import { connectForge } from "../../../server/forge/adapters.ts";
import { createForgeTime } from "../../../server/forge/forge-time.ts";
import { readConfig } from "../../../server/config/config.ts";
import { NO_FORGE } from "../../../server/config/config-forge.ts";
import { type Git, loadGit } from "../../../server/versions/git/git.ts";
import { readUpstream } from "../../../server/versions/git/upstream.ts";
import type { Registry } from "../../../server/versions/registry/registry-types.ts";
import { createRepository } from "../../helpers/repository.ts";
import { openTestStore } from "../../helpers/store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

/** Opens the forge of a bare repository, or of the checkout that it was made from. */
async function open(settings: Readonly<Record<string, string>>, options: { bare?: boolean; git?: Git } = {}) {
  const checkout = await createRepository();
  const from = await checkout.commit({ "a.txt": "a" });
  const git = await loadGit({ environment: { PATH: process.env["PATH"] } });
  const bare = join(await temporaryFolder(), "bare.git");
  await git.run(["clone", "--quiet", "--bare", "--no-local", checkout.path, bare]);
  const read = readConfig({ CAIRN_REPO: options.bare === false ? checkout.path : bare, ...settings });
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const { config } = read;
  const opened = await openForge({
    config,
    git: options.git ?? git,
    store: await openTestStore(),
    upstream: readUpstream(config.repository ?? "", "/"),
    registry: { mirror: bare } as Registry,
    connection: await connectForge(config, createForgeTime(Date.now)),
    onNudge: () => () => undefined,
    now: Date.now,
  });
  return { opened, from, checkout };
}

const proposal = (from: string, base: string) => ({
  key: "one",
  from,
  base,
  title: "One",
  body: "",
  author: { name: "Ada", email: "ada@example.com" },
  message: "One",
  files: new Map([["b.txt", "b"]]),
});

describe("the forge of a service", () => {
  test("changes a bare repository on this machine once its check is green", async () => {
    const { opened, from } = await open({});
    expect(opened.baseBranch).toBe("main");
    const change = await opened.forge?.propose(proposal(from, opened.baseBranch));
    if (opened.forge === undefined || change === undefined) throw new Error("none");
    const { head, required } = await opened.forge.status(change);
    expect(required).toEqual(["cairn"]);
    await opened.forge.report(head, "cairn", { status: "completed", conclusion: "success", summary: "Fine." });
    expect(await opened.forge.land(change, { expectHead: head, mode: "now" })).toEqual({
      outcome: "merged",
      oid: head,
    });
  });

  test("takes checks and branch from the configuration", async () => {
    const { opened, from } = await open({ CAIRN_FORGE_CHECKS: "semver,test", CAIRN_FORGE_BRANCH: "release" });
    expect(opened.baseBranch).toBe("release");
    await expect(opened.forge?.propose(proposal(from, "release"))).rejects.toMatchObject({ name: "NOT_FOUND" });
    const change = await opened.forge?.propose(proposal(from, "main"));
    expect(change && (await opened.forge?.status(change))?.required).toEqual(["semver", "test"]);
  });

  test("leaves alone what people work in, unless it is told to", async () => {
    const { opened, checkout } = await open({}, { bare: false });
    expect(opened).toMatchObject({
      why: `People work in \`${checkout.path}\`, so it is changed only where CAIRN_FORGE=local says so.`,
    });
    expect(opened.forge).toBeUndefined();
    const told = await open({ CAIRN_FORGE: "local" }, { bare: false });
    expect(told.opened.forge).toBeDefined();
  });

  test("is none where none is wanted or possible, and says what to set", async () => {
    expect((await open({ CAIRN_FORGE: "none" })).opened).toMatchObject({ why: "CAIRN_FORGE is `none`." });
    const elsewhere = await open({ CAIRN_REPO: "https://github.com/acme/tools" });
    expect(elsewhere.opened).toMatchObject({ why: NO_FORGE, baseBranch: "main" });
  });

  test("is none with a git too old for it, which fails only who has asked for it", async () => {
    const real = await loadGit({ environment: { PATH: process.env["PATH"] } });
    const git: Git = {
      ...real,
      run: async (args, options) => (args[0] === "--version" ? "git version 2.36.0" : real.run(args, options)),
    };
    expect((await open({}, { git })).opened.why).toMatch(/2\.38/);
    await expect(open({ CAIRN_FORGE: "local" }, { git })).rejects.toThrow(/2\.38/);
  });
});
