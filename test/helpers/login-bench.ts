import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import type { Caller } from "../../server/auth/caller.ts";
import type { Login, LoginOutcome } from "../../server/auth/login/login.ts";
import { openAuthentication } from "../../server/auth/open-authentication.ts";
import { createLog } from "../../server/log/log.ts";
import type { Store } from "../../server/store/store.ts";
import { LOGIN_CLIENT, type LoginProvider, startLoginProvider } from "../stand-ins/login-provider.ts";
import { openTestStore } from "./store.ts";
import type { AtEnd } from "./temporary.ts";

/** A process of a service that readers sign in to. */
export interface LoginProcess {
  readonly login: Login;
  /** The caller whom a token or the id of a session stands for. */
  ask(token: string): Promise<Caller>;
}

export interface LoginBench extends LoginProcess {
  readonly provider: LoginProvider;
  readonly store: Store;
  /** Lines of the log. */
  readonly lines: readonly string[];
  readonly now: () => number;
  /** Lets time pass, in milliseconds. */
  pass(milliseconds: number): void;
  /** Goes the whole way, from the console to the provider and back. */
  signIn(): Promise<LoginOutcome>;
  /** Opens another process over the same store. */
  openAnother(): Promise<LoginProcess>;
}

export const ORIGIN = "https://cairn.example.com";

/** A service with a provider on loopback, by a clock of its own. */
export async function openLoginBench(atEnd: AtEnd = onTestFinished, origin = ORIGIN): Promise<LoginBench> {
  let passed = 0;
  const now = () => Date.now() + passed;
  const provider = await startLoginProvider(now);
  atEnd(() => provider.close());
  const store = await openTestStore(now);
  const lines: string[] = [];
  const open = async (): Promise<LoginProcess> => {
    const { authenticate, login } = await openAuthentication({
      config: {
        mode: "auto",
        publicVersions: false,
        oauth: {
          issuer: provider.issuer,
          origin,
          tenantClaim: "tenant",
          rolesClaim: "roles",
          login: {
            clientId: LOGIN_CLIENT.id,
            secret: { value: LOGIN_CLIENT.secret },
            scopes: ["versions:read", "offline_access"],
            audience: "resource",
            name: "Example",
          },
        },
      },
      store,
      randomBytes,
      // A provider that never answers need not be waited for as long as a real one; one that answers may be slow on a busy machine.
      fetch: (url, init) =>
        fetch(url, provider.wrongs.at?.how === "slow" ? { ...init, signal: AbortSignal.timeout(250) } : init),
      now,
      uptime: now,
      log: createLog("debug", { write: (line) => void lines.push(line) }),
    });
    if (login === undefined) throw new Error("Nobody can sign in.");
    const ask = async (token: string) =>
      authenticate({ authorization: `Bearer ${token}`, path: "/console/session", address: "192.0.2.1" });
    return { login, ask };
  };
  const first = await open();
  return {
    ...first,
    provider,
    store,
    lines,
    now,
    pass: (milliseconds) => void (passed += milliseconds),
    async signIn() {
      const { url, kept } = await first.login.begin("/console/versions");
      return first.login.finish(new URL(provider.visit(url)).searchParams, kept, "192.0.2.1");
    },
    openAnother: open,
  };
}

/** The session of an outcome, which must be one. */
export function toSession(outcome: LoginOutcome): string {
  if ("session" in outcome) return outcome.session;
  throw new Error(`Nobody was signed in: ${outcome.problem}.`);
}
