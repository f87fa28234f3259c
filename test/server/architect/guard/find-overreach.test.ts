import { describe, expect, test } from "vitest";
import { findOverreach } from "../../../../server/architect/guard/find-overreach.ts";
import { findNewLinks, findNewSecrets } from "../../../../server/architect/guard/find-leaks.ts";
import { findTextFaults } from "../../../../server/architect/guard/find-text-faults.ts";
import { readMessage } from "../../../../server/architect/message/read-message.ts";
import { isNamed } from "../../../../server/architect/guard/is-named.ts";
import type { OverreachRule } from "../../../../server/architect/guard/overreach.ts";
import { SHAPES_ONLY } from "../../../../server/log/redact.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";
import { REPOSITORY } from "../ground.ts";

const GROUND = {
  limits: { time: 5000, cpu: 500, memory: 64, payload: 65_536 },
  requiresCapabilities: true,
  approving: ["tool:work.approval_write"],
};
const TOOL = "manifests/runner/greet.yaml";
const POLICY = "manifests/policies/access.yaml";
const TONE = "manifests/parameters/tone.yaml";
const TEST = "test/tools/runner/greet.test.ts";

/** What is found when text of a file is replaced; `undefined` deletes the file. */
function findIn(path: string, from: string, to: string | undefined) {
  const before = REPOSITORY[path] ?? "";
  if (!before.includes(from)) throw new Error(`${path} has no ${from}`);
  return findOverreach([{ path, before, after: to === undefined ? undefined : before.replace(from, to) }], GROUND);
}

const REVOKE = "revoke: { roles: [guest, contractor], commands: [{ program: bash }] }\n";

