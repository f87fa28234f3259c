import { execFile } from "node:child_process";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startCairn } from "../helpers/cairn.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const run = promisify(execFile);

test(
  "the package that npm would install runs: no TypeScript in it, its own template, its own schemas",
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder();
    await run(process.execPath, ["scripts/build.mjs"]);
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder, "./dist"]);
    // As npm would lay it out, but with the dependencies that are here already.
    const modules = join(folder, "node_modules");
    const installed = join(modules, "cairn-gitops");
    await mkdir(installed, { recursive: true });
    await run("tar", ["-xzf", join(folder, stdout.trim()), "-C", installed, "--strip-components=1"]);
    for (const name of await readdir("node_modules")) {
      if (!name.startsWith(".")) await symlink(resolve("node_modules", name), join(modules, name));
    }
    const sources = (await readdir(installed, { recursive: true })).filter((file) => /(?<!\.d)\.ts$/.test(file));
    // What `init` copies.
    const tuner = (await readdir("tools/tuner")).map((name) => `tools/tuner/${name}`);
    expect(sources.sort()).toEqual(["template/tools/runner/greet.ts", ...tuner].sort());

    const command = join(installed, "bin/cairn.mjs");
    const agent = join(folder, "agent");
    await run(process.execPath, [command, "init", agent], { cwd: folder });
    const valid = await run(process.execPath, [command, "validate", agent], { cwd: folder });
    expect(valid.stdout).toBe("agent 0.1.0 is valid: 2 servers, 8 tools.\n");
    const worker =
      "import { createWorkClient, createWorker } from 'cairn-gitops/worker'; console.log(typeof createWorkClient, typeof createWorker)";
    const imported = await run(process.execPath, ["--input-type=module", "--eval", worker], { cwd: folder });
    expect(imported.stdout).toBe("function function\n");
    const { url } = await startCairn(["serve", agent, "--data", join(folder, "data")], {}, undefined, command);
    const answer = await fetch(`${url}/agent/stable/api/tools/runner.greet`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"name":"Ada"}',
    });
    expect(await answer.json()).toMatchObject({ greeting: "Hello, Ada!" });
  },
);
