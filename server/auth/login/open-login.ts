import { setTimeout as wait } from "node:timers/promises";
import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
} from "oauth4webapi";
import type { OAuthConfig } from "../../config/config-auth.ts";
import type { LoginConfig } from "../../config/config-login.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";
import type { RandomBytes } from "../../identifiers.ts";
import type { Store } from "../../store/store.ts";
import { printable } from "../../text/printable.ts";
import { createAskIssuer } from "../ask-issuer.ts";
import { isWithin } from "../audience.ts";
import type { IssuerOptions } from "../open-verify-oauth.ts";
import { createInvalidToken, type Verified, type Verify } from "../verified.ts";
import { type Attempt, ATTEMPT_AGE, createAttempt, readAttempt, toAttemptSecrets, writeAttempt } from "./attempt.ts";
import { type Login, type LoginOutcome, type LoginProblem, SESSION_PATH } from "./login.ts";
import { createProvider, type Tokens } from "./provider.ts";
import { createLoginSessions } from "./sessions.ts";
import { createVerifySession } from "./verify-session.ts";

export interface LoginOptions extends IssuerOptions {
  readonly store: Store;
  readonly randomBytes: RandomBytes;
  /** Checks access tokens of the issuer. */
  readonly verify: Verify;
}

/** Signing in, and the check of the sessions that come of it. */
interface OpenedLogin {
  readonly login: Login;
  readonly verifySession: Verify;
}

/** Answers that are exchanged at once: made-up ones must not turn this service against its provider. */
const EXCHANGE_LIMIT = 32;
/** Characters of `state` that name an attempt. */
const NAME_LENGTH = 8;
/** Characters of a provider's explanation in the log. */
const REASON_LIMIT = 300;
const HOME = "/";

/** Opens signing in with the issuer. Rejects when the client's secret cannot be had. */
export async function openLogin(config: OAuthConfig, login: LoginConfig, options: LoginOptions): Promise<OpenedLogin> {
  const { store, randomBytes, verify, fetch, now, uptime, log } = options;
  const { secret } = login;
  if (secret !== undefined) await loadReferencedSecret("CAIRN_OAUTH_LOGIN_CLIENT_SECRET", secret);
  const warn = (reason: string) => log.warn({ reason }, "signing in with the provider does not work at this moment");
  const ask = createAskIssuer(fetch, warn);
  const provider = createProvider({ config, login, fetch, ask, warn, now, uptime });
  const sessions = createLoginSessions({ store, issuer: config.issuer, randomBytes, now });
  const verifySession = createVerifySession({ sessions, provider, verify, warn, now, uptime, wait });
  let running = 0;

  async function exchange(answer: URLSearchParams, attempt: Attempt, address: string | undefined): Promise<Tokens> {
    const tokens = await provider.exchange(answer, toAttemptSecrets(attempt));
    assertForConsole(await verify(tokens.accessToken, address));
    return tokens;
  }

  async function finish(...[answer, kept, address]: Parameters<Login["finish"]>): Promise<LoginOutcome> {
    const attempt = readAttempt(kept ?? "");
    if (attempt === undefined) return { problem: "invalid", returnTo: HOME };
    const { returnTo, startedAt } = attempt;
    if (Math.abs(now() - startedAt) > ATTEMPT_AGE) return { problem: "invalid", returnTo };
    if (running >= EXCHANGE_LIMIT) return { problem: "busy", returnTo };
    running++;
    let tokens: Tokens;
    try {
      tokens = await exchange(answer, attempt, address);
    } catch (error) {
      const [problem, reason] = toProblem(error);
      warn(reason);
      return { problem, returnTo };
    } finally {
      running--;
    }
    return { session: await sessions.create(tokens), returnTo };
  }

  const opened: Login = {
    name: login.name,
    async begin(returnTo) {
      const attempt = createAttempt(returnTo, randomBytes, now());
      const secrets = toAttemptSecrets(attempt);
      const url = await provider.authorize(secrets).catch((cause: unknown) => {
        const message = `${login.name} cannot be reached at this moment; try again, or sign in with a token.`;
        throw new CairnError("UNAVAILABLE", message, { cause });
      });
      return { url, name: secrets.state.slice(0, NAME_LENGTH), kept: writeAttempt(attempt) };
    },
    nameOf: (answer) => answer.get("state")?.slice(0, NAME_LENGTH) ?? "",
    finish,
    async end(session) {
      const found = await sessions.find(session);
      if (found === undefined) return undefined;
      await sessions.remove(session);
      // The reader is signed out here in any case.
      await provider.revoke(found.tokens).catch((error: unknown) => warn(toProblem(error)[1]));
      return found.tokens.idToken;
    },
    leave: (idToken) => provider.leave(idToken).catch(() => undefined),
  };
  return { login: Object.freeze(opened), verifySession };
}

/** Refuses a token that is good for a part of this service only, such as one MCP server. @throws UNAUTHENTICATED */
function assertForConsole({ paths }: Verified): void {
  if (!isWithin(SESSION_PATH, paths))
    throw createInvalidToken("The token was issued for another address of this service.");
}

/** The problem for the reader, and the reason for the log, which has nothing of any token. */
function toProblem(error: unknown): readonly [LoginProblem, string] {
  if (error instanceof AuthorizationResponseError) {
    const said = toSaid(error);
    if (error.error === "access_denied") return ["denied", said];
    const isDown = error.error === "server_error" || error.error === "temporarily_unavailable";
    return [isDown ? "unreachable" : "refused", said];
  }
  if (error instanceof ResponseBodyError)
    return [error.error === "invalid_grant" ? "invalid" : "refused", toSaid(error)];
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError) {
    return ["invalid", error.message];
  }
  if (error instanceof CairnError && error.name === "UNAVAILABLE") return ["unreachable", error.message];
  if (error instanceof CairnError && error.name === "UNAUTHENTICATED") {
    return ["token", `the access token is refused: ${error.message}`];
  }
  throw error;
}

function toSaid({
  error,
  error_description: description = "",
}: AuthorizationResponseError | ResponseBodyError): string {
  return printable(`the provider says ${error}: ${description}`).slice(0, REASON_LIMIT);
}
