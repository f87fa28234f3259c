import { randomUUID } from "node:crypto";
import { chmod, lstat, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandPolicy } from "../../../../../server/capabilities/workspace/sandbox/command-policy.ts";
import type { CommandResult } from "../../../../../server/capabilities/workspace/sandbox/run-command.ts";
import { findSandbox } from "../../../../helpers/sandbox.ts";
import { eventually } from "../../../../helpers/eventually.ts";
import { NO_SANDBOX, type TestWorkspace, openTestWorkspace } from "../../../../helpers/workspace.ts";

const sandbox = await findSandbox();
const MB = 1024 * 1024;
const POLICY: CommandPolicy = {
  allow: [
    { program: "sh", arguments: ["-c"], hosts: [] },
    { program: "node", arguments: [], hosts: [] },
    { program: "pwd", arguments: [], hosts: [] },
    { program: "no-such-program", arguments: [], hosts: [] },
  ],
  env: ["SHOWN"],
  write: true,
};

const open = (files?: Readonly<Record<string, string>>) => openTestWorkspace(files, { sandbox });

function shell(
  opened: TestWorkspace,
  script: string,
  change: Partial<CommandPolicy> = {},
  timeoutMs = 20_000,
): Promise<CommandResult> {
  return opened.workspace.exec.run({ command: ["sh", "-c", script], timeoutMs }, { ...POLICY, ...change });
}

function node(opened: TestWorkspace, script: string, change: Partial<CommandPolicy> = {}): Promise<CommandResult> {
  return opened.workspace.exec.run({ command: ["node", "-e", script], timeoutMs: 20_000 }, { ...POLICY, ...change });
}

/** Processes of this machine that have a text in their command line. */
async function findProcesses(text: string): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));
  return lines.filter((line) => line.includes(text));
}

describe("without a sandbox", () => {
  test("no command is run, and the reason is told", async () => {
    const { workspace } = await openTestWorkspace(undefined, { sandbox: NO_SANDBOX });
    await expect(workspace.exec.run({ command: ["pwd"] }, POLICY)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: expect.stringContaining("none in this test"),
    });
  });
});

