import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Git, RunOptions } from "../../../../server/versions/git/git.ts";
import { loadGit } from "../../../../server/versions/git/git.ts";
import { runRemote } from "../../../../server/versions/git/run-remote.ts";
import { startGitServer } from "../../../helpers/git-server.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

/** A host that wants a password, and git, whose calls are looked at. */
async function start(password: string) {
  const repository = await createRepository();
  const commit = await repository.commit({ "a.txt": "a" });
  const server = await startGitServer(repository.path);
  server.password = password;
  const real = await loadGit({ environment: { PATH: process.env["PATH"], GIT_ASKPASS: "/bin/false" } });
  const calls: { readonly args: readonly string[]; readonly options: RunOptions }[] = [];
  const git: Git = {
    ...real,
    run: (args, options = {}) => {
      calls.push({ args, options });
      return real.run(args, options);
    },
  };
  const list = (loadToken?: (refused?: string) => Promise<string>, signal?: AbortSignal) => {
    const upstream = { address: server.url, shown: server.url, ...(loadToken && { loadToken }) };
    return runRemote(git, upstream, ["ls-remote", "--", server.url, "HEAD"], { signal });
  };
  return { server, git, calls, list, listing: `${commit}\tHEAD\n` };
}

describe("git at a host that wants a token", () => {
  test("is let in with it, and has it nowhere but in its environment", async () => {
    const { calls, list, listing } = await start("t0ken");
    expect(await list(async () => "t0ken")).toBe(listing);
    const [call] = calls;
    expect(call?.args.join(" ")).not.toMatch(/t0ken|Authorization/);
    const encoded = Buffer.from("x-access-token:t0ken").toString("base64");
    expect(Object.values(call?.options.environment ?? {})).toContain(`Authorization: Basic ${encoded}`);
    expect(call?.options.input).toBeUndefined();
  });

  test("asks once for another when one is refused", async () => {
    const { calls, list, listing } = await start("new");
    const loadToken = vi.fn(async (refused?: string) => (refused === "old" ? "new" : "old"));
    expect(await list(loadToken)).toBe(listing);
    expect(loadToken.mock.calls).toEqual([[undefined], ["old"]]);
    expect(calls).toHaveLength(2);
  });

  test("does not try twice what it was given twice, and never says it", async () => {
    const { calls, list } = await start("right");
    const error = await list(async () => "wr0ng").catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/could not read Username/);
    expect(String(error)).not.toContain("wr0ng");
    expect(calls).toHaveLength(1);
  });

  test("asks for no other when something else fails", async () => {
    const { server, list } = await start("t0ken");
    server.fail = { kind: "down" };
    const loadToken = vi.fn(async () => "t0ken");
    await expect(list(loadToken)).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
    expect(loadToken).toHaveBeenCalledTimes(1);
  });

  test("is not begun when there is no token, or nobody wants it any more", async () => {
    const { calls, list } = await start("t0ken");
    await expect(list(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
    const stop = new AbortController();
    const waiting = list(() => new Promise(() => undefined), stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: "UNAVAILABLE" });
    expect(calls).toEqual([]);
  });

  test("follows no redirect, which would take the token along", async () => {
    const elsewhere = await start("t0ken");
    const server = createServer((request, response) => {
      response.writeHead(302, { location: `${elsewhere.server.url}${request.url?.slice("/a.git".length)}` }).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.git`;
    const list = (loadToken?: () => Promise<string>) =>
      runRemote(
        elsewhere.git,
        { address, shown: address, ...(loadToken && { loadToken }) },
        ["ls-remote", address],
        {},
      );
    await expect(list(async () => "t0ken")).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
    expect(elsewhere.server.requests).toEqual([]);
    // It is the redirect that would lead there.
    elsewhere.server.password = undefined;
    expect(await list()).toContain(elsewhere.listing);
  });

  test("takes neither headers nor passwords of the machine's user along", async () => {
    const { server, listing } = await start("right");
    const settings = join(await temporaryFolder(), "gitconfig");
    const basic = Buffer.from("ada:wrong").toString("base64");
    const helper = "!f() { echo username=ada; echo password=right; }; f";
    const lines = [
      `[http "${new URL(server.url).origin}/"]`,
      `  extraHeader = Authorization: Basic ${basic}`,
      "[credential]",
      `  helper = "${helper}"`,
    ];
    await writeFile(settings, `${lines.join("\n")}\n`);
    const own = await loadGit({ environment: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: settings } });
    const upstream = (token: string) => ({ address: server.url, shown: server.url, loadToken: async () => token });
    const list = (token: string) => runRemote(own, upstream(token), ["ls-remote", "--", server.url, "HEAD"], {});
    expect(await list("right")).toBe(listing);
    await expect(list("wrong")).rejects.toThrow(/could not read Username/);
  });
});