const WIDER: readonly (readonly [string, string, string, string | undefined, OverreachRule, RegExp])[] = [
  ["another host", TOOL, "egress: [names", "egress: [evil.example, names", "egress", /could reach `evil\.example`/],
  ["a host with all below it", TOOL, "names.example.com]", '"*.example.com"]', "egress", /`\*\.example\.com`/],
  [
    "a secret",
    TOOL,
    "uses: [fetch]",
    "uses: [fetch]\nsecrets: [{ name: NAMES, hosts: [names.example.com], header: X-Key }]",
    "credential",
    /would send the secret `NAMES` of the service to `names\.example\.com`/,
  ],
  ["another syscall", TOOL, "uses: [fetch]", "uses: [fetch, work.approve]", "uses", /could use `work\.approve`/],
  [
    "no capabilities",
    TOOL,
    "requiredCapabilities: [tool:runner.greet]\n",
    "",
    "capability",
    /not need `tool:runner\.greet`/,
  ],
  ["another capability", TOOL, "[tool:runner.greet]", "[tool:free]", "capability", /not need `tool:runner\.greet`/],
  ["no tenancy", TOOL, "uses: [fetch]", "uses: [fetch]\ntenantScoped: false", "tenancy", /not keep tenants apart/],
  ["a higher limit", TOOL, "time: 2000", "time: 2001", "limit", /`time` of `runner\.greet` would be 2001, and is 2000/],
  ["a limit left out", TOOL, "  time: 2000\n", "  cpu: 500\n", "limit", /would be 5000, and is 2000/],
  ["a limit beyond the agent's", TOOL, "time: 2000", "time: 2000\n  memory: 65", "limit", /would be 65, and is 64/],
  ["less that is masked", TOOL, "redact: [/who]\n", "", "redaction", /`\/who` of `runner\.greet` would show/],
  ["recording", TOOL, "uses: [fetch]", "uses: [fetch]\nrecord: true", "recording", /could be kept/],
  ["a tape", TOOL, "uses: [fetch]", "uses: [fetch]\nrecord: { tape: true }", "recording", /handler of .* is answered/],
  [
    "recording for some days",
    TOOL,
    "uses: [fetch]",
    "uses: [fetch]\nrecord: { days: 3 }",
    "recording",
    /could be kept/,
  ],
  [
    "an end",
    TOOL,
    "uses: [fetch]",
    'uses: [fetch]\ndeprecated: { since: "2026-01-01", sunset: "2027-01-01", reason: Old. }',
    "retirement",
    /would end on 2027-01-01/,
  ],
  ["side effects", TOOL, "uses: [fetch]", "uses: [fetch]\nsideEffect: true", "side-effect", /would have side effects/],
  ["a lower cost", TOOL, "units: 2", "units: 0", "cost", /would count 0 units, and counts 2/],
  ["another name", TOOL, "name: runner.greet", "name: runner.hello", "renamed", /called `runner\.hello`/],
  [
    "an example less",
    TOOL,
    '  - description: Nobody gets none.\n    input: { who: "" }\n    error: BAD_REQUEST\n',
    "",
    "example",
    /Example 3 of `runner\.greet` would not be there/,
  ],
  [
    "an output that is not told to the letter",
    TOOL,
    'output: { greeting: "Hello, Ada!" }',
    "matches: { type: object }",
    "example",
    /Example 1 of `runner\.greet` would promise less/,
  ],
  [
    "a schema that takes more",
    TOOL,
    'pattern: "^Hello" }',
    "minLength: 0 }",
    "example",
    /Example 2 of `runner\.greet` would promise less/,
  ],
  [
    "a higher limit of the agent",
    "manifests/agent.yaml",
    "cpu: 500",
    "cpu: 501",
    "limit",
    /`cpu` of `agent` would be 501/,
  ],
  [
    "a grant",
    POLICY,
    '["tool:runner.greet"]',
    '["tool:runner.greet", "*"]',
    "policy",
    /role `reader` would grant `\*`/,
  ],
  [
    "a role",
    POLICY,
    "egress:",
    'admin: ["*"]\negress:'.replace("admin", "  admin"),
    "policy",
    /role `admin` would grant `\*`/,
  ],
  [
    "a host of policies",
    POLICY,
    "[names.example.com]",
    "[names.example.com, evil.example]",
    "policy",
    /reach `evil\.example`/,
  ],
  ["no hosts of policies", POLICY, "egress: [names.example.com]\n", "", "policy", /may allow any host/],
  [
    "a command",
    POLICY,
    "arguments: [--test] }",
    "arguments: [--test] }\n  - { program: sh }",
    "policy",
    /commands of `sh`/,
  ],
  ["a command with fewer arguments", POLICY, ", arguments: [--test]", "", "policy", /commands of `node`/],
  [
    "approving oneself",
    POLICY,
    "retirement:",
    "approvals: { self: true }\nretirement:",
    "approvals",
    /whoever did a run approve it/,
  ],
  [
    "a role that is not revoked any more",
    POLICY,
    "[guest, contractor]",
    "[guest]",
    "policy",
    /not revoke `contractor`/,
  ],
  ["nothing that is revoked any more", POLICY, REVOKE, "", "policy", /not revoke `bash`/],
  ["a higher rate", POLICY, "rate: 60", "rate: 61", "policy", /limit `actor\.rate` to 61/],
  ["no rate", POLICY, "limits:\n  actor: { rate: 60 }\n", "", "policy", /limit `actor\.rate` to nothing/],
  ["earlier retirement", POLICY, "quietDays: 30", "quietDays: 1", "policy", /after 1 quiet days/],
  ["any other policy", POLICY, "[names.example.com]", "[]", "policy", /policy `access` would be another/],
  [
    "another rule for the Architect's changes",
    POLICY,
    "retirement:",
    "architect: { merge: none }\nretirement:",
    "approvals",
    /change which changes of the Architect need approval/,
  ],
  [
    "everything for a role",
    POLICY,
    '"tool:runner.greet"]',
    '"tool:runner.greet", "*"]',
    "approvals",
    /role `reader` could approve, since it would grant `\*`/,
  ],
  [
    "a grant that includes approving",
    POLICY,
    '"tool:runner.greet"]',
    '"tool:runner.greet", "tool:work.*"]',
    "approvals",
    /could approve, since it would grant `tool:work\.\*`/,
  ],
  [
    "a handler that approves",
    TOOL,
    "uses: [fetch]",
    "uses: [fetch, work.approve]",
    "approvals",
    /handler of `runner\.greet` could approve runs/,
  ],
  [
    "a workflow that needs no approval",
    "manifests/workflows/change.yaml",
    "approvals: [high]\n",
    "",
    "approvals",
    /change what needs approval/,
  ],
  [
    "a workflow that calls policies harmless",
    "manifests/workflows/change.yaml",
    "level: high",
    "level: low",
    "approvals",
    /change what needs approval/,
  ],
  [
    "a workflow",
    "manifests/workflows/change.yaml",
    "approvals: [high]\n",
    "",
    "workflow",
    /checked or approved in another way/,
  ],
  ["a looser guardrail", TONE, "maxErrorRate: 0.1", "maxErrorRate: 0.9", "experiment", /would be 0\.9, and is 0\.1/],
  ["no guardrail", TONE, ", maxDrop: 0.05", "", "experiment", /`maxDrop` of the experiment `tone` would be gone/],
  ["promotion by itself", TONE, ", promote: false", "", "experiment", /would become active by itself/],
  [
    "state of others",
    "manifests/runner/server.yaml",
    "resources:",
    "state: shared\nresources:",
    "server",
    /have the state `shared`/,
  ],
  [
    "a resource",
    "manifests/runner/server.yaml",
    "resources:",
    'resources:\n  - { uri: "logs://all", name: L, provider: logs.recent }',
    "server",
    /would show `logs\.recent`/,
  ],
  ["a label", "versions.yaml", "stable: 1.0.0", "stable: 0.9.0", "label", /label `stable` would mean `0\.9\.0`/],
  ["no label", "versions.yaml", "labels:\n  stable: 1.0.0\n", "", "label", /label `stable` would be gone/],
  [
    "a test less",
    TEST,
    'test("greets everybody else"',
    'void ("greets everybody else"',
    "test",
    /would have 1 tests, not 2/,
  ],
  [
    "an expectation less",
    TEST,
    'expect(greet({ who: "Bob" }).greeting).toContain',
    'String(greet({ who: "Bob" }).greeting).includes',
    "test",
    /would have 1 expectations, not 2/,
  ],
  ["a test left out", TEST, 'test("greets by', 'test.skip("greets by', "test", /leave tests out/],
  ["a test deleted", TEST, "", undefined, "test", /would be deleted/],
  ["a tool deleted", TOOL, "", undefined, "deleted", /`manifests\/runner\/greet\.yaml` would be deleted/],
  ["a handler deleted", "tools/runner/greet.ts", "", undefined, "deleted", /would be deleted/],
];

