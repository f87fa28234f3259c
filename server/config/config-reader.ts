import { isSecureUrl } from "./secure-url.ts";
import { readSecretReference, type SecretReference } from "./secret-reference.ts";

/** The means by which parts of the configuration read the environment. */
export interface ConfigReader<Variable extends string> {
  /** Without space around it; `undefined` for nothing. */
  readonly get: (name: Variable) => string | undefined;
  /** Takes note that the variable's value is not as `expected`. */
  readonly wrong: (name: Variable, expected: string) => undefined;
  readonly oneOf: <Value extends string>(name: Variable, values: readonly Value[], fallback: Value) => Value;
  /** Takes note of what is wrong, without the value. */
  readonly problem: (text: string) => undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Reads where a secret is; see `readSecretReference`. */
export function readSecret<Variable extends string>(
  { get, problem, environment }: Pick<ConfigReader<Variable>, "get" | "problem" | "environment">,
  name: Variable,
): SecretReference | undefined {
  return readSecretReference(name, get(name), environment, problem);
}

/** Reads a whole number from 1, of at most 15 digits. */
export function readNumber<Variable extends string>(
  { get, wrong }: Pick<ConfigReader<Variable>, "get" | "wrong">,
  name: Variable,
): number | undefined {
  const text = get(name);
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : wrong(name, "it must be a whole number from 1");
}

/** Reads the base of other URLs, which nobody on the way can read along. */
export function readUrl<Variable extends string>(
  { get, wrong }: Pick<ConfigReader<Variable>, "get" | "wrong">,
  name: Variable,
): string | undefined {
  const url = get(name);
  if (url === undefined || (isSecureUrl(url) && !/[?#]/.test(url))) return url;
  return wrong(name, "it must be an https URL without query or fragment (http only for this machine)");
}
