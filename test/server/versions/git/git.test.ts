import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadGit, redact } from "../../../../server/versions/git/git.ts";
import { readUpstream } from "../../../../server/versions/git/upstream.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

/** A program that stands in for git. */
async function writeProgram(script: string): Promise<string> {
  const path = join(await temporaryFolder(), "program");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe("running git", () => {
  test("needs git 2.36", async () => {
    const environment = { PATH: process.env["PATH"] };
    for (const [says, works] of [
      ["git version 2.35.9", false],
      ["git version 2.36.0", true],
      ["git version 3.0.1 (Apple Git-1)", true],
      ["nonsense", false],
    ] as const) {
      const loading = loadGit({ environment, command: await writeProgram(`echo "${says}"`) });
      if (works) expect((await loading).run).toBeTypeOf("function");
      else await expect(loading).rejects.toThrow(/needs git 2\.36 or newer/);
    }
    await expect(loadGit({ environment, command: "/no/such/git" })).rejects.toThrow(
      "`/no/such/git` cannot be run; Cairn needs git 2.36 or newer.",
    );
  });

  test("takes an exit status for an answer only where it is said to be one", async () => {
    const script = 'case "$*" in *--version*) echo "git version 2.40";; *) echo said; exit 1;; esac';
    const git = await loadGit({ environment: {}, command: await writeProgram(script) });
    await expect(git.run(["ask"])).rejects.toThrow("`git ask` failed: exit status 1");
    await expect(git.run(["ask"], { statuses: [0, 2] })).rejects.toThrow("`git ask` failed: exit status 1");
    expect(await git.run(["ask"], { statuses: [0, 1] })).toBe("said\n");
  });

  test("does not hear variables that would point it elsewhere or make it run programs", async () => {
    const command = await writeProgram('case "$*" in *--version*) echo "git version 2.40";; *) env;; esac');
    const secret = {
      GIT_DIR: "/elsewhere",
      GIT_EXTERNAL_DIFF: "evil",
      GIT_CONFIG_COUNT: "1",
      GIT_ALLOW_PROTOCOL: "ext",
    };
    const kept = {
      PATH: process.env["PATH"],
      HOME: "/home/ada",
      GIT_SSH_COMMAND: "ssh -i key",
      GIT_CONFIG_GLOBAL: "/dev/null",
    };
    const git = await loadGit({ environment: { ...kept, ...secret }, command });
    const lines = (await git.run(["env"])).split("\n");
    expect(lines).toEqual(expect.arrayContaining(["HOME=/home/ada", "GIT_SSH_COMMAND=ssh -i key"]));
    expect(lines).toEqual(
      expect.arrayContaining(["GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=file:https:ssh:http:git"]),
    );
    expect(lines.filter((line) => /GIT_DIR|GIT_EXTERNAL_DIFF|GIT_CONFIG_COUNT/.test(line))).toEqual([]);
  });

  test("ends a command that takes too long, with everything it started", async () => {
    // The child holds the output open, so that waiting for its end would outlast the test.
    const command = await writeProgram(
      'case "$*" in *--version*) echo "git version 2.40";; *) sleep 600 & wait;; esac',
    );
    const git = await loadGit({ environment: { PATH: process.env["PATH"] }, command });
    await expect(git.run(["slow"], { timeoutMs: 200 })).rejects.toMatchObject({
      name: "UPSTREAM_TIMEOUT",
      message: "`git slow` took longer than 200 ms.",
    });
  });

  test("ends a command that prints too much, and one whose caller goes away", async () => {
    const command = await writeProgram('case "$*" in *--version*) echo "git version 2.40";; *) yes;; esac');
    const git = await loadGit({ environment: { PATH: process.env["PATH"] }, command });
    await expect(git.run(["show"], { maxBytes: 1_000 })).rejects.toThrow("`git show` printed more than 1000 bytes.");
    const stop = new AbortController();
    const running = git.run(["show"], { signal: stop.signal, maxBytes: Infinity });
    stop.abort();
    await expect(running).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await expect(git.run(["show"], { signal: stop.signal })).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });

  test("tells why a command failed, without passwords", async () => {
    const command = await writeProgram(
      'case "$*" in *--version*) echo "git version 2.40";; *) echo "fatal: unable to access \'https://ada:pa@ss@host/x/\': no" >&2; exit 128;; esac',
    );
    const git = await loadGit({ environment: { PATH: process.env["PATH"] }, command });
    await expect(git.run(["--git-dir=/x", "fetch"])).rejects.toMatchObject({
      name: "INTERNAL_ERROR",
      message: "`git fetch` failed: fatal: unable to access 'https://***@host/x/': no",
    });
    expect(redact("clone https://token@a.example/x and ssh://git:pw@b/y")).toBe(
      "clone https://***@a.example/x and ssh://***@b/y",
    );
  });

  test("runs no hook that a repository brings", async () => {
    const repository = await createRepository();
    await repository.commit({ a: "1" });
    await mkdir(join(repository.path, ".git/hooks"), { recursive: true });
    const hook = join(repository.path, ".git/hooks/reference-transaction");
    await writeFile(hook, `#!/bin/sh\ntouch ${repository.path}/ran\n`);
    await chmod(hook, 0o755);
    const git = await loadGit({ environment: { PATH: process.env["PATH"] } });
    await git.run([`--git-dir=${repository.path}/.git`, "update-ref", "refs/heads/other", "HEAD"]);
    await expect(repository.git("ls-files", "--others")).resolves.toBe("");
  });
});

describe("the address of a repository", () => {
  test("is a path, a URL or ssh's short form", () => {
    expect(readUpstream("../agents", "/srv/cairn")).toEqual({
      address: "/srv/agents",
      path: "/srv/agents",
      shown: "/srv/agents",
    });
    expect(readUpstream("file:///srv/a%20b", "/")).toMatchObject({ path: "/srv/a b", address: "/srv/a b" });
    expect(readUpstream("https://ada:secret@example.com/a.git", "/")).toEqual({
      address: "https://ada:secret@example.com/a.git",
      shown: "https://***@example.com/a.git",
    });
    expect(readUpstream("git@example.com:org/a.git", "/")).toEqual({
      address: "git@example.com:org/a.git",
      shown: "git@example.com:org/a.git",
    });
    expect(readUpstream("/srv/odd:name", "/").path).toBe("/srv/odd:name");
    expect(readUpstream("./odd:name", "/srv").path).toBe("/srv/odd:name");
  });

  test.each([
    ["--upload-pack=touch /tmp/x", "begins with `-`"],
    ["-oProxyCommand=x:y", "begins with `-`"],
    ["git@-oProxyCommand=x:y", "host that begins with `-`"],
    ["ssh://-oProxyCommand=x/y", "host that begins with `-`"],
    ["ext::sh -c id", "transport helper"],
    ["ftp://example.com/a", "is not one of https, ssh, http, git, file"],
    ["", "is not an address"],
    ["/srv/a\nb", "is not an address"],
    ["https://", "is not a URL"],
  ])("refuses %j", (text, why) => {
    expect(() => readUpstream(text, "/")).toThrow(why);
  });
});
