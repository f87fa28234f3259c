import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Caller, LOCAL_CALLER } from "../../../server/auth/caller.ts";
import { createToPrincipal, listHeld } from "../../../server/auth/to-principal.ts";
import { ANY_TENANT, ARCHITECT_CHAT, holds, holdsAll, holdsByName } from "../../../server/principal.ts";
import { NOTHING_REVOKED } from "../../../server/versions/revoked.ts";
import type { Revoked } from "../../../server/versions/policy.ts";
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
  const toPrincipal = createToPrincipal(() => NOTHING_REVOKED);
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

  test("within a role with what both grant, and by `*` with nothing that must be granted by name", () => {
    const work = versionWith(["tool:task_claim", "tool:task_create"], {
      worker: ["tool:task_claim", "work:any-tenant", "architect:state"],
      requester: ["tool:task_create"],
      admin: ["*"],
    });
    const within = (role: string, ...roles: readonly string[]) => {
      const { capabilities, roles: kept } = toPrincipal(work, { ...caller(...roles), within: role });
      return [[...capabilities].toSorted(), kept];
    };
    const all = ["architect:state", "tool:task_claim", "work:any-tenant"];
    expect(within("worker", "worker", "requester")).toEqual([all, ["worker"]]);
    expect(within("worker", "requester")).toEqual([[], []]);
    expect(within("admin", "requester")).toEqual([["tool:task_create"], []]);
    expect(within("worker", "admin")).toEqual([["architect:state", "tool:task_claim"], []]);
    expect(toPrincipal(work, { ...LOCAL_CALLER, within: "worker" })).toMatchObject({
      capabilities: new Set(["tool:task_claim"]),
      roles: ["anonymous"],
    });
    expect(within("nobody", "admin", "worker")).toEqual([[], []]);
  });

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
        const principal = createToPrincipal(() => NOTHING_REVOKED)(versionWith(asked, ...policies), caller(...own));
        const grants = policies.flatMap((policy) => own.flatMap((role) => policy[role] ?? []));
        const covers = (text: string) =>
          grants.some((given) => (given.endsWith("*") ? text.startsWith(given.slice(0, -1)) : text === given));
        for (const text of asked) expect(holds(principal, text)).toBe(covers(text));
        expect(holdsAll(principal, asked)).toBe(asked.every(covers));
      }),
    );
  });
});

describe("[V9] what is revoked", () => {
  const version = versionWith(["tool:s.read", "tool:s.write"], {
    reader: ["tool:s.read", ANY_TENANT],
    writer: ["tool:s.*"],
    admin: ["*"],
  });

  test("is lost at once by those who hold it already, and held again once it is not revoked any more", () => {
    let revoked: Revoked = NOTHING_REVOKED;
    const toPrincipal = createToPrincipal(() => revoked);
    const all = ["reader", "writer", "admin", "*"].map((role) => toPrincipal(version, caller(role)));
    const held = () => all.map((principal) => listHeld(version, principal).filter((one) => one.startsWith("tool:")));
    const before = [["tool:s.read"], ["tool:s.read", "tool:s.write"], ["tool:s.read", "tool:s.write"]];
    expect(held()).toEqual([...before, before[2]]);
    revoked = { ...NOTHING_REVOKED, capabilities: ["tool:s.w*"] };
    expect(held()).toEqual([["tool:s.read"], ["tool:s.read"], ["tool:s.read"], ["tool:s.read"]]);
    revoked = { ...NOTHING_REVOKED, roles: ["writer", "admin"] };
    expect(held()).toEqual([["tool:s.read"], [], [], ["tool:s.read", "tool:s.write"]]);
    revoked = NOTHING_REVOKED;
    expect(held()).toEqual([...before, before[2]]);
  });

  test("may be what the service itself asks for", () => {
    let revoked: Revoked = NOTHING_REVOKED;
    const toPrincipal = createToPrincipal(() => revoked);
    const [reader, star] = [toPrincipal(version, caller("reader")), toPrincipal(version, caller("*"))];
    const held = () => [holdsByName(reader, ANY_TENANT), holds(star, ARCHITECT_CHAT), holdsByName(star, ANY_TENANT)];
    expect(held()).toEqual([true, true, false]);
    revoked = { ...NOTHING_REVOKED, capabilities: [ANY_TENANT, "architect:*"] };
    expect(held()).toEqual([false, false, false]);
  });

  test("is exactly what somebody who is let in now would not be granted", () => {
    const capability = fc.stringMatching(/^[ab]:[ab]{0,2}$/);
    const grant = fc.oneof(
      capability,
      capability.map((text) => `${text}*`),
      fc.constant("*"),
    );
    const roles = fc.dictionary(fc.constantFrom("r0", "r1"), fc.array(grant, { maxLength: 3 }));
    const revocation = fc.record({
      roles: fc.subarray(["r0", "r1", "r2"]),
      capabilities: fc.array(grant, { maxLength: 2 }),
    });
    const own = fc.subarray(["r0", "r1", "*"]);
    fc.assert(
      fc.property(
        fc.array(capability),
        roles,
        own,
        fc.array(revocation, { minLength: 2 }),
        (asked, policy, mine, all) => {
          let revoked: Revoked = NOTHING_REVOKED;
          const toPrincipal = createToPrincipal(() => revoked);
          const tried = versionWith(asked, policy);
          const early = toPrincipal(tried, caller(...mine));
          for (const one of all) {
            revoked = { ...NOTHING_REVOKED, ...one };
            const grants = mine
              .filter((role) => !one.roles.includes(role))
              .flatMap((role) => (role === "*" ? ["*"] : (policy[role] ?? [])));
            const covers = (given: string, text: string) =>
              given.endsWith("*") ? text.startsWith(given.slice(0, -1)) : text === given;
            for (const text of asked) {
              const expected =
                grants.some((given) => covers(given, text)) && !one.capabilities.some((given) => covers(given, text));
              expect(holds(early, text)).toBe(expected);
              expect(holds(toPrincipal(tried, caller(...mine)), text)).toBe(expected);
            }
          }
        },
      ),
    );
  });
});

describe("[V9] a version with a ceiling", () => {
  test("grants what its own policies and those of the ceiling both grant", () => {
    const asked = ["tool:s.read", "tool:s.write", "tool:s.new"];
    const own = versionWith(asked, { reader: ["*"], writer: ["tool:s.write"], newcomer: ["*"] });
    const { policies } = versionWith([], { reader: ["tool:s.read"], writer: ["tool:*"], admin: ["*"] });
    const toPrincipal = createToPrincipal(() => NOTHING_REVOKED);
    const held = (...roles: string[]) =>
      listHeld(own, toPrincipal({ ...own, ceiling: { policies, hosts: [] } }, caller(...roles)));
    expect(held("reader")).toEqual(["tool:s.read"]);
    expect(held("writer")).toEqual(["tool:s.write"]);
    expect(held("reader", "writer")).toEqual(asked);
    expect([held("newcomer"), held("admin")]).toEqual([[], []]);
    expect(held("*")).toEqual(expect.arrayContaining(asked));
    const nothing = toPrincipal({ ...own, ceiling: { policies: [], hosts: [] } }, caller("reader", "writer"));
    expect(listHeld(own, nothing)).toEqual([]);
  });
});
