import type { Caller } from "../../../auth/caller.ts";
import { AUDIT_READ, hasScope } from "../../../auth/scopes.ts";
import type { ToPrincipal } from "../../../auth/to-principal.ts";
import { CairnError } from "../../../errors.ts";
import type { CallRecord } from "../../../kernel/record.ts";
import { mayUse } from "../../../resources/provider.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import type { Server, Version } from "../../../versions/version.ts";

export interface MayReadCallsOptions {
  readonly registry: Pick<Registry, "resolve" | "retirements">;
  readonly toPrincipal: ToPrincipal;
}

/**
 * Creates the check of calls that a caller may read. Those who may read the audit log have the records of all calls of their tenant
 * already. Others read what `logs://` shows them: calls of servers that declare it and that their credentials are for, of
 * versions that answer, and of tools that they may use or have called themselves.
 */
export function createMayReadCalls({ registry, toPrincipal }: MayReadCallsOptions) {
  return (caller: Caller): ((record: CallRecord) => boolean | Promise<boolean>) => {
    if (hasScope(caller, AUDIT_READ)) return () => true;
    const versions = new Map<string, Promise<Version | undefined>>();
    const find = (commit: string) => {
      const known = versions.get(commit) ?? findAnswering(registry, commit);
      versions.set(commit, known);
      return known;
    };
    return async ({ commit, server: name, tool, actor }) => {
      if (!hasScope(caller, name)) return false;
      const version = await find(commit);
      const server = version?.servers.get(name);
      if (version === undefined || server === undefined || !showsLogs(server)) return false;
      return actor === caller.actor || mayUse({ version, principal: toPrincipal(version, caller) }, tool);
    };
  };
}

async function findAnswering(
  { resolve, retirements }: MayReadCallsOptions["registry"],
  commit: string,
): Promise<Version | undefined> {
  try {
    const { version } = await resolve(commit);
    return retirements.refuse(version) === undefined ? version : undefined;
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

function showsLogs({ resources, resourceTemplates }: Server): boolean {
  return [...resources, ...resourceTemplates].some(
    ({ source }) =>
      source.kind === "provider" && (source.provider === "logs.read" || source.provider === "logs.recent"),
  );
}
