import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  assertSecrets,
  createSecrets,
  isSecretValue,
  refuseRevoked,
} from "../../../../server/capabilities/secrets/secrets.ts";
import type { SecretReference } from "../../../../server/config/secret-reference.ts";
import { NOTHING_REVOKED } from "../../../../server/versions/revoked.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { createTestTool, createTestVersion } from "../../../helpers/test-version.ts";
import { createUpstream } from "../mcp/stand-in.ts";

const CALLER = { tenant: "acme", actor: "ada" };
const NO_CALLERS = { find: async () => undefined };
const OF_SERVICE = { name: "GITHUB", of: "service" } as const;
const OF_TENANT = { name: "GITHUB", of: "tenant" } as const;

const open = (
  references: Readonly<Record<string, SecretReference>>,
  folders: readonly string[] = [],
  ofCallers: Parameters<typeof createSecrets>[0]["ofCallers"] = NO_CALLERS,
) => createSecrets({ config: { references: new Map(Object.entries(references)), folders }, ofCallers });

describe("[D12] secrets of tools", () => {
  test("come from the environment, a file, or a folder, each for its owner", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "value-of-file\n");
    await mkdir(join(folder, "all", "acme"), { recursive: true });
    await writeFile(join(folder, "all", "STRIPE"), "value-of-stripe\n");
    await writeFile(join(folder, "all", "acme", "STRIPE"), "value-of-acme's-stripe");
    const file = { file: join(folder, "file") };
    const secrets = open({ GITHUB: { value: "value-of-env" }, "acme/GITHUB": file }, [join(folder, "all")]);
    expect(await secrets.find(OF_SERVICE, CALLER)).toBe("value-of-env");
    expect(await secrets.find(OF_TENANT, CALLER)).toBe("value-of-file");
    expect(await secrets.find({ name: "STRIPE", of: "service" }, CALLER)).toBe("value-of-stripe");
    expect(await secrets.find({ name: "STRIPE", of: "tenant" }, CALLER)).toBe("value-of-acme's-stripe");
    expect(await secrets.find({ name: "OTHER", of: "service" }, CALLER)).toBeUndefined();
  });

  test("of one owner never stand in for those of another, which are missing", async () => {
    const asked: unknown[] = [];
    const ofCallers = { find: async (...about: unknown[]) => void asked.push(about) };
    const secrets = open(
      { GITHUB: { value: "value-of-service" }, "other/GITHUB": { value: "value-of-other" } },
      [],
      ofCallers as typeof NO_CALLERS,
    );
    expect(await secrets.find({ name: "GITHUB", of: "caller" }, CALLER)).toBeUndefined();
    expect(asked).toEqual([[CALLER, "GITHUB"]]);
    expect(await secrets.find(OF_TENANT, CALLER)).toBeUndefined();
    expect(await open({ "acme/GITHUB": { value: "value-of-acme" } }).find(OF_SERVICE, CALLER)).toBeUndefined();
  });

  test("change while the service runs, as Kubernetes changes a folder that it mounts", async () => {
    const folder = await temporaryFolder();
    for (const version of ["one", "two"]) {
      await mkdir(join(folder, `..${version}`));
      await writeFile(join(folder, `..${version}`, "GITHUB"), `value-of-${version}`);
    }
    await symlink("..one", join(folder, "..data"));
    await symlink(join("..data", "GITHUB"), join(folder, "GITHUB"));
    const secrets = open({}, [folder]);
    expect(await secrets.find(OF_SERVICE, CALLER)).toBe("value-of-one");
    await symlink("..two", join(folder, "..next"));
    await rename(join(folder, "..next"), join(folder, "..data"));
    expect(await secrets.find(OF_SERVICE, CALLER)).toBe("value-of-two");
    await rm(join(folder, "..data"));
    expect(await secrets.find(OF_SERVICE, CALLER)).toBeUndefined();
  });

  test.each([
    ["too short to be found in answers", "1234567"],
    ["of two lines", "12345678\n12345678"],
    ["of characters that headers do not have", "pässwörter"],
    ["without end of repetitions, which searches would take minutes for", "a".repeat(40)],
  ])("are refused, and not shown, when they are %s", async (_, value) => {
    expect(isSecretValue(value)).toBe(false);
    const found = open({ GITHUB: { value } }).find(OF_SERVICE, CALLER);
    await expect(found).rejects.toMatchObject({ name: "UNAVAILABLE", message: expect.not.stringContaining(value) });
  });

  test("are refused where they cannot be read", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "GITHUB"));
    await expect(open({}, [folder]).find(OF_SERVICE, CALLER)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "The file of the secret `GITHUB` cannot be read.",
    });
  });

  test.each([
    [
      "service",
      "`runner.issues` needs the secret `GITHUB` of the service, which is not set. The operator of the service sets it with CAIRN_SECRETS.",
    ],
    [
      "tenant",
      "`runner.issues` needs the secret `GITHUB` of the tenant `acme`, which is not set. The operator of the service sets `acme/GITHUB` with CAIRN_SECRETS.",
    ],
    [
      "caller",
      "`runner.issues` acts with its caller's own secret `GITHUB`, and `ada` has set none. Set it with `cairn secret set GITHUB`, or PUT /secrets/GITHUB.",
    ],
  ] as const)("that are missing are named, with who sets them: %s", async (of, message) => {
    const secret = { name: "GITHUB", of, hosts: ["api.github.com"], header: "Authorization", format: "{}" };
    const { name, header, format } = secret;
    const upstream = createUpstream({}, { secrets: [{ name, of, header, format }] });
    for (const own of [{ secrets: [secret] }, { upstreams: ["files"] }]) {
      const tool = createTestTool({ name: "runner.issues", server: "runner", ...own });
      const version = createTestVersion({ upstreams: [upstream] });
      await expect(assertSecrets(open({}), version, tool, CALLER)).rejects.toMatchObject({
        name: "SECRET_MISSING",
        message,
        details: { missing: "GITHUB", of },
      });
    }
  });
});

test("a secret is refused for as long as it is revoked, of every owner, and others are not", async () => {
  let revoked = NOTHING_REVOKED;
  const asked: string[] = [];
  const find = async ({ name }: { readonly name: string }) => {
    asked.push(name);
    return "value-0123";
  };
  const secrets = refuseRevoked({ find }, () => revoked);
  expect(await secrets.find({ name: "KEY", of: "service" }, CALLER)).toBe("value-0123");
  revoked = { ...NOTHING_REVOKED, secrets: ["KEY"] };
  for (const of of ["service", "tenant", "caller"] as const) {
    await expect(secrets.find({ name: "KEY", of }, CALLER)).rejects.toMatchObject({
      name: "FORBIDDEN",
      message: "The secret `KEY` is revoked by the policies of the default branch, so no request carries it.",
      details: { revoked: "KEY" },
    });
  }
  expect(await secrets.find({ name: "KEY_2", of: "service" }, CALLER)).toBe("value-0123");
  revoked = NOTHING_REVOKED;
  expect(await secrets.find({ name: "KEY", of: "caller" }, CALLER)).toBe("value-0123");
  expect(asked).toEqual(["KEY", "KEY_2", "KEY"]);
});
