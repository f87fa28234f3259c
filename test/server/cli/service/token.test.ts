import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCairn, runInProcess } from "../../../helpers/cairn.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const GRANT = ["--tenant", "acme", "--actor", "ci", "--scopes", "runner,versions:read"];

describe("cairn token", () => {
  test("makes, lists and revokes a token, and shows its secret once", async () => {
    const data = ["--data", await temporaryFolder()];
    const made = await runCairn(["token", "create", ...GRANT, "--roles", "deployer", "--name", "CI", ...data]);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cairn_[0-9a-f]{16}_[\w-]{43}\n$/) });
    const id = made.stdout.slice(6, 22);
    const list = async () => {
      const { stdout } = await runInProcess(["token", "list", "--json", ...data]);
      expect(stdout).not.toContain(made.stdout.trim().slice(23));
      return JSON.parse(stdout) as Record<string, unknown>[];
    };
    const [listed = {}, ...others] = await list();
    expect(others).toEqual([]);
    expect(listed).toEqual({
      id,
      name: "CI",
      tenant: "acme",
      actor: "ci",
      roles: ["deployer"],
      scopes: ["runner", "versions:read"],
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const lifetime = Date.parse(String(listed["expiresAt"])) - Date.parse(String(listed["createdAt"]));
    expect(lifetime / 86_400_000).toBe(90);
    expect(await runCairn(["token", "revoke", id, ...data])).toMatchObject({ code: 0 });
    expect(await list()).toMatchObject([{ id, revokedAt: expect.any(String) }]);
    expect((await runInProcess(["token", "list", ...data])).stdout).toContain(`${id}  revoked`);
  });

  test.each([
    ["no tenant", ["create", "--actor", "ci", "--scopes", "*"], "`--tenant`"],
    ["no actor", ["create", "--tenant", "acme", "--scopes", "*"], "`--actor`"],
    ["no scopes", ["create", "--tenant", "acme", "--actor", "ci"], "`--scopes`"],
    ["a time that is over", ["create", ...GRANT, "--expires", "2020-01-01"], "`--expires`"],
    ["no time at all", ["create", ...GRANT, "--expires", "soon"], "`--expires`"],
    ["nothing to revoke", ["revoke"], "needs the id"],
    ["something else to do", ["frob"], "`create`, `list` and `revoke`"],
  ])("refuses %s", async (_, args, message) => {
    const { code, stdout, stderr } = await runInProcess(["token", ...args, "--data", await temporaryFolder()]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

describe("commands that ask a service", () => {
  test.each(["versions", "call", "connect", "stdio"])(
    "`cairn %s` takes no file that holds no token",
    async (command) => {
      const file = join(await temporaryFolder(), "token");
      await writeFile(file, "two words\n");
      const args = command === "versions" ? [] : ["latest", "runner"];
      const { code, stderr } = await runInProcess([
        command,
        ...args,
        "--token-file",
        file,
        "--url",
        "http://127.0.0.1:1",
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain("does not hold a token");
      expect(stderr).not.toContain("two words");
      const missing = await runInProcess([command, ...args, "--token-file", `${file}s`, "--url", "http://127.0.0.1:1"]);
      expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("cannot be read")]);
    },
  );
});
