import { spawnSync } from "node:child_process";
import { rename } from "node:fs/promises";
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
import { openSmallDisk } from "../../helpers/small-disk.ts";
import { openTestStore } from "../../helpers/store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

interface Options {
  readonly bare?: boolean;
  readonly git?: Git;
  /** Folder that the bare repository is made in. */
  readonly folder?: string;
  /** Runs before the forge is opened. */
  readonly before?: (bare: string) => Promise<void> | void;
}

/** Opens the forge of a bare repository, or of the checkout that it was made from. */
async function open(settings: Readonly<Record<string, string>>, options: Options = {}) {
  const checkout = await createRepository();
  const from = await checkout.commit({ "a.txt": "a" });
  const git = await loadGit({ environment: { PATH: process.env["PATH"] } });
  const bare = join(options.folder ?? (await temporaryFolder()), "bare.git");
  await git.run(["clone", "--quiet", "--bare", "--no-local", checkout.path, bare]);
  const read = readConfig({ CAIRN_REPO: options.bare === false ? checkout.path : bare, ...settings });
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const mirror = join(await temporaryFolder(), "mirror.git");
  await git.run(["clone", "--quiet", "--bare", "--no-local", checkout.path, mirror]);
  await options.before?.(bare);
  const { config } = read;
  const opened = await openForge({
    config,
    git: options.git ?? git,
    store: await openTestStore(),
    upstream: readUpstream(config.repository ?? "", "/"),
    registry: { mirror } as Registry,
    connection: await connectForge(config, createForgeTime(Date.now)),
    onNudge: () => () => undefined,
    now: Date.now,
  });
  return { opened, from, checkout, bare };
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
      why: `People work in \`${checkout.path}\`, so it is changed only where CAIRN_FORGE=local says so, and while the branch that changes land on is not checked out there (\`git switch --detach\` leaves it).`,
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

  test("waits for a repository that is away at the start, and changes it once it is back", async () => {
    const { opened, from, bare } = await open({}, { before: (path) => rename(path, `${path}.away`) });
    const { forge } = opened;
    const propose = () => forge?.propose(proposal(from, "main"));
    await expect(propose()).rejects.toMatchObject({ name: "UNAVAILABLE", message: `\`${bare}\` cannot be read.` });
    await rename(`${bare}.away`, bare);
    const change = await propose();
    expect(change && (await forge?.status(change))?.state).toBe("open");
  });

  test("is none where the repository cannot be written, which fails only who has asked for it", async (context) => {
    const lock = (folder: string) => () => void spawnSync("mount", ["-o", "remount,ro", folder]);
    const folder = await openSmallDisk(context);
    const why = `The repository \`${folder}/bare.git\` cannot be written by this process (EROFS), so nothing changes it.`;
    const { opened } = await open({}, { folder, before: lock(folder) });
    expect([opened.forge, opened.why, opened.isFault]).toEqual([undefined, why, true]);
    const another = await openSmallDisk(context);
    const chosen = open({ CAIRN_FORGE: "local" }, { folder: another, before: lock(another) });
    await expect(chosen).rejects.toMatchObject({ message: why.replace(folder, another) });
  });
});
