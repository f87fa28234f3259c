import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Caller, LOCAL_CALLER } from "../../../server/auth/caller.ts";
import { createToPrincipal } from "../../../server/auth/to-principal.ts";
import { ANY_TENANT, holds, holdsAll } from "../../../server/principal.ts";
import type { Version } from "../../../server/versions/version.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

type Roles = Readonly<Record<string, readonly string[]>>;

const caller = (...roles: string[]): Caller => ({ ...LOCAL_CALLER, tenant: "acme", actor: "ada", roles });

/** A version whose tools each ask for one of `asked`, with a policy for each of `policies`. */
function versionWith(asked: readonly string[], ...policies: Roles[]): Version {
  return {
    ...createTestVersion({
      tools: asked.map((capability, at) => ({ name: `s.t${at}`, server: "s", requiredCapabilities: [capability] })),
    }),
    policies: policies.map((roles, at) => ({
      name: `p${at}`,
      roles: new Map(Object.entries(roles)),
      egress: [],
      limits: {},
      commands: [],
      file: `manifests/policies/p${at}.yaml`,
    })),
  };
}

describe("a caller becomes a principal", () => {
  const version = versionWith(
    ["tool:s.read", "tool:s.write", "data:all"],
    { reader: ["tool:s.read"], writer: ["tool:s.*"], admin: ["*"] },
    { reader: ["data:all"] },
  );
  const toPrincipal = createToPrincipal();
  const held = (...roles: string[]) => [...toPrincipal(version, caller(...roles)).capabilities].toSorted();

  test("of the same tenant and actor", () => {
    expect(toPrincipal(version, caller())).toMatchObject({ tenant: "acme", actor: "ada" });
  });

  test("with what all policies together grant to its roles", () => {
    expect(held("reader")).toEqual(["data:all", "tool:s.read"]);
    expect(held("reader", "writer")).toEqual(["data:all", "tool:s.read", "tool:s.write"]);
  });

  test("with what a grant by prefix covers of what is asked for", () => {
    expect(held("writer")).toEqual(["tool:s.read", "tool:s.write"]);
  });

  test("with everything where a policy grants `*`, or the role is `*`", () => {
    expect(held("admin")).toEqual(["*", "architect:state"]);
    expect(held("*")).toEqual(["*", "architect:state"]);
  });

  test("without the right to correct state where no token is needed, unless a policy grants it to `anonymous`", () => {
    const stateOf = (policy: Roles) => toPrincipal(versionWith([], policy), LOCAL_CALLER).capabilities;
    expect([...stateOf({ reader: ["architect:state"], admin: ["*"] })]).toEqual(["*"]);
    expect([...stateOf({ anonymous: ["architect:state"] })]).toEqual(["*", "architect:state"]);
    expect([...stateOf({ anonymous: ["architect:*"] })]).toEqual(["*", "architect:state"]);
  });

  test("with tasks of all tenants only where a policy grants that, by its own name or a beginning of it", () => {
    const work = versionWith(["tool:task_claim"], {
      shared: ["tool:task_claim", "work:any-tenant"],
      broad: ["work:*"],
      worker: ["tool:*"],
      admin: ["*"],
    });
    const serves = (role: string) => toPrincipal(work, caller(role)).capabilities.has(ANY_TENANT);
    expect(["shared", "broad", "worker", "admin", "*"].map(serves)).toEqual([true, true, false, false, false]);
  });

  test.each([[[]], [["nobody"]], [["Reader"]], [["constructor", "__proto__", "toString"]], [["tool:*"]]])(
    "with nothing for the roles %j, which no policy names",
    (roles) => {
      expect(held(...roles)).toEqual([]);
    },
  );

  test("once for each version and caller", () => {
    const ada = caller("reader");
    const other = versionWith(["tool:s.read"], { reader: [] });
    expect(toPrincipal(version, ada)).toBe(toPrincipal(version, ada));
    expect([...toPrincipal(other, ada).capabilities]).toEqual([]);
    expect(toPrincipal(version, { ...ada, tenant: "b" }).tenant).toBe("b");
  });

  test("which holds exactly the capabilities that some grant of some role of it covers", () => {
    const capability = fc.stringMatching(/^[ab]:[ab.]{0,3}$/);
    const grant = fc.oneof(
      capability,
      capability.map((text) => `${text}*`),
    );
    const roles = fc.dictionary(fc.constantFrom("r0", "r1", "r2"), fc.array(grant, { maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(capability), fc.array(roles), fc.subarray(["r0", "r1", "r2"]), (asked, policies, own) => {
        const principal = createToPrincipal()(versionWith(asked, ...policies), caller(...own));
        const grants = policies.flatMap((policy) => own.flatMap((role) => policy[role] ?? []));
        const covers = (text: string) =>
          grants.some((given) => (given.endsWith("*") ? text.startsWith(given.slice(0, -1)) : text === given));
        for (const text of asked) expect(holds(principal, text)).toBe(covers(text));
        expect(holdsAll(principal, asked)).toBe(asked.every(covers));
      }),
    );
  });
});
