import { CairnError } from "../errors.ts";
import type { Caller } from "./caller.ts";

/** Lists and documents of versions. The scope for an MCP server, and for its tools by REST, is the server's name. */
export const VERSIONS_READ = "versions:read";
/** Having the service look at its repository now. */
export const VERSIONS_REFRESH = "versions:refresh";
/** Reporting results of tests, and nothing else: for tokens that continuous integration holds. */
export const TESTS_REPORT = "tests:report";
/** Feedback to the Architect, and what became of it. */
export const ARCHITECT = "architect";
/** The audit log of the caller's own tenant. */
export const AUDIT_READ = "audit:read";
/** The caller's own secrets. Tokens for one server must not replace them: its tools would act with another's credentials. */
export const SECRETS = "secrets";
/** Scope of the detailed figures of the service. */
export const METRICS_READ = "metrics:read";
const EVERYTHING = "*";

export function hasScope({ scopes }: Pick<Caller, "scopes">, scope: string): boolean {
  return scopes.has(scope) || scopes.has(EVERYTHING);
}

/** Rejects with INSUFFICIENT_SCOPE unless the caller's credentials may be used for `scope`. */
export function requireScope({ scopes }: Caller, scope: string): void {
  if (hasScope({ scopes }, scope)) return;
  throw new CairnError("INSUFFICIENT_SCOPE", `This address needs credentials with the scope \`${scope}\`.`, {
    details: { scope },
  });
}

/**
 * Requires the scope of a tool that was found on `server`, or not found. Both cases get one answer, so that callers
 * without the scope do not learn which versions and tools exist. Where the name does not show the server, only callers
 * who may know all servers learn more.
 */
export function requireScopeOf(caller: Caller, tool: string, server?: string): void {
  if (server !== undefined && hasScope(caller, server)) return;
  if (server === undefined && hasScope(caller, VERSIONS_READ)) return;
  const dot = tool.indexOf(".");
  requireScope(caller, dot > 0 ? tool.slice(0, dot) : VERSIONS_READ);
  if (server !== undefined) requireScope(caller, server);
}
