import { createPrivateKey } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import type { Config, CONFIG_VARIABLES, Environment } from "../../config/config.ts";
import { loadReferencedSecret, type SecretReference } from "../../config/secret-reference.ts";
import { loadKeys } from "../../capabilities/secrets/caller-secrets.ts";
import { isSecretValue, SECRET_FORM } from "../../capabilities/secrets/secrets.ts";
import { findServiceSigner, toKeyPath } from "../../kernel/audit/service-key.ts";
import { adviseClosing } from "./advice.ts";
import { fail, type Finding, ok, toReason, warn } from "./finding.ts";

/** Variables whose value is a secret, or says where one is. */
export const SECRET_VARIABLES = [
  "CAIRN_GITHUB_TOKEN",
  "CAIRN_GITHUB_APP_KEY",
  "CAIRN_GITHUB_WEBHOOK_SECRET",
  "CAIRN_OAUTH_CLIENT_SECRET",
  "CAIRN_OAUTH_LOGIN_CLIENT_SECRET",
  "CAIRN_MODEL_KEY",
  "CAIRN_SECRETS_KEY",
  "CAIRN_STORE_PASSWORD",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const satisfies readonly (keyof typeof CONFIG_VARIABLES)[];

interface NamedReference {
  /** Of the environment, with the name of one of its entries where it has several. */
  readonly variable: string;
  readonly reference: SecretReference;
  /** True where the variable has the secret itself. */
  readonly isPlain: boolean;
}

/**
 * Loads every secret that the environment has or names, so that findings are masked also where the configuration is wrong. A secret
 * that cannot be read is left out.
 */
export async function loadAllSecrets(environment: Environment): Promise<readonly string[]> {
  const loaded = listReferences(environment).map(({ variable, reference }) =>
    loadReferencedSecret(variable, reference).catch(() => ""),
  );
  return (await Promise.all(loaded)).filter((secret) => secret !== "");
}

/** Checks that every named secret can be read and has its form. `config` is absent where the configuration is wrong. */
export async function checkCredentials(
  environment: Environment,
  config: Config | undefined,
): Promise<readonly Finding[]> {
  // Elsewhere than for the model, a secret in the variable itself is the configuration's problem.
  const named = listReferences(environment)
    .filter(({ variable, isPlain }) => !isPlain || variable === "CAIRN_MODEL_KEY")
    .map(checkSecret);
  const files = config === undefined ? [] : [checkAuditKey(config), checkSigners(config), checkToolSecrets(config)];
  return (await Promise.all([...named, checkAddress(environment), ...files])).flat();
}

/** Checks that the repository's address has no password: it is in every list of variables, and in the configuration of units. */
function checkAddress({ CAIRN_REPO }: Environment): readonly Finding[] {
  if (!URL.parse(CAIRN_REPO?.trim() ?? "")?.password) return [];
  const advice =
    "Leave it out of the address, and give CAIRN_GITHUB_TOKEN, a GitHub App, or a deploy key for ssh, or a credential helper of git.";
  return [warn("keys.secrets", "CAIRN_REPO has a password in its address.", advice)];
}

/** Checks that the secrets of tools and the tokens of imports' sources can be read, and the folders that have some. */
async function checkToolSecrets({ secrets, drift }: Config): Promise<readonly Finding[]> {
  const { references, folders } = secrets;
  const check =
    (variable: string) =>
    ([name, reference]: readonly [string, SecretReference]) =>
      checkSecret({ variable: `${variable} (${name})`, reference, isPlain: false });
  const named = [
    ...[...references].map(check("CAIRN_SECRETS")),
    ...[...(drift?.tokens ?? [])].map(check("CAIRN_DRIFT_TOKENS")),
  ];
  const opened = folders.map((folder) =>
    readdir(folder).then(
      () => ok("keys.secrets", `The folder \`${folder}\` of CAIRN_SECRETS can be read.`),
      (error: unknown) =>
        fail(
          "keys.secrets",
          `CAIRN_SECRETS: ${toReason(error)}.`,
          "Mount the folder, readable for the service's account.",
        ),
    ),
  );
  return Promise.all([...named, ...opened]);
}

/** Checks what tools' requests carry, and the keys of callers' secrets: what a service cannot use of them. */
export async function findUnusableSecrets(config: Config): Promise<readonly Finding[]> {
  const { key } = config.secrets;
  const keys =
    key === undefined ? [] : [checkSecret({ variable: "CAIRN_SECRETS_KEY", reference: key, isPlain: false })];
  const findings = [...(await checkToolSecrets(config)), ...(await Promise.all(keys))];
  return findings.filter(({ status }) => status === "fail");
}

/** Lists the secrets that are set. One that a variable names and nobody set is the configuration's problem. */
function listReferences(environment: Environment): readonly NamedReference[] {
  return SECRET_VARIABLES.flatMap((variable): readonly NamedReference[] => {
    const text = environment[variable]?.trim() ?? "";
    const [, kind, name = ""] = /^(env|file):(.+)$/.exec(text) ?? [];
    const value = kind === "env" ? environment[name] : text;
    if (kind === "file") return [{ variable, reference: { file: name }, isPlain: false }];
    return value ? [{ variable, reference: { value }, isPlain: kind === undefined }] : [];
  });
}

async function checkSecret({ variable, reference, isPlain }: NamedReference): Promise<Finding> {
  const where = "file" in reference ? `the file \`${reference.file}\`` : "the environment";
  let secret: string;
  try {
    secret = await loadReferencedSecret(variable, reference);
  } catch (error) {
    const reason = toReason(error);
    const isClosed = "file" in reference && /EACCES|EPERM/.test(reason);
    const advice = isClosed
      ? await adviseReading(reference.file)
      : `Write the secret to ${where}, readable for the service's account, or correct the variable.`;
    return fail("keys.secrets", `${reason}.`, advice);
  }
  if (variable === "CAIRN_GITHUB_APP_KEY" && !isPrivateKey(secret)) {
    const found = `${variable} names ${where}, which has no private key (PEM).`;
    return fail("keys.secrets", found, "Generate a private key on the app's page on GitHub, and write it there.");
  }
  const wrong = await findWrongForm(variable, secret);
  if (wrong !== undefined) return fail("keys.secrets", `${wrong}.`, `Write another value to ${where}.`);
  if ("file" in reference) {
    const { mode, uid, gid } = await stat(reference.file);
    const found = `${variable} names ${where}, which every account of this machine may use.`;
    const closing = { path: reference.file, uid, gid, mode, ...toOwnAccount() };
    if ((mode & 0o007) !== 0) return warn("keys.secrets", found, adviseClosing(closing));
  }
  if (isPlain) {
    const advice = `Put it into a file of the service's account, and set ${variable} to \`file:/path\`, or to \`env:NAME\` of another variable.`;
    return warn("keys.secrets", `${variable} has the secret itself, where it is easily shown or logged.`, advice);
  }
  return ok("keys.secrets", `${variable} can be read from ${where}.`);
}

/** Finds why the service would refuse a value when it is used. */
async function findWrongForm(variable: string, secret: string): Promise<string | undefined> {
  if (variable.startsWith("CAIRN_SECRETS (") && !isSecretValue(secret)) return `${variable} must be ${SECRET_FORM}`;
  if (variable !== "CAIRN_SECRETS_KEY") return undefined;
  return loadKeys({ value: secret }).then(() => undefined, toReason);
}

/** Advises how the service's account gets to read a secret that only others may read now. */
async function adviseReading(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    return `Let the service's account enter the folders above \`${path}\`, such as /etc/cairn with its group and mode 0750.`;
  }
  return adviseClosing({ path, uid: found.uid, gid: found.gid, mode: 0, ...toOwnAccount() });
}

