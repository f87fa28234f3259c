import type { SyscallTable } from "../../kernel/dispatch.ts";

/** `ctx.principal()`: who calls, as the credentials say. */
export const principalSyscalls: SyscallTable = {
  principal: {
    needs: "principal",
    run: ({ principal: { tenant, actor } }) => ({ tenant, actor }),
  },
};
