import { execFile } from "node:child_process";
import { chmod, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { eventually } from "../helpers/eventually.ts";
import { type HeldServer, startHeldServer, WAITING_TOOL } from "../helpers/held-server.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { buildImage, type Image } from "./build-image.ts";
import { type Container, startContainer } from "./start-container.ts";

const run = promisify(execFile);
const ACCOUNT = 10001;
/** Bytes that the image stays below, unpacked. */
const SIZE_LIMIT = 500 * 2 ** 20;
const TOOLS: Readonly<Record<string, AgentTool>> = {
  echo: { handler: "export default (input) => input;\n", manifest: "deterministic: true" },
  wait: WAITING_TOOL,
};

const isWanted = process.env["CAIRN_LONG"] !== undefined && process.getuid?.() === 0;
if (process.env["CAIRN_LONG"] !== undefined && !isWanted) {
  process.stderr.write("SKIPPED the image: only root can build and run it without a container engine\n");
}

describe.runIf(isWanted)("the image of deploy/Containerfile", () => {
  const shared = createShared();
  let image: Image;
  let held: HeldServer;
  let repository: string;
  let volume: string;
  let container: Container;
  let token: string;

  beforeAll(async () => {
    image = await buildImage(shared.atEnd);
    held = await startHeldServer(shared.atEnd);
    const created = await createRepository(await temporaryFolder(shared.atEnd));
    await created.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS }));
    [repository, volume] = [created.path, await temporaryFolder(shared.atEnd)];
    await chmod(volume, 0o700);
    await run("chown", ["--recursive", `${ACCOUNT}:${ACCOUNT}`, repository, volume]);
    container = await start();
    const made = await container.exec(
      "cairn",
      "token",
      "create",
      "--tenant",
      "acme",
      "--actor",
      "ada",
      "--scopes",
      "*",
    );
    token = made.split("\n").find((line) => line.startsWith("cairn_")) ?? "";
  }, 3_600_000);
  afterAll(shared.undoAll, 120_000);

  const start = () => startContainer(image, { volume, repository, environment: held.environment }, shared.atEnd);
  const call = (
    tool: string,
    input: object,
    more: Readonly<Record<string, string>> = { authorization: `Bearer ${token}` },
  ) =>
    fetch(`${container.url}/agent/1.0.0/api/tools/runner.${tool}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...more },
      body: JSON.stringify(input),
    });

  test("is small, and has one Node, no npm, no sources and nothing of a checkout", async () => {
    process.stderr.write(`the image has ${Math.round(image.size / 1e6)} MB unpacked\n`);
    expect(image.size).toBeLessThan(SIZE_LIMIT);
    const files = await listFiles(image.root);
    const find = (pattern: RegExp) => files.map(({ path }) => path).filter((path) => pattern.test(path));
    expect(find(/(?:^|\/)bin\/(?:node|npm|npx)$/)).toEqual([
      expect.stringMatching(/^opt\/cairn\/node_modules\/node-linux-\w+\/bin\/node$/),
    ]);
    expect(find(/^opt\/cairn\/server\/main\.js$/)).toHaveLength(1);
    expect(find(/^opt\/cairn\/server\/.*(?<!\.d)\.ts$/)).toEqual([]);
    expect(find(/^(?:opt|src)\/(?:.*\/)?(?:\.git|\.cairn|vitest)(?:\/|$)/)).toEqual([]);
    const writable = files.filter(({ mode, owner }) => owner !== "0" || (mode & 0o022) !== 0);
    expect(writable.filter(({ path }) => path.startsWith("opt/"))).toEqual([]);
    // A new volume there takes owner and mode from the image.
    expect(files.find(({ path }) => path === "backups")).toMatchObject({ mode: 0o700, owner: String(ACCOUNT) });
  });

  test("says how it wants to be run", () => {
    expect(image.config).toMatchObject({
      User: `${ACCOUNT}:${ACCOUNT}`,
      Entrypoint: ["cairn"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      ExposedPorts: { "3000/tcp": {} },
      StopSignal: "SIGTERM",
    });
  });

  test("runs as its account, without rights, and writes nowhere but to /data and /tmp", async () => {
    const status = await container.exec("cat", "/proc/1/status");
    expect(status).toMatch(new RegExp(`^Uid:(\\s+${ACCOUNT}){4}$`, "m"));
    expect(status).toMatch(/^CapEff:\s+0{16}$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    for (const folder of ["/", "/opt/cairn", "/usr/local/bin", "/etc"]) {
      await expect(container.exec("touch", `${folder}/new`)).rejects.toThrow("Read-only file system");
    }
    await container.exec("touch", "/tmp/new", "/data/new");
  });

  test("is healthy by its own check, and refuses callers without a token", async () => {
    const [kind, ...check] = image.config.Healthcheck.Test;
    expect(kind).toBe("CMD");
    await container.exec(...check);
    expect((await call("echo", { a: 1 }, {})).status).toBe(401);
    expect((await call("echo", { a: 1 })).status).toBe(200);
  });

  test("has the packages that are optional elsewhere, and a compiler that knows the types of handlers", async () => {
    const { peerDependencies } = JSON.parse(await readFile("package.json", "utf8"));
    const names = Object.keys(peerDependencies).filter((name) => name !== "typescript");
    const script = `for (const name of ${JSON.stringify(names)}) await import(name);`;
    await container.exec("env", "--chdir=/opt/cairn", "node", "--input-type=module", "--eval", script);
    const compile = async (type: string) => {
      const handler = `import type { ${type} } from "/opt/cairn/server/host-api.js"; export type Used = ${type};`;
      await container.exec("sh", "-c", 'printf %s "$1" > /tmp/handler.ts', "sh", handler);
      const tsc = [
        "/opt/node_modules/typescript/bin/tsc",
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "/tmp/handler.ts",
      ];
      await container.exec("node", ...tsc);
    };
    await compile("Context");
    await expect(compile("NoSuchType")).rejects.toThrow("Command failed");
  }, 120_000);

  test("ends by SIGTERM once calls that have begun are answered, and its check fails then", async () => {
    const answer = call("wait", { name: "last" });
    const request = await held.next();
    process.kill(container.pid, "SIGTERM");
    await eventually(async () => expect((await fetch(`${container.url}/readyz`)).status).toBe(503));
    const [, ...check] = image.config.Healthcheck.Test;
    await expect(container.exec(...check)).rejects.toThrow();
    expect((await call("echo", { a: 2 })).status).toBe(503);
    request.answer("at last");
    expect(await (await answer).json()).toMatchObject({ said: "at last" });
    expect(await container.ended).toBe(0);
  });

  test("has in a new container what was on its volume: the token, and the records of calls", async () => {
    container = await start();
    expect((await call("echo", { a: 3 })).status).toBe(200);
    const records = await (
      await fetch(`${container.url}/audit/acme/records.jsonl`, { headers: { authorization: `Bearer ${token}` } })
    ).text();
    expect(records.match(/"tool":"runner\.\w+"/g)?.toSorted()).toEqual(
      expect.arrayContaining(['"tool":"runner.echo"', '"tool":"runner.wait"']),
    );
  });
});

/** Lists all files and folders below `root`, without links: mode, owner's number, and path. */
async function listFiles(root: string) {
  const options = ["-xdev", "-not", "-type", "l", "-printf", "%m %U %P\n"];
  const { stdout } = await run("find", [root, ...options], { maxBuffer: 2 ** 27 });
  return stdout.split("\n").map((line) => {
    const [, mode = "", owner = "", path = ""] = /^(\d+) (\d+) (.*)$/.exec(line) ?? [];
    return { mode: Number.parseInt(mode, 8), owner, path };
  });
}
