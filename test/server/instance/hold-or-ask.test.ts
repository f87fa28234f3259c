import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { holdOrAsk, type Instance, toRestoreMark } from "../../../server/instance/hold-or-ask.ts";
import { createRemoteStore } from "../../../server/instance/remote-store.ts";
import { CONFINED } from "../../../server/kernel/isolates/spawn-host.ts";
import { openLmdbStore } from "../../../server/store/lmdb/lmdb.ts";
import type { Store } from "../../../server/store/store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

const NOW = Date.UTC(2026, 0, 2);

function use(data: string, command = "serve") {
  return holdOrAsk({ data, command, now: () => NOW });
}

async function hold(data: string): Promise<Instance> {
  const used = await use(data);
  if (!("instance" in used)) throw new Error("somebody else has the folder");
  onTestFinished(() => used.instance.release());
  return used.instance;
}

async function ask(data: string): Promise<Store> {
  const used = await use(data, "token list");
  if (!("peer" in used)) throw new Error("nobody has the folder");
  const store = createRemoteStore(used.peer);
  onTestFinished(() => store.admin.close());
  return store;
}

/** A data folder that this process has and answers for. */
async function serve(data: string, wrap = (store: Store) => store) {
  const instance = await hold(data);
  const store = await openLmdbStore({ directory: join(data, "store") });
  const errors: unknown[] = [];
  const stop = await instance.answer(wrap(store), (error) => errors.push(error));
  onTestFinished(async () => {
    await stop();
    await store.admin.close();
  });
  return { instance, store, errors, stop };
}

const isRoot = process.geteuid?.() === 0;

describe("a data folder", () => {
  test("is asked for through the process that has it, which tells who it is", async () => {
    const data = await temporaryFolder();
    const { instance } = await serve(data);
    await instance.announce({ url: "http://127.0.0.1:3000" });
    const used = await use(data, "token list");
    expect("peer" in used && used.peer.holder).toEqual({
      schemaVersion: 1,
      command: "serve",
      pid: process.pid,
      host: hostname(),
      since: "2026-01-02T00:00:00.000Z",
      url: "http://127.0.0.1:3000",
    });
    if ("peer" in used) used.peer.close();
  });

  test("shows others no more than that there is one, and nothing but its lock when it is let go of", async () => {
    const data = await temporaryFolder();
    const { instance, stop } = await serve(data);
    const folder = join(data, "instance");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toEqual(["holder.json", "process.lock", "socket"]);
    await stop();
    await instance.release();
    expect(await readdir(folder)).toEqual(["process.lock"]);
  });

  test("can be had where a process that was killed left its socket and its record", async () => {
    const data = await temporaryFolder();
    const folder = join(data, "instance");
    await mkdir(folder, { mode: 0o700 });
    const left = createServer().listen(join(folder, "socket"));
    await once(left, "listening");
    // Its file stays when its process is killed.
    const program = `require("node:net").createServer().listen(${JSON.stringify(join(folder, "left"))}, () => console.log(1))`;
    const child = spawn(process.execPath, ["--eval", program]);
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    left.close();
    await import("node:fs/promises").then((fs) => fs.rename(join(folder, "left"), join(folder, "socket")));
    const record = { schemaVersion: 1, command: "serve", pid: child.pid, host: hostname(), since: "then", secret: "s" };
    await writeFile(join(folder, "holder.json"), JSON.stringify(record));
    await serve(data);
    const store = await ask(data);
    expect(await store.commit({ set: [{ key: ["k"], value: 1 }] })).toMatchObject({ ok: true });
  });

  test("may lie deeper than addresses of sockets reach", async () => {
    const data = join(await temporaryFolder(), ..."deep ".repeat(40).trim().split(" "));
    const { store } = await serve(data);
    await store.commit({ set: [{ key: ["k"], value: "here" }] });
    expect(await (await ask(data)).get(["k"])).toMatchObject({ value: "here" });
    expect((await stat(join(data, "instance", "socket"))).isSocket()).toBe(true);
  });

  test("is waited for while a command has it", async () => {
    const data = await temporaryFolder();
    const instance = await hold(data);
    const waited: string[] = [];
    const next = holdOrAsk({ data, command: "serve", now: () => NOW, onWait: (holder) => void waited.push(holder) });
    await expect.poll(() => waited, { timeout: 10_000 }).toHaveLength(1);
    expect(waited[0]).toBe(`\`cairn serve\` (process ${process.pid}, since 2026-01-02T00:00:00.000Z)`);
    await instance.release();
    const used = await next;
    expect("instance" in used).toBe(true);
    if ("instance" in used) await used.instance.release();
  });

  test("is not used while a restore into it has not come to its end", async () => {
    const data = await temporaryFolder();
    const instance = await hold(data);
    await writeFile(toRestoreMark(data), "");
    await instance.release();
    const message = `A restore into \`${data}\` was cut short; empty the folder and restore again.`;
    await expect(use(data)).rejects.toMatchObject({ name: "UNAVAILABLE", message });
  });

  test("is mended where others may enter, and refused where it is another account's", async ({ skip }) => {
    const data = await temporaryFolder();
    const folder = join(data, "instance");
    await mkdir(folder);
    await chmod(folder, 0o777);
    await hold(data);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    skip(!isRoot, "only root can be somebody else");
    await chmod(data, 0o755);
    const module = join(import.meta.dirname, "../../../server/instance/local-socket.ts");
    const program = `
      const { assertPrivate } = await import(${JSON.stringify(module)});
      process.seteuid(65534);
      await assertPrivate(process.argv[1]).catch((error) => console.log(error.message));
    `;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program, folder]);
    const [said] = await once(child.stdout, "data");
    expect(String(said)).toContain("but it belongs to the account 0; run this as its owner");
  });
});

