import { describe, expect, test, vi } from "vitest";
import type { Git, RunOptions } from "../../../../server/versions/git/git.ts";
import { loadGit } from "../../../../server/versions/git/git.ts";
import { runRemote } from "../../../../server/versions/git/run-remote.ts";
import { startGitServer } from "../../../helpers/git-server.ts";
import { createRepository } from "../../../helpers/repository.ts";

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
  return { server, calls, list, listing: `${commit}\tHEAD\n` };
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

  test("follows no redirect, which could lead the token elsewhere", async () => {
    const { calls, list } = await start("t0ken");
    await list(async () => "t0ken");
    const environment = calls[0]?.options.environment ?? {};
    const at = Object.entries(environment).find(([, value]) => value === "http.followRedirects")?.[0] ?? "";
    expect(environment[at.replace("KEY", "VALUE")]).toBe("false");
  });
});
