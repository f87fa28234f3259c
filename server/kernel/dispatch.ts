import type { SyscallDeclaration } from "../capabilities/declaration.ts";
import { findDeclaration, type Syscall, type SyscallName } from "../capabilities/declarations.ts";
import { CairnError } from "../errors.ts";
import type { Json } from "../store/store.ts";
import { BROKEN_BY } from "../versions/promises.ts";
import type { Tool } from "../versions/version.ts";
import type { Audit } from "./audit/audit.ts";
import type { RunningCall } from "./call.ts";

/** A declared syscall with what does it. */
export interface SyscallDefinition extends SyscallDeclaration<Syscall> {
  readonly run: RunSyscall;
}

/** Takes unchecked arguments from the handler and answers with what crosses back to it. */
export type RunSyscall = (call: RunningCall, args: unknown) => Promise<Json | undefined> | Json | undefined;

/** Syscalls by name. */
export type SyscallTable<Name extends string = string> = Readonly<Record<Name, SyscallDefinition>>;

/** Joins the implementation of syscalls with their declarations in `api.ts` of each capability. */
export function defineSyscalls<Name extends SyscallName>(runs: Readonly<Record<Name, RunSyscall>>): SyscallTable<Name> {
  return defineEach(runs, (run: RunSyscall) => run);
}

/** Defines syscalls that are all run alike: `toRun` puts around an act what the capability's syscalls have in common. */
export function defineEach<Name extends SyscallName, Act>(
  acts: Readonly<Record<Name, Act>>,
  toRun: (act: Act, declaration: SyscallDeclaration) => RunSyscall,
): SyscallTable<Name> {
  const definitions = Object.entries<Act>(acts).map(([name, act]) => {
    const declaration = findDeclaration(name);
    if (declaration === undefined) throw new TypeError(`There is no declaration of \`${name}\`.`);
    return [name, Object.freeze({ ...declaration, run: toRun(act, declaration) })] as const;
  });
  return Object.freeze(Object.fromEntries(definitions)) as SyscallTable<Name>;
}

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
