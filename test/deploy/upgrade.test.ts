import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { runCairn, startCairn } from "../helpers/cairn.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

test("the listing of docs/upgrade.md is alike on a rehearsal's port, and fails without a token", async () => {
  const folder = await temporaryFolder();
  const [, program = ""] = /^```js\n(.*?)^```$/ms.exec(await readFile("docs/upgrade.md", "utf8")) ?? [];
  const script = join(folder, "list-versions.mjs");
  await writeFile(script, program);
  const list = async (url: string, token: Readonly<Record<string, string>>) =>
    (await promisify(execFile)(process.execPath, [script], { env: { CAIRN_URL: url, ...token } })).stdout;

  const repository = await createRepository(await temporaryFolder());
  await repository.release(
    "1.0.0",
    agentFiles({ version: "1.0.0", tools: { echo: { handler: "export default (input) => input;\n" } } }),
  );
  await repository.release("1.1.0-rc.1", { "agent.yaml": "no manifest" });
  const [data, backup, restored] = [join(folder, "data"), join(folder, "backup"), join(folder, "restored")];
  const environment = { CAIRN_AUTH: "tokens" };
  const service = await startCairn(["serve", repository.path, "--data", data], environment);
  const create = ["token", "create", "--tenant", "acme", "--actor", "upgrade", "--scopes", "versions:read"];
  const made = await runCairn([...create, "--roles", "*", "--data", data]);
  const token = { CAIRN_TOKEN: made.stdout.trim() };
  const before = await list(service.url, token);
  expect(before.trim().split("\n")).toEqual([
    expect.stringMatching(/^v1\.0\.0 [0-9a-f]{40} served tests:\w+ \S{20,}$/),
    expect.stringMatching(/^v1\.1\.0-rc\.1 [0-9a-f]{40} quarantined tests:fail -$/),
  ]);
  await expect(list(service.url, {})).rejects.toThrow(/\/versions\?\S+: 401 /);

  expect(await runCairn(["backup", backup, "--data", data])).toMatchObject({ code: 0 });
  expect(await runCairn(["restore", backup, "--data", restored])).toMatchObject({ code: 0 });
  const rehearsal = await startCairn(["serve", repository.path, "--data", restored], environment);
  expect(rehearsal.url).not.toBe(service.url);
  expect(await list(rehearsal.url, token)).toBe(before);
});
