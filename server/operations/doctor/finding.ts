import type { Config, Environment } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import { redact } from "../../versions/git/git.ts";

/** One line of a report: what was looked at, how it is, and what to do where it is not well. */
export interface Finding {
  /** Name of the check, such as `data.disk`. */
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  /** Remedy, in whole sentences; absent where all is well. */
  readonly advice?: string;
}

/** Surroundings of the checks. */
export interface DoctorContext {
  readonly config: Config;
  readonly environment: Environment;
  /** The folder that relative paths of repositories start from. */
  readonly folder: string;
  readonly now: () => number;
  /** Tries the address that a service would listen on; answers with a sentence, and rejects as the start of a service does. */
  readonly tryAddress: (config: Config) => Promise<string>;
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message };
}

/** A finding that hinders something, but not the service as a whole. */
export function warn(check: string, message: string, advice: string): Finding {
  return { check, status: "warn", message, advice };
}

/** A finding with which the service does not start, or does not do its work. */
export function fail(check: string, message: string, advice: string): Finding {
  return { check, status: "fail", message, advice };
}

/** Names the reason of an error with its causes, without the credentials of any address in it. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : ` (${toReason(error.cause)})`;
  const code = "code" in error && !(error instanceof CairnError) && error.message === "" ? String(error.code) : "";
  return redact(`${(error.message || code).replace(/\.$/, "")}${cause}`);
}
