import { CairnError } from "../errors.ts";
import type { Json } from "../store/store.ts";
import { BROKEN_BY } from "../versions/promises.ts";
import type { Syscall, Tool } from "../versions/version.ts";
import type { Audit } from "./audit/audit.ts";
import type { RunningCall } from "./call.ts";

/** One entry of the table of what handlers may ask for. */
export interface SyscallDefinition {
  /** The name under `uses` that grants it; absent: every handler may. */
  readonly needs?: Syscall;
  /** Whether it changes anything that outlives the call; refused to tools with `sideEffect: false`. */
  readonly mutates?: boolean;
  /** Takes unchecked arguments from the handler and answers with what crosses back to it. */
  readonly run: (call: RunningCall, args: unknown) => Promise<Json | undefined> | Json | undefined;
}

export type SyscallTable = Readonly<Record<string, SyscallDefinition>>;

export type Dispatch = (call: RunningCall, name: string, args: unknown) => Promise<Json | undefined>;

/**
 * The single point where handlers' requests are checked: against the manifest's `uses`, and against what it promises, so
 * that neither a bug nor a hostile handler reaches further than its reviewed manifest says.
 */
export function createDispatch(table: SyscallTable): Dispatch {
  return async (call, name, args) => {
    const syscall = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!syscall) throw new CairnError("FORBIDDEN", `There is no syscall \`${name}\`.`);
    const { tool } = call;
    if (syscall.needs && !tool.uses.has(syscall.needs)) {
      throw new CairnError(
        "FORBIDDEN",
        `\`${tool.name}\` may not use \`ctx.${name}\`: its manifest would have to list \`${syscall.needs}\` under \`uses\`.`,
      );
    }
    if (syscall.needs) keepPromises(tool, syscall.needs, name);
    if (syscall.mutates && !tool.sideEffect) {
      throw new CairnError(
        "FORBIDDEN",
        `\`${tool.name}\` says \`sideEffect: false\` and so cannot use \`ctx.${name}\`.`,
      );
    }
    return syscall.run(call, args);
  };
}

/** Has the audit count what `ctx.fetch` was refused, which the handler may keep to itself. */
export function auditEgress(dispatch: Dispatch, denied: Audit["denied"]): Dispatch {
  return (call, name, args) => {
    const answer = dispatch(call, name, args);
    if (name !== "fetch") return answer;
    return answer.catch((error: unknown) => {
      denied(error, call.principal);
      throw error;
    });
  };
}

/** Manifests are held to their promises when they are loaded; handlers once more, lest the two be read differently. */
function keepPromises({ name, deterministic, tenantScoped }: Tool, syscall: Syscall, asked: string): void {
  if (deterministic && BROKEN_BY.deterministic.has(syscall)) {
    throw new CairnError("FORBIDDEN", `\`${name}\` says \`deterministic: true\` and so cannot use \`ctx.${asked}\`.`);
  }
  if (!tenantScoped && BROKEN_BY["no tenant"].has(syscall)) {
    throw new CairnError("FORBIDDEN", `\`${name}\` says \`tenantScoped: false\` and so cannot use \`ctx.${asked}\`.`);
  }
}

/** A value as it crosses to the handler: members that are undefined, which JSON has not, are left out. */
export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
