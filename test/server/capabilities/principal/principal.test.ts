import { describe, expect, test } from "vitest";
import { createDispatch } from "../../../../server/kernel/dispatch.ts";
import { principalSyscalls } from "../../../../server/capabilities/principal/principal.ts";
import type { Tool } from "../../../../server/versions/version.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";

const dispatch = createDispatch(principalSyscalls);
const principal = { tenant: "t", actor: "ada", capabilities: new Set(["*"]) };
const ask = (tool: Partial<Tool>) => {
  const call = createRunningCall({ tool: { name: "a.b", server: "a", ...tool }, call: { principal } });
  return dispatch(call, "principal", { tenant: "other" });
};

describe("ctx.principal", () => {
  test("tells tenant and actor of the caller, whatever it is asked with, and nothing of what they may", async () => {
    expect(await ask({ uses: new Set(["principal"]) })).toEqual({ tenant: "t", actor: "ada" });
  });

  test.for<[string, Partial<Tool>]>([
    ["without the use", {}],
    ["that is deterministic", { uses: new Set(["principal"]), deterministic: true }],
    ["that is the same for all tenants", { uses: new Set(["principal"]), tenantScoped: false }],
  ])("tells nothing to a tool %s", async ([, tool]) => {
    await expect(ask(tool)).rejects.toMatchObject({ name: "FORBIDDEN" });
  });
});
