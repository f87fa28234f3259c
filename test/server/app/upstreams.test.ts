import { describe, expect, test } from "vitest";
import { toUpstreamOptions } from "../../../server/app/upstreams.ts";
import { createLog } from "../../../server/log/log.ts";
import type { Policy } from "../../../server/versions/policy.ts";
import type { Registry } from "../../../server/versions/registry/registry-types.ts";
import { createTestVersion } from "../../helpers/test-version.ts";
import { NO_SANDBOX } from "../../helpers/workspace.ts";

const toPolicy = (name: string): Policy => {
  return { name, roles: new Map(), egress: [], limits: {}, commands: [], file: `manifests/policies/${name}.yaml` };
};
const REVIEWED = toPolicy("reviewed");
const OWN = toPolicy("own");

/** Options of a service whose work tree is served as the commit `dev`. */
function setUp(dev?: string) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
  const registry = {
    status: () => ({ dev: dev === undefined ? undefined : { commit: dev } }),
    ceiling: async () => ({ policies: [REVIEWED], hosts: [] }),
  } as unknown as Pick<Registry, "status" | "ceiling">;
  return { lines, ...toUpstreamOptions(registry, NO_SANDBOX, log) };
}

describe("upstreams of a service", () => {
  test("start the commands that the default branch allows, and of the work tree those that it allows itself", async () => {
    const tagged = { ...createTestVersion({ commit: "a".repeat(40) }), policies: [OWN] };
    const { policiesOf } = setUp("d".repeat(40));
    expect(await policiesOf(tagged)).toEqual([REVIEWED]);
    expect(await policiesOf({ ...tagged, commit: "d".repeat(40) })).toEqual([OWN]);
    expect(await setUp().policiesOf(tagged)).toEqual([REVIEWED]);
  });

  test("log a drift as an error, its end as news, and what a command complained of as a warning", () => {
    const { lines, onDrift, onComplaint } = setUp();
    const about = { version: "1.0.0", commit: "c".repeat(40), upstream: "files" };
    onDrift({ ...about, drifts: [{ tool: "read", kind: "missing", message: "Gone." }] });
    onDrift({ ...about, drifts: [] });
    onComplaint("files", "out of files");
    expect(lines).toMatchObject([
      { level: "error", ...about, drifts: [{ tool: "read", kind: "missing" }] },
      { level: "info", ...about, msg: "the upstream is again what the version was made with" },
      { level: "warn", upstream: "files", complaint: "out of files" },
    ]);
  });
});