describe.skipIf(!sandbox.available)("a command", () => {
  test("answers with what it wrote and how it ended", async () => {
    const opened = await open();
    expect(await shell(opened, "cat a.txt; echo wrong >&2; exit 7")).toEqual({
      exit_code: 7,
      signal: null,
      timed_out: false,
      stdout: "one\n",
      stderr: "wrong\n",
      stdout_truncated: false,
      stderr_truncated: false,
      duration_ms: expect.any(Number),
      limits_hit: [],
      connections: [],
    });
    expect(await shell(opened, "kill -TERM $$")).toMatchObject({ exit_code: 143, signal: "SIGTERM" });
    expect(await opened.workspace.exec.run({ command: ["no-such-program"] }, POLICY)).toMatchObject({ exit_code: 127 });
  });

  test("gets its input, its folder and its variables, and nothing of the service's environment", async () => {
    const { workspace } = await open({ "d/x": "x" });
    const cat = await workspace.exec.run(
      { command: ["sh", "-c", "cat; pwd; env"], stdin: "given\n", cwd: "d", env: { SHOWN: "yes" } },
      POLICY,
    );
    const [given, cwd, ...variables] = cat.stdout.trim().split("\n");
    expect([given, cwd]).toEqual(["given", "/work/d"]);
    expect(variables.map((line) => line.split("=")[0]).sort()).toEqual([
      "HOME",
      "LANG",
      "PATH",
      "PWD",
      "SHOWN",
      "TMPDIR",
    ]);
    for (const wrong of ["..", "/etc", "none", "d/x"]) {
      await expect(workspace.exec.run({ command: ["pwd"], cwd: wrong }, POLICY)).rejects.toMatchObject({
        name: wrong === "none" ? "NOT_FOUND" : "BAD_REQUEST",
      });
    }
  });

  test("changes files only where the policy says so", async () => {
    const opened = await open();
    expect((await shell(opened, "echo two > a.txt && mkdir d && echo x > d/x && chmod +x d/x")).exit_code).toBe(0);
    expect(await opened.workspace.fs.read("d/x")).toMatchObject({ content: "x\n", executable: true });
    await opened.workspace.fs.write("d/x", "y\n");
    expect((await shell(opened, "cat d/x && echo z > d/x")).stdout).toBe("y\n");
    const refused = await shell(opened, "echo no > a.txt", { write: false });
    expect(refused.stderr).toMatch(/Read-only/);
    expect((await opened.workspace.fs.read("a.txt")).content).toBe("two\n");
  });

  test("sees the workspace, the system's programs, and nothing else of this machine", async () => {
    const opened = await open();
    const { stdout } = await shell(
      opened,
      "ls -A / /etc /work /tmp /dev/shm; cat /proc/1/environ; ls /proc/1/root; tr '\\0' ' ' < /proc/1/cmdline",
    );
    expect(stdout).not.toContain(opened.folder);
    expect(stdout.split("\n\n").map((part) => part.trim().split("\n"))).toMatchObject([
      ["/:", "bin", "dev", "etc", "lib", "lib64", "opt", "proc", "sbin", "tmp", "usr", "work"],
      ["/dev/shm:"],
      expect.arrayContaining(["/etc:"]),
      ["/tmp:"],
      expect.arrayContaining(["/work:", "a.txt"]),
    ]);
    expect(stdout).not.toMatch(/passwd|shadow/);
    for (const path of [opened.folder, opened.repository.path, "/root", "/home", "/etc/passwd", "/work/../run"]) {
      expect((await shell(opened, `ls -d '${path}'`)).exit_code).not.toBe(0);
    }
    expect((await shell(opened, "ls -A /work/.git ../git")).exit_code).not.toBe(0);
  });

  test("has no rights, no other user, no descriptor but its own three, and cannot make a sandbox of its own", async () => {
    const opened = await open();
    const status = await shell(opened, "id; grep -E '^(Cap|NoNew|Seccomp:)' /proc/self/status");
    expect(status.stdout.replaceAll(/\s+/g, " ")).toBe(
      `uid=65534 gid=65534 groups=65534 ${["Inh", "Prm", "Eff", "Bnd", "Amb"].map((set) => `Cap${set}: 0000000000000000 `).join("")}NoNewPrivs: 1 Seccomp: 2 `.replace(
        "Seccomp: 2 ",
        "Seccomp: 2 ",
      ),
    );
    const sockets = await shell(opened, "ls -l /proc/self/fd | grep -c -E 'socket:|pipe:'");
    expect(sockets.stdout).toBe("3\n");
    expect((await shell(opened, "kill -9 1; echo alive")).stdout).toBe("alive\n");
    for (const script of [
      "unshare -U true",
      "mount -t tmpfs x /tmp",
      "chroot / true",
      "touch /usr/x",
      "touch /x",
      "touch /dev/x",
      "ls /proc/1/root",
      "cat /proc/1/environ",
      "cat /proc/1/mem",
    ]) {
      expect((await shell(opened, script)).exit_code, script).not.toBe(0);
    }
  });

  test("has no network, not even the machine's own", async () => {
    const opened = await open();
    const script = (target: string) =>
      `require('net').connect(${target}).on('error',(e)=>console.log(e.code)).on('connect',()=>console.log('open'))`;
    expect((await node(opened, script("53,'8.8.8.8'"))).stdout).toMatch(/^(ENETUNREACH|EAI_AGAIN)/);
    expect((await node(opened, script(`${(process.pid % 1000) + 1024},'127.0.0.1'`))).stdout).toBe("ECONNREFUSED\n");
  });

  test("can be a program of Node that uses memory, threads and files", async () => {
    const opened = await open();
    const script =
      "const{Worker}=require('worker_threads');const b=Buffer.alloc(200e6,1);new Worker('require(\"fs\").writeFileSync(\"w\",\"w\")',{eval:true}).on('exit',()=>console.log(process.version,b.length,fetch.name))";
    expect(await node(opened, script)).toMatchObject({
      exit_code: 0,
      stdout: `${process.version} 200000000 fetch\n`,
      stderr: "",
    });
  });

  test("that takes too long is ended with all that came of it", async () => {
    const opened = await open();
    const mark = randomUUID();
    const script = `trap '' TERM INT HUP; setsid sh -c 'trap "" TERM; echo started > started; sleep 1000 # ${mark}' >/dev/null 2>&1 </dev/null & (trap '' TERM; sleep 1000 # ${mark}
    ) & while :; do :; done`;
    const result = await shell(opened, script, {}, 1_500);
    expect(result).toMatchObject({ exit_code: null, signal: "SIGKILL", timed_out: true, limits_hit: ["time"] });
    expect(await findProcesses(mark)).toEqual([]);
    expect((await opened.workspace.fs.read("started")).content).toBe("started\n");
  });

  test("leaves no daemon behind when it ends by itself", async () => {
    const opened = await open();
    const mark = randomUUID();
    const result = await shell(
      opened,
      `setsid sh -c 'trap "" TERM; sleep 1000 # ${mark}' >/dev/null 2>&1 </dev/null & echo done`,
    );
    expect(result).toMatchObject({ exit_code: 0, stdout: "done\n" });
    expect(await findProcesses(mark)).toEqual([]);
  });

  test("is ended when its caller gives up, when its workspace goes, and when the service closes", async () => {
    const opened = await open();
    const mark = randomUUID();
    const begin = (name: string, signal?: AbortSignal) =>
      opened.workspace.exec.run({ command: ["sh", "-c", `echo x > ${name}; sleep 1000 # ${mark}`] }, POLICY, signal);
    const begun = (name: string) => eventually(() => lstat(join(opened.tree, name)));
    const caller = new AbortController();
    const first = begin("first", caller.signal);
    const refused = expect(first).rejects.toMatchObject({ name: "CANCELLED" });
    await begun("first");
    caller.abort();
    await refused;
    const second = expect(begin("second")).rejects.toMatchObject({ name: "CANCELLED" });
    await begun("second");
    await opened.workspaces.remove("run");
    await second;
    const other = await opened.workspaces.create("other", opened.commit);
    const third = expect(
      other.exec.run({ command: ["sh", "-c", `echo x > third; sleep 1000 # ${mark}`] }, POLICY),
    ).rejects.toMatchObject({ name: "CANCELLED" });
    await eventually(() => lstat(join(opened.folder, "other", "tree", "third")));
    await opened.workspaces.close();
    await third;
    expect(await findProcesses(mark)).toEqual([]);
  });

  test("that writes more than is kept is cut, and goes on", async () => {
    const opened = await open();
    const result = await shell(opened, "head -c 300000 /dev/zero | tr '\\0' x; echo end >&2", {
      limits: { outputBytes: 1_000 },
    });
    expect(result).toMatchObject({
      exit_code: 0,
      stdout_truncated: true,
      stderr_truncated: false,
      stderr: "end\n",
      limits_hit: ["output"],
    });
    expect(result.stdout).toBe(`${"x".repeat(1_000)}\n[cut: 1000 of 300000 bytes]\n`);
  });

  test("is held to processor time, the size of a file, processes and memory", async () => {
    const opened = await open();
    expect(await shell(opened, "while :; do :; done", { limits: { cpuSeconds: 1 } })).toMatchObject({
      signal: "SIGXCPU",
      limits_hit: ["cpu"],
    });
    const file = await shell(opened, "exec head -c 3000000 /dev/zero > big", { limits: { fileBytes: MB } });
    expect(file).toMatchObject({ signal: "SIGXFSZ", limits_hit: ["file"] });
    expect((await lstat(join(opened.tree, "big"))).size).toBe(MB);
    const fork = await shell(
      opened,
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 5 & done; wait",
      { limits: { processes: 8 } },
      3_000,
    );
    expect(fork.stderr).toMatch(/[Cc]annot fork/);
    const memory = await node(opened, "const a=[];for(;;)a.push(Buffer.alloc(2e7,1))", {
      limits: { processBytes: 900 * MB },
    });
    expect(memory.exit_code).not.toBe(0);
    expect(memory.stderr).toMatch(/memory|allocation|RangeError|ENOMEM/i);
    expect(
      (await shell(opened, "head -c 3000000 /dev/zero > /tmp/x", { limits: { temporaryBytes: MB } })).exit_code,
    ).not.toBe(0);
    expect((await shell(opened, "head -c 30000000 /dev/zero > /dev/shm/x")).exit_code).not.toBe(0);
  });

  test("is ended when all of its processes hold too much memory, or the workspace is overfull", async () => {
    const opened = await open();
    const hog = "const b=Buffer.alloc(6e7,1);setTimeout(()=>b.length,2e4)";
    const memory = await shell(opened, `for i in 1 2 3; do node -e '${hog}' & done; wait`, {
      limits: { memoryBytes: 150 * MB },
    });
    expect(memory).toMatchObject({ signal: "SIGKILL", timed_out: false, limits_hit: ["memory"] });
    const limits = { workspaceFiles: 50 };
    const files = await shell(opened, "i=0; while [ $i -lt 200 ]; do i=$((i+1)); : > f$i; done; sleep 20", { limits });
    expect(files).toMatchObject({ signal: "SIGKILL", limits_hit: ["workspace"] });
    await expect(shell(opened, "true", { limits })).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("can take away every right to its files: they are refused, and the workspace still goes", async () => {
    const opened = await open({ "d/x": "x\n" });
    await shell(opened, "mkdir -p e/f && echo y > e/f/y && chmod 000 d/x e/f e . && ln -s /etc/passwd . 2>/dev/null");
    await opened.workspace.fs
      .read("d/x")
      .catch((error: unknown) => expect(error).toMatchObject({ name: "BAD_REQUEST" }));
    await opened.workspaces.remove("run");
    expect(await readdir(opened.folder)).toEqual([]);
  });

  test("can make folders deeper than any path: the workspace still goes", async () => {
    const opened = await open();
    await node(opened, "for(let i=0;i<600;i++){require('fs').mkdirSync('0123456789');process.chdir('0123456789')}");
    await opened.workspace.git.status().catch((error: unknown) => expect(error).toHaveProperty("name"));
    await opened.workspaces.remove("run");
    expect(await readdir(opened.folder)).toEqual([]);
  });

  test("that leaves symlinks behind leads nobody out", async () => {
    const opened = await open();
    const outside = join(opened.folder, "..", "outside");
    await writeFile(outside, "secret");
    await chmod(outside, 0o600);
    await shell(opened, `ln -s ${outside} link; ln -s ${opened.folder} up; rm a.txt; ln -s ${outside} a.txt`);
    for (const path of ["link", "up/run/workspace.json", "a.txt"]) {
      await expect(opened.workspace.fs.read(path)).rejects.toMatchObject({ name: "BAD_REQUEST" });
      await expect(opened.workspace.fs.write(path, "x")).rejects.toMatchObject({ name: "BAD_REQUEST" });
    }
    await shell(opened, "true");
    // Handing the files over to the command's user follows no symlink either.
    expect((await lstat(outside)).uid).toBe(process.getuid?.());
    expect((await opened.workspace.git.diff()).diff).not.toContain("secret\n");
  });

  test("cannot reach the machine through kinds of sockets that no network keeps apart", async () => {
    const opened = await open();
    const perl = await shell(
      opened,
      'perl -e \'for (1,2,10,16,40,38,17) { print socket(my $s, $_, 1 + ($_ == 16 || $_ == 17 || $_ == 38 ? 2 + 2*($_==38) : 0), 0) ? "$_ " : "" }\'',
    );
    expect(perl.stdout).toBe("1 2 10 16 ");
  });
});
