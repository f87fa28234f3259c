import { describe, expect, test } from "vitest";
import { PREVIEW_ALLOWANCE, PREVIEW_TOOL_LIMITS, putUnder, toCeiling } from "../../../server/versions/ceiling.ts";
import type { Policy } from "../../../server/versions/policy.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const policy = (more: Partial<Policy>): Policy => ({
  name: "access",
  roles: new Map(),
  egress: [],
  limits: {},
  commands: [],
  file: "manifests/policies/access.yaml",
  ...more,
});

const REACHING = { name: "s.reach", server: "s", egress: ["one.example", "*.wild.example", "three.example:8443"] };

describe("[V9] a ceiling", () => {
  test("has the hosts of the policies, or else those that reviewed tools name", () => {
    const version = createTestVersion({ tools: [REACHING, { ...REACHING, name: "s.other" }] });
    expect(toCeiling(version).hosts).toEqual(REACHING.egress);
    expect(toCeiling({ ...version, policies: [policy({ egress: ["a.example"] }), policy({})] }).hosts).toEqual([
      "a.example",
    ]);
    expect(toCeiling(createTestVersion()).hosts).toEqual([]);
  });

  test("lets tools reach what it has, by what they name", () => {
    const version = createTestVersion({ tools: [REACHING] });
    const egressUnder = (...hosts: string[]) => {
      const under = putUnder({ policies: [], hosts }, version);
      const [own] = under.servers.get("s")?.tools ?? [];
      expect(own).toBe(under.tools.get("s.reach"));
      return own?.egress;
    };
    expect(egressUnder("one.example")).toEqual(["one.example"]);
    expect(egressUnder("*.example")).toEqual(["one.example", "*.wild.example"]);
    expect(egressUnder("a.wild.example", "three.example")).toEqual([]);
    expect(egressUnder()).toEqual([]);
  });

  test("adds its limits to a version's own, and a preview those of previews", () => {
    const limits = { tenant: { rate: 10 } };
    const ceiling = { policies: [policy({ limits, roles: new Map([["admin", ["*"]]]), commands: [] })], hosts: [] };
    const tool = { ...REACHING, limits: { time: 600_000, cpu: 10, memory: 512, payload: 10 } };
    const version = { ...createTestVersion({ tools: [tool] }), policies: [policy({ limits: { actor: { rate: 5 } } })] };
    const under = putUnder(ceiling, version);
    expect(under.policies.map((one) => [one.limits, one.roles.size])).toEqual([
      [{ actor: { rate: 5 } }, 0],
      [limits, 0],
    ]);
    expect([under.preview, under.tools.get("s.reach")?.limits]).toEqual([undefined, tool.limits]);
    const preview = putUnder(ceiling, version, 7);
    expect(preview.preview).toBe(7);
    expect(preview.policies.at(-1)?.limits).toEqual({ tenant: PREVIEW_ALLOWANCE });
    const { time, memory } = PREVIEW_TOOL_LIMITS;
    expect(preview.tools.get("s.reach")?.limits).toEqual({ time, cpu: 10, memory, payload: 10 });
    expect(version.tools.get("s.reach")?.limits).toEqual(tool.limits);
  });
});