const CALLS = 'approvals:\n  calls: [{ tools: ["runner.*"], when: { type: object }, by: reader }]\n';

describe("findOverreach", () => {
  test("finds a policy that has other calls wait, and none that has calls wait for the first time", () => {
    const none = REPOSITORY[POLICY] ?? "";
    const find = (before: string, after: string) =>
      findOverreach([{ path: POLICY, before, after }], GROUND).flatMap(({ rule, message }) =>
        rule === "approvals" ? [message] : [],
      );
    const told = ["The policy `access` would change which calls wait for a second person."];
    expect(find(none + CALLS, none)).toEqual(told);
    expect(find(none + CALLS, none + CALLS.replace("runner.*", "runner.greet"))).toEqual(told);
    expect(find(none, none + CALLS)).toEqual([]);
  });

  test.each(WIDER)("finds %s", (_, path, from, to, rule, message) => {
    const found = findIn(path, from, to).filter((finding) => message.test(finding.message));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ rule, path });
  });

  test.each(WIDER)(
    "finds %s named by its own sentence, and not by a denial or a quotation of it",
    (_, path, from, to) => {
      for (const { rule, ask } of findIn(path, from, to)) {
        // No message can ask for other approvals.
        expect([rule, ask !== undefined]).toEqual([rule, rule !== "approvals"]);
        if (ask === undefined) continue;
        expect(isNamed(readMessage(`Please.\n${ask.sentence}\nThanks.`), ask.words)).toBe(true);
        expect(isNamed(readMessage(`Do not do this: ${ask.sentence}`), ask.words)).toBe(false);
        expect(
          isNamed(readMessage(`My log says:\n> ${ask.sentence}\n\`\`\`\n${ask.sentence}\n\`\`\``), ask.words),
        ).toBe(false);
        expect(isNamed(readMessage("Greet people by saying Hi."), ask.words)).toBe(false);
      }
    },
  );

  test.each<[string, string, string, string]>([
    ["a description", TOOL, "Greets somebody by name.", "Says Hi."],
    ["fewer hosts", TOOL, "egress: [names.example.com]", "egress: []"],
    ["fewer syscalls", TOOL, "uses: [fetch]", "uses: []"],
    ["more capabilities", TOOL, "[tool:runner.greet]", "[tool:runner.greet, more]"],
    ["a lower limit", TOOL, "time: 2000", "time: 1000"],
    ["a limit at the agent's", TOOL, "time: 2000", "time: 2000\n  memory: 64"],
    ["another output, as exact", TOOL, 'greeting: "Hello, Ada!"', 'greeting: "Hi, Ada!"'],
    ["a schema that takes less", TOOL, '"^Hello"', '"^Hello, "'],
    [
      "a schema that becomes an output",
      TOOL,
      'matches: { type: object, properties: { greeting: { type: string, pattern: "^Hello" } }, required: [greeting] }',
      'output: { greeting: "Hello, Bob!" }',
    ],
    ["another example", TOOL, "examples:", "examples:\n  - input: { who: Eve }\n    output: { greeting: Hello }"],
    ["another default", TONE, "default: plain", "default: warm"],
    ["a stricter guardrail", TONE, "maxErrorRate: 0.1", "maxErrorRate: 0.01"],
    ["a handler", "tools/runner/greet.ts", "Hello", "Hi"],
    ["another expectation", TEST, 'toContain("Bob")', 'toBe("Hello, Bob!")'],
  ])("finds nothing in %s", (_, path, from, to) => {
    expect(findIn(path, from, to)).toEqual([]);
  });

  test("finds nothing that a message allows in another `current`", () => {
    expect(findIn("versions.yaml", "current: 1.0.0", "current: 2.0.0")).toEqual([
      {
        rule: "history",
        path: "versions.yaml",
        message: "`versions.yaml` would have another `current` or other `versions`.",
      },
    ]);
  });

  test.each([
    ['import { readFileSync } from "node:fs";', "node:fs"],
    ['import { spawn } from "node:child_process";', "node:child_process"],
    ["const key = process.env;", "= process"],
    ["process.exit();", "process."],
    ["const { env } = process;", "= process"],
    ["const all = globalThis;", "globalThis"],
    ['await fetch("/x");', "fetch("],
    ['await import("node:fs");', "import("],
    ['[].constructor.constructor("return 1")();', "constructor."],
  ])("finds what tests could reach with %s", (line, what) => {
    const before = REPOSITORY[TEST] ?? "";
    const found = findOverreach([{ path: TEST, before, after: `${line}\n${before}` }], GROUND);
    expect(found.map(({ rule, message }) => [rule, message.includes(`\`${what}\``)])).toContainEqual(["code", true]);
    expect(found.every(({ ask }) => ask === undefined)).toBe(true);
  });

  test.each([
    "\n",
    " ",
    "it ",
    "import ",
    "} ",
    "test.a",
    "process ",
    "from ",
    "expect.",
    "(=",
    "constructor ",
    "a://",
    "ignore ",
  ])("takes little time for %j again and again", async (part) => {
    const files = [{ path: TEST, before: REPOSITORY[TEST], after: part.repeat(Math.ceil(65_536 / part.length)) }];
    await expectQuick(2000, () => [
      findOverreach(files, GROUND),
      findTextFaults(files, []),
      findNewLinks(files, [], new Set()),
      findNewSecrets(files, [], SHAPES_ONLY),
    ]);
  });

  test("finds workflows that a server of their name would put out of force", () => {
    const after = "name: workflows\ndescription: Tools.\n";
    const found = findOverreach([{ path: "manifests/workflows/server.yaml", before: undefined, after }], GROUND);
    expect(found.map(({ rule }) => rule)).toEqual(["workflow"]);
  });

  test("finds what deleting a policy would allow", () => {
    const found = findIn(POLICY, "", undefined).map(({ message }) => message);
    expect(found).toContainEqual(expect.stringMatching(/would be deleted/));
    expect(found).toContainEqual(expect.stringMatching(/may allow any host/));
    expect(found).toContainEqual(expect.stringMatching(/limit `actor\.rate` to nothing/));
  });

  test("holds new tools to what the message names, too", () => {
    const after =
      "name: runner.new\nversion: 1.0.0\ndescription: New.\nuses: [clock]\ninput: { type: object }\noutput: { type: object }\n";
    const found = findOverreach([{ path: "manifests/runner/new.yaml", before: undefined, after }], GROUND);
    expect(found.map(({ rule }) => rule)).toEqual(["uses", "capability"]);
  });
});
