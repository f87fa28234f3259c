import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWebhook } from "../../../../../server/forge/github/webhooks/read-webhook.ts";

const OID = "a".repeat(40);
const repository = { full_name: "Acme/Tools" };
const read = (event: string, payload: object) => readWebhook(event, { ...payload, repository }, "acme/tools");

describe("a delivery", () => {
  test.each([
    ["push", { ref: "refs/heads/main", after: OID }, true, [{ branch: "main", commit: OID }]],
    ["push", { ref: "refs/heads/gone", after: "0".repeat(40) }, true, [{ branch: "gone" }]],
    ["push", { ref: "refs/tags/v1.0.0", after: OID }, true, [{ commit: OID }]],
    ["create", { ref_type: "tag", ref: "v1.0.0" }, true, []],
    ["delete", { ref_type: "branch", ref: "proposal/one" }, true, [{ branch: "proposal/one" }]],
    [
      "pull_request",
      { number: 7, pull_request: { head: { ref: "proposal/one", sha: OID } } },
      true,
      [{ branch: "proposal/one", commit: OID, number: 7 }],
    ],
    ["check_run", { check_run: { head_sha: OID } }, false, [{ commit: OID }]],
    ["check_suite", { check_suite: { head_sha: OID } }, false, [{ commit: OID }]],
    ["status", { sha: OID }, false, [{ commit: OID }]],
  ])("of %s says where to look: %o", (event, payload, refs, nudges) => {
    expect(read(event, payload)).toEqual({ refs, nudges });
  });

  test("of another event, or another repository, is of no use", () => {
    expect(read("ping", { zen: "Keep it logically awesome." })).toBeUndefined();
    expect(read("issue_comment", { action: "created" })).toBeUndefined();
    const payload = { ref: "refs/heads/main", after: OID, repository: { full_name: "acme/other" } };
    expect(readWebhook("push", payload, "acme/tools")).toBeUndefined();
  });

  test("of any other form is read without harm", () => {
    const events = fc.constantFrom("push", "create", "pull_request", "check_run", "status");
    fc.assert(
      fc.property(events, fc.object(), (event, payload) => {
        for (const nudge of read(event, payload)?.nudges ?? []) {
          for (const value of Object.values(nudge)) expect(["string", "number"]).toContain(typeof value);
        }
      }),
    );
    for (const payload of [null, [], "x", 1, { repository: null }]) {
      expect(readWebhook("push", payload, "acme/tools")).toBeUndefined();
    }
  });
});
