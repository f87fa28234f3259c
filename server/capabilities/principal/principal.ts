import { defineSyscalls } from "../../kernel/dispatch.ts";

/** `ctx.principal()`: who calls, as the credentials say. */
export const principalSyscalls = defineSyscalls({
  principal: ({ principal: { tenant, actor } }) => ({ tenant, actor }),
});