function toOwnAccount() {
  const account = process.geteuid?.() ?? -1;
  return { account, groups: [process.getegid?.() ?? account, ...(process.getgroups?.() ?? [])] };
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).type === "private";
  } catch {
    return false;
  }
}

async function checkAuditKey(config: Config): Promise<Finding> {
  try {
    if ((await findServiceSigner(config)) === undefined) {
      return ok("keys.files", "The audit's signing key is made at the first start.");
    }
    const path = toKeyPath(config);
    const { mode, uid, gid } = await stat(path);
    if ((mode & 0o007) === 0) return ok("keys.files", "The audit's signing key can be read.");
    const found = `The audit's signing key \`${path}\` is one that every account of this machine may use.`;
    return warn("keys.files", found, adviseClosing({ path, uid, gid, mode, ...toOwnAccount() }));
  } catch (error) {
    const advice = "Restore the key from a backup, or let CAIRN_AUDIT_KEY name the right file.";
    return fail("keys.files", `${toReason(error)}.`, advice);
  }
}

async function checkSigners({ tagSigners }: Config): Promise<readonly Finding[]> {
  if (tagSigners === undefined) return [];
  const variable = "CAIRN_REQUIRE_SIGNED_TAGS";
  return readFile(tagSigners).then(
    () => [ok("keys.files", `The file of ${variable} can be read.`)],
    (error: unknown) => [
      fail(
        "keys.files",
        `The file of ${variable} cannot be read: ${toReason(error)}.`,
        "Correct the path or its owner: without the file every tag is quarantined.",
      ),
    ],
  );
}