describe("what asks at the socket", () => {
  /** What comes back for lines, until the other side ends the connection or has said so many lines. */
  async function say(data: string, lines: readonly string[], wanted = Infinity): Promise<unknown[]> {
    const socket = createConnection(join(data, "instance", "socket"));
    let said = "";
    const ended = once(socket, "close");
    socket.on("error", () => undefined);
    const enough = new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        said += String(chunk);
        if (said.split("\n").length > wanted) resolve();
      });
    });
    for (const line of lines) socket.write(line);
    await Promise.race([ended, enough]);
    socket.destroy();
    return said
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  }

  async function loadSecret(data: string): Promise<string> {
    const { secret } = JSON.parse(await readFile(join(data, "instance", "holder.json"), "utf8")) as { secret: string };
    return secret;
  }

  const error = (id: number, name: string, message: unknown = expect.any(String)) => ({ id, error: { name, message } });

  test("must know the secret of the folder before anything else, and speak this version", async () => {
    const data = await temporaryFolder();
    const { store } = await serve(data);
    await store.commit({ set: [{ key: ["k"], value: "kept from others" }] });
    const secret = await loadSecret(data);
    const get = '{"id":1,"do":"getMany","with":{"keys":[["k"]]}}\n';
    expect(await say(data, [get])).toEqual([error(0, "INVALID_REQUEST")]);
    expect(await say(data, ["no JSON\n", get])).toEqual([error(0, "INVALID_REQUEST")]);
    expect(await say(data, ['{"protocol":1,"secret":"guessed"}\n', get])).toEqual([error(0, "UNAUTHENTICATED")]);
    expect(await say(data, [`{"protocol":2,"secret":"${secret}"}\n`, get])).toEqual([
      error(0, "UNAVAILABLE", expect.stringContaining("speaks version 1 of the local protocol, not 2")),
    ]);
    expect(await say(data, [`{"protocol":1,"secret":"${"x".repeat(2_000)}"}\n`, get])).toEqual([]);
    expect(await say(data, [`{"protocol":1,"secret":"${secret}"}\n${get}`], 2)).toMatchObject([
      { id: 0, ok: null },
      { id: 1, ok: [{ value: "kept from others" }] },
    ]);
  });

  test("is not helped by breaking out of a handler's isolate: the process there cannot read the secret", async () => {
    const data = await temporaryFolder();
    await serve(data);
    const folder = join(data, "instance");
    const program = `
      const { connect } = await import("node:net");
      const { readFileSync } = await import("node:fs");
      try { console.log(readFileSync(process.argv[1] + "/holder.json", "utf8")); }
      catch (error) { console.log(error.code); }
      const socket = connect(process.argv[1] + "/socket", () => socket.end('{"protocol":1,"secret":""}\\n'));
      socket.pipe(process.stdout);
    `;
    const child = spawn(process.execPath, [...CONFINED, "--input-type=module", "--eval", program, folder]);
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    await once(child, "close");
    const [denied, answered = ""] = said.split("\n");
    expect([denied, JSON.parse(answered)]).toEqual(["ERR_ACCESS_DENIED", error(0, "UNAUTHENTICATED")]);
  });

  test.each([
    ["what is not JSON", "{", 0],
    ["no request", "[]", 0],
    ["an operation that there is not", '{"id":1,"do":"close","with":{}}', 0],
    ["a name of every object", '{"id":1,"do":"constructor","with":{}}', 0],
    ["a member that nothing reads", '{"id":1,"do":"check","with":{"deep":true}}', 0],
    ["a key that is none", '{"id":1,"do":"getMany","with":{"keys":[[null]]}}', 0],
    ["a write without a value", '{"id":1,"do":"commit","with":{"commit":{"set":[{"key":["k"]}]}}}', 0],
    ["an empty key", '{"id":1,"do":"getMany","with":{"keys":[[]]}}', 1],
    ["a limit below nothing", '{"id":1,"do":"scan","with":{"prefix":[],"limit":-1}}', 1],
    ["a lease without end", '{"id":1,"do":"claim","with":{"queue":["q"],"leaseMs":1e300,"limit":1}}', 1],
    ["a folder that only it sees", '{"id":1,"do":"backup","with":{"directory":"/","device":"1","inode":"1"}}', 1],
  ])("is refused %s, and may go on", async (_, line, id) => {
    const data = await temporaryFolder();
    const { errors } = await serve(data);
    const hello = `{"protocol":1,"secret":"${await loadSecret(data)}"}\n`;
    const check = '{"id":7,"do":"check","with":{}}\n';
    const answers = await say(data, [hello, `${line}\n`, check], 3);
    expect(answers.slice(1)).toEqual(
      expect.arrayContaining([error(id, id === 0 ? "INVALID_REQUEST" : "BAD_REQUEST"), { id: 7, ok: [] }]),
    );
    expect(errors).toEqual([]);
  });

  // The service has another account than the person who asks, as with systemd.
  test.skipIf(!isRoot)("hears that the service has no permission for the folder of a backup", async () => {
    const data = await temporaryFolder();
    await serve(data);
    const parent = await temporaryFolder();
    const closed = join(parent, "closed");
    await mkdir(closed, { mode: 0o700 });
    const { dev, ino } = await stat(closed, { bigint: true });
    const request = { directory: closed, device: String(dev), inode: String(ino) };
    const lines = [
      `{"protocol":1,"secret":"${await loadSecret(data)}"}\n`,
      `${JSON.stringify({ id: 1, do: "backup", with: request })}\n`,
    ];
    const own = [data, ...(await readdir(data, { recursive: true })).map((name) => join(data, name))];
    for (const path of own) await chown(path, 65534, 65534);
    process.seteuid?.(65534);
    const answers = await say(data, lines, 2).finally(() => process.seteuid?.(0));
    const message = `The service writes the copy, as account 65534, and has no permission to write to \`${closed}\`. Run this as that account, with a target in a folder that it may write to.`;
    expect(answers.at(-1)).toMatchObject({ id: 1, error: { name: "BAD_REQUEST", message } });
  });

  test("learns of a defect only that there was one; the service's log says which", async () => {
    const data = await temporaryFolder();
    const broken = new TypeError("something private");
    const { errors } = await serve(data, (store) => ({ ...store, getMany: () => Promise.reject(broken) }));
    const store = await ask(data);
    await expect(store.get(["k"])).rejects.toMatchObject({
      name: "INTERNAL_ERROR",
      message: "Something failed inside the process that has the data folder; its log says what.",
    });
    expect(errors).toEqual([broken]);
  });

  test("hears of the end of the holder, and of nothing that it has not done", async () => {
    const data = await temporaryFolder();
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow = (store: Store): Store => ({
      ...store,
      async commit(commit) {
        begun.resolve();
        await goOn.promise;
        return store.commit(commit);
      },
    });
    const { stop } = await serve(data, slow);
    const store = await ask(data);
    const underWay = store.commit({ set: [{ key: ["k"], value: 1 }] });
    await begun.promise;
    const stopped = stop();
    goOn.resolve();
    expect(await underWay).toMatchObject({ ok: true });
    await stopped;
    await expect
      .poll(() => store.get(["k"]).catch((reason: Error) => reason.message))
      .toContain("ended before it answered");
  });
});
