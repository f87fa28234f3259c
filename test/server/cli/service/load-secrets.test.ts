import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSecrets } from "../../../../server/cli/service/load-secrets.ts";
import { readConfig } from "../../../../server/config/config.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

test("all secrets of the configuration are known, wherever they stand, but those that cannot be read", async () => {
  const file = join(await temporaryFolder(), "token");
  await writeFile(file, "the-token\n");
  const read = readConfig({
    CAIRN_REPO: "https://github.com/acme/tools",
    CAIRN_GITHUB_TOKEN: `file:${file}`,
    CAIRN_GITHUB_WEBHOOK_SECRET: "env:HOOK",
    HOOK: "the-hook",
    CAIRN_MODEL_URL: "http://127.0.0.1/v1",
    CAIRN_MODEL_NAME: "small",
    CAIRN_MODEL_KEY: "the-key",
    CAIRN_PUBLIC_URL: "https://cairn.example.com",
    CAIRN_OAUTH_ISSUER: "https://login.example.com",
    CAIRN_OAUTH_INTROSPECTION_URL: "https://login.example.com/introspect",
    CAIRN_OAUTH_CLIENT_ID: "cairn",
    CAIRN_OAUTH_CLIENT_SECRET: "file:/nowhere/at/all",
  });
  if (!read.ok) throw new Error(read.problems.join("\n"));
  expect([...(await loadSecrets(read.config))].sort()).toEqual(["the-hook", "the-key", "the-token"]);
  const other = readConfig({ CAIRN_REPO: "https://ada:the-password@git.example.com/tools" });
  expect(other.ok && (await loadSecrets(other.config))).toEqual(["the-password"]);
});
