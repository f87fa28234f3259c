import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { CairnError } from "../errors.ts";

/** Reference to a secret, or its value when the environment had it. */
export type SecretReference = { readonly value: string } | { readonly file: string };

/**
 * Reads `env:NAME` or `file:/path`; `undefined` for no text, and for what is wrong, which `problem` hears of. Says what is
 * wrong without the text, which may be the secret itself.
 */
export function readSecretReference(
  variable: string,
  text: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  problem: (text: string) => undefined,
): SecretReference | undefined {
  if (text === undefined) return undefined;
  const [, kind, name = ""] = /^(env|file):(.+)$/.exec(text) ?? [];
  if (kind === "file" && !isAbsolute(name)) {
    return problem(
      `${variable} names a file by a relative path, which depends on the folder of the start; write \`file:/path\``,
    );
  }
  if (kind === "file") return { file: name };
  const value = kind === "env" ? environment[name] : undefined;
  if (value) return { value };
  return problem(
    kind === "env"
      ? `${variable} names the environment variable \`${name}\`, which is not set`
      : `${variable} must be \`env:NAME\` or \`file:/path\`: a reference to the secret, not the secret`,
  );
}

/** The secret without the end of its last line; UNAVAILABLE when its file cannot be read, or is empty. */
export async function loadReferencedSecret(variable: string, reference: SecretReference): Promise<string> {
  if ("value" in reference) return reference.value;
  const text = await readFile(reference.file, "utf8").catch((cause: unknown) => {
    throw new CairnError("UNAVAILABLE", `The file that ${variable} names cannot be read.`, { cause });
  });
  const secret = text.trimEnd();
  if (secret === "") throw new CairnError("UNAVAILABLE", `The file that ${variable} names is empty.`);
  return secret;
}
