import type { Audit } from "../../kernel/audit/audit.ts";
import type { Dispatch } from "../../kernel/dispatch/dispatch.ts";

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
