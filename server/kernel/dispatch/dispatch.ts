import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import { BROKEN_BY } from "../../versions/promises.ts";
import type { Syscall, Tool } from "../../versions/version.ts";
import type { RunningCall } from "./running-call.ts";
import type { SyscallTable } from "./syscall.ts";

export type Dispatch = (call: RunningCall, name: string, args: unknown) => Promise<Json | undefined>;

/**
 * The single point where handlers' requests are checked: against the manifest's `uses`, and against what it promises, so
 * that neither a bug nor a hostile handler reaches further than its reviewed manifest says.
 */
export function createDispatch(...families: readonly SyscallTable[]): Dispatch {
  const table = new Map(families.flatMap((family) => Object.entries(family)));
  return async (call, name, args) => {
    const syscall = table.get(name);
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

/** Manifests are held to their promises when they are loaded; handlers once more, lest the two be read differently. */
function keepPromises({ name, deterministic, tenantScoped }: Tool, syscall: Syscall, asked: string): void {
  if (deterministic && BROKEN_BY.deterministic.has(syscall)) {
    throw new CairnError("FORBIDDEN", `\`${name}\` says \`deterministic: true\` and so cannot use \`ctx.${asked}\`.`);
  }
  if (!tenantScoped && BROKEN_BY["no tenant"].has(syscall)) {
    throw new CairnError("FORBIDDEN", `\`${name}\` says \`tenantScoped: false\` and so cannot use \`ctx.${asked}\`.`);
  }
}
