import { randomBytes } from "node:crypto";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  checkCredentials,
  loadAllSecrets,
  SECRET_VARIABLES,
  findUnusableSecrets,
} from "../../../../server/operations/doctor/check-credentials.ts";
import { CONFIG_VARIABLES, readConfig } from "../../../../server/config/config.ts";
import { openServiceSigner } from "../../../../server/kernel/audit/service-key.ts";
import { loadSigner } from "../../../../server/kernel/audit/signing-key.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

test("every variable whose documentation takes `env:NAME` is checked", () => {
  const documented = Object.entries(CONFIG_VARIABLES).filter(([, text]) => text.includes("`env:NAME`"));
  expect([...SECRET_VARIABLES].toSorted()).toEqual(documented.map(([name]) => name).toSorted());
});

test("files that are missing, empty, open to others or no key are found, and no secret is in a finding", async () => {
  const folder = await temporaryFolder();
  const write = async (name: string, text: string, mode: number) => {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), mode);
    return `file:${join(folder, name)}`;
  };
  const environment = {
    CAIRN_GITHUB_TOKEN: `file:${join(folder, "missing")}`,
    CAIRN_GITHUB_APP_KEY: await write("pem", "no key of any form", 0o600),
    CAIRN_GITHUB_WEBHOOK_SECRET: await write("hook", "hook-secret", 0o644),
    CAIRN_OAUTH_CLIENT_SECRET: await write("empty", "\n", 0o600),
    CAIRN_MODEL_KEY: "plain-model-key",
  };
  const found = await checkCredentials(environment, undefined);
  expect(found.map(({ status }) => status)).toEqual(["fail", "fail", "warn", "fail", "warn"]);
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The file that CAIRN_GITHUB_TOKEN names cannot be read \(ENOENT/),
    `CAIRN_GITHUB_APP_KEY names the file \`${folder}/pem\`, which has no private key (PEM).`,
    `CAIRN_GITHUB_WEBHOOK_SECRET names the file \`${folder}/hook\`, which every account of this machine may use.`,
    "The file that CAIRN_OAUTH_CLIENT_SECRET names is empty.",
    "CAIRN_MODEL_KEY has the secret itself, where it is easily shown or logged.",
  ]);
  const secrets = await loadAllSecrets(environment);
  expect(secrets).toEqual(["no key of any form", "hook-secret", "plain-model-key"]);
  expect(secrets.filter((secret) => JSON.stringify(found).includes(secret))).toEqual([]);
});

test("a password in the address of the repository is found, and not repeated", async () => {
  const found = await checkCredentials({ CAIRN_REPO: "https://ada:pass-word@git.example.com/a.git" }, undefined);
  expect(found).toMatchObject([
    { check: "keys.secrets", status: "warn", message: "CAIRN_REPO has a password in its address." },
  ]);
  expect(JSON.stringify(found)).not.toContain("pass-word");
  expect(await checkCredentials({ CAIRN_REPO: "https://git.example.com/a.git" }, undefined)).toEqual([]);
});

test("a secret in a variable that takes references only is masked, and left to the configuration", async () => {
  const environment = { CAIRN_GITHUB_TOKEN: "pasted-token" };
  expect(await checkCredentials(environment, undefined)).toEqual([]);
  expect(await loadAllSecrets(environment)).toEqual(["pasted-token"]);
});

test("a missing or foreign audit key is a failure, and is made where nothing names one and no service has started", async () => {
  const data = await temporaryFolder();
  const look = async (environment: Record<string, string>) => {
    const read = readConfig({ CAIRN_DATA: data, ...environment });
    return checkCredentials({}, read.ok ? read.config : undefined);
  };
  expect(await look({})).toEqual([
    { check: "keys.files", status: "ok", message: "The audit's signing key is made at the first start." },
  ]);
  const named = await look({
    CAIRN_AUDIT_KEY: join(data, "elsewhere"),
    CAIRN_REQUIRE_SIGNED_TAGS: join(data, "signers"),
  });
  expect(named).toMatchObject([
    { status: "fail", message: expect.stringContaining(`cannot be read at \`${data}/elsewhere\` (ENOENT`) },
    { status: "fail", message: expect.stringContaining("cannot be read: ENOENT") },
  ]);
  const { key } = await openServiceSigner({ data }, await openTestStore(), randomBytes);
  expect(await look({})).toMatchObject([{ status: "ok", message: "The audit's signing key can be read." }]);
  await chmod(join(data, "audit.key"), 0o644);
  expect(await look({ CAIRN_AUDIT_KEY: join(data, "audit.key") })).toMatchObject([
    { status: "warn", message: expect.stringContaining("every account"), advice: expect.stringContaining("chmod") },
  ]);
  await rm(join(data, "audit.key"));
  expect(await look({})).toMatchObject([{ status: "fail", message: expect.stringContaining(key.name) }]);
  await loadSigner(join(data, "audit.key"), randomBytes);
  expect(await look({})).toMatchObject([{ status: "fail", message: expect.stringContaining(key.name) }]);
});

test("[D12] each place of tools' secrets is checked, and no secret is in a finding", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "key"), "not a key of any form", { mode: 0o600 });
  const environment = {
    CAIRN_SECRETS: `GOOD=env:GOOD,SHORT=env:SHORT,acme/GONE=file:${folder}/gone,folder:${folder}/none,folder:${folder}`,
    GOOD: "good-value",
    SHORT: "short",
    CAIRN_SECRETS_KEY: `file:${folder}/key`,
  };
  const read = readConfig(environment);
  if (!read.ok) throw new Error(read.problems.join());
  const found = (await checkCredentials(environment, read.config)).filter(({ check }) => check === "keys.secrets");
  expect(found.map(({ status, message }) => `${status}: ${message}`)).toEqual([
    "fail: CAIRN_SECRETS_KEY names no key of 32 bytes in base64; make one with `openssl rand -base64 32`.",
    "ok: CAIRN_SECRETS (GOOD) can be read from the environment.",
    "fail: CAIRN_SECRETS (SHORT) must be 8 to 4096 printable ASCII characters, without space at the ends and without repetitions.",
    expect.stringMatching(/^fail: The file that CAIRN_SECRETS \(acme\/GONE\) names cannot be read \(ENOENT/),
    expect.stringMatching(/^fail: CAIRN_SECRETS: ENOENT/),
    `ok: The folder \`${folder}\` of CAIRN_SECRETS can be read.`,
  ]);
  expect(JSON.stringify(found)).not.toMatch(/good-value|"short"|not a key of/);
  const unusable = await findUnusableSecrets(read.config);
  expect(unusable.map(({ message }) => message).toSorted()).toEqual(
    found.flatMap(({ status, message }) => (status === "fail" ? [message] : [])).toSorted(),
  );
});
