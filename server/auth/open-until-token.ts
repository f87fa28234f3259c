import { type Authenticate, LOCAL_CALLER } from "./caller.ts";

export interface OpenUntilTokenOptions {
  readonly hasTokens: () => Promise<boolean>;
  /** Authenticates callers once there are tokens. */
  readonly authenticate: Authenticate;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
}

/** Milliseconds after which the first token, made by whichever process, shuts everybody else out at the latest. */
const LOOK_INTERVAL = 1_000;

/** Opens the service to every caller until the first token is made, and never again after it. */
export function openUntilToken({ hasTokens, authenticate, uptime }: OpenUntilTokenOptions): Authenticate {
  let isShut = false;
  let lookedAt = -Infinity;
  return (credentials) => {
    if (isShut) return authenticate(credentials);
    const moment = uptime();
    if (moment - lookedAt < LOOK_INTERVAL) return LOCAL_CALLER;
    return hasTokens().then((has) => {
      isShut ||= has;
      lookedAt = moment;
      return isShut ? authenticate(credentials) : LOCAL_CALLER;
    });
  };
}
