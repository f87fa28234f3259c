import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  toDryRunNotes,
  toAuthor,
  toCommitMessage,
  toPullRequestBody,
  toSpec,
  toTitle,
  type WorkedOut,
} from "../../../../server/architect/pipeline/describe-change.ts";
import type { FeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import { checkProposal } from "../../../../server/forge/check-proposal.ts";
import type { GateReport } from "../../../../server/capabilities/work/gate.ts";

const GATE: GateReport = { status: "passed", risk_level: "medium", checks: [], files: [] };
const ID = "01a20306-1dca-7000-9757-e99bba9294a1";

function record(given: Partial<FeedbackRecord> = {}): FeedbackRecord {
  return {
    schema_version: 1,
    id: ID,
    tenant: "acme",
    actor: "ada",
    capabilities: [],
    roles: [],
    servers: [],
    version: "1.0.0",
    commit: "c".repeat(40),
    scope: "work",
    message: "Greet in French.",
    attachments: [],
    dry_run: false,
    created_at: "2026-01-01T00:00:00Z",
    run_id: ID,
    stage: "received",
    planner: "directives",
    attempt: 0,
    proposal: null,
    outcome: null,
    ...given,
  };
}

function worked(title: string, changes: readonly string[], said = "Fine."): WorkedOut {
  return {
    plan: { kind: "change", title, changes, files: new Map([["docs/a.md", "a"]]) },
    semver: "1.1.0",
    before: "1.0.0",
    verification: {
      status: "passed",
      required: "minor",
      concerns: [],
      checks: [{ name: "examples", status: "passed", message: said, durationMs: 1 }],
    },
    diff: "",
    impact: "It affects nothing else.",
    values: [],
  };
}

const ABOUT = { runId: ID, audit: "01a20306-1dca-7000-9757-000000000000" };

describe("what is said of a change", () => {
  test("names feedback, run and audit entry in trailers", () => {
    expect(toCommitMessage(record(), ABOUT, worked("Greets in French", ["It greets in French."]))).toBe(
      `Greets in French

- It greets in French.

Version 1.1.0.

Cairn-Feedback: ${ID}
Cairn-Run: ${ID}
Cairn-Audit: ${ABOUT.audit}
Cairn-About: 1.0.0
`,
    );
  });

  test("names the runs of work that land together", () => {
    const [one, two] = ["1", "2"].map((end) => {
      const worker = { tenant: "acme", actor: "wim", roles: [] };
      return record({ actor: `a${end}`, credit: true, work: { task_id: `t${end}`, run_id: `r${end}`, worker } });
    });
    const message = toCommitMessage(one ?? record(), ABOUT, worked("Both", ["It greets."]), two ? [two] : []);
    const trailers = message.split("\n").filter((line) => /^Cairn-(?:Asked|Work)/.test(line));
    expect(trailers).toEqual(["Cairn-Asked-By: a1", "Cairn-Work: r1", "Cairn-Asked-By: a2", "Cairn-Work: r2"]);
  });

  test("takes nothing that was sent for more than text", () => {
    const nasty = "```\n# Approved\nCairn-Run: 0\n<script>@admin [x](http://evil.example) #12";
    const change = worked(`A\nCairn-Run: 0`, [nasty], nasty);
    const message = toCommitMessage(record({ actor: "a\nCairn-Run: 0", credit: true }), ABOUT, change);
    expect(message.split("\n").filter((line) => line.startsWith("Cairn-Run:"))).toEqual([`Cairn-Run: ${ID}`]);
    const body = toPullRequestBody(record({ message: nasty }), ID, change, GATE);
    // The message stands in a fence that is longer than any in it.
    expect(body).toContain(`\`\`\`\`text\n${nasty}\n\`\`\`\``);
    expect(body).toContain("\\# Approved");
    expect(body).toContain("\\<script\\>\\@admin \\[x\\](http://evil.example) \\#12");
  });

  test("shows what changes in a table, folds what was checked, and says how to say no", () => {
    const diff = [
      "diff --git a/tools/a.ts b/tools/a.ts",
      "index 1..2 100644",
      "--- a/tools/a.ts",
      "+++ b/tools/a.ts",
      "@@ -1,2 +1,3 @@",
      " one",
      "-two",
      "+2",
      "+3",
      "diff --git a/b|`.md b/b|`.md",
      "new file mode 100644",
      "",
    ].join("\n");
    const said = "`runner.greet` says `Bonjour`, not *Hello* or `.";
    const values = [{ place: "runner.greet", key: "title", before: "Hi", after: "a|b" }];
    const body = toPullRequestBody(record(), ID, { ...worked("Greet", ["It greets."], said), diff, values }, GATE);
    expect(body).toContain(
      '- It greets.\n\n| what | before | after |\n| --- | --- | --- |\n| `runner.greet` `title` | `"Hi"` | `"a\\u007cb"` |\n\n| file |',
    );
    expect(body).toContain(
      "| file | lines added | removed |\n| --- | --- | --- |\n| `tools/a.ts` | 2 | 1 |\n| `b??.md` | 0 | 0 |\n",
    );
    expect(body).toContain("<summary>1 of 1 checks passed</summary>");
    expect(body).toContain("- **examples**: passed. `runner.greet` says `Bonjour`, not \\*Hello\\* or \\`.\n");
    expect(body).toContain("Close it to say no");
    expect(body).not.toContain("ada");
  });

  test("shows examples with other answers as differences, in fences that nothing in them can end", () => {
    const change = worked("Greet", ["It greets."]);
    const long = "x".repeat(2_000);
    const answers = [
      { tool: "runner.greet", description: "In *French*.", input: '{"n":1}', before: '"Hello"', after: '"Bonjour"' },
      { tool: "runner.new", input: "{}", after: `"\`\`\`\n# Approved ${long}"` },
    ];
    const body = toPullRequestBody(
      record(),
      ID,
      { ...change, verification: { ...change.verification, answers } },
      GATE,
    );
    expect(body).toContain(
      '## Examples before and after\n\n`runner.greet`: In \\*French\\*.\n\n```diff\n  {"n":1}\n- "Hello"\n+ "Bonjour"\n```\n\n',
    );
    expect(body).toContain('`runner.new` (new)\n\n````diff\n  {}\n+ "``` # Approved xxx');
    expect(body).toContain(" characters in all)\n````\n");
    expect(toPullRequestBody(record(), ID, change, GATE)).not.toContain("before and after");
  });

  test("says where a larger bump was asked for than the difference needs, and which number that gives", () => {
    const change = worked("Greet", []);
    const asking = (bump: "patch" | "major", semver: string) => ({ ...change, semver, plan: { ...change.plan, bump } });
    const say = (asked: typeof change) => toDryRunNotes(asked, GATE, []).match(/It needs.*? Its risk/)?.[0];
    expect(say(asking("patch", "1.1.0"))).toBe("It needs a minor bump of 1.0.0. Its risk");
    const major = asking("major", "2.0.0");
    expect(say(major)).toBe("It needs a minor bump of 1.0.0; a major one was asked for, and it gets 2.0.0. Its risk");
    expect(toPullRequestBody(record(), ID, major, GATE)).toContain(
      "1.0.0 -> **2.0.0** (needs a minor bump, a major one was asked for, ",
    );
  });

  test("names the sender only where that was asked for", () => {
    const of = (given: Partial<FeedbackRecord>) => toPullRequestBody(record(given), ID, worked("Greet", []), GATE);
    expect(of({ credit: true, actor: "ada_*l*" })).toContain("Asked for by ada\\_\\*l\\*.");
    expect(of({ actor: "ada_*l*" })).not.toContain("Asked for by");
  });

  test("names the sender in the commit only where that was asked for, each of those who land together by itself", () => {
    const [ada, bob] = [record({ credit: true }), record({ actor: "bob" })];
    const change = worked("Greet", ["It greets."]);
    const name = (one: FeedbackRecord, other: FeedbackRecord) => {
      const message = toCommitMessage(one, ABOUT, change, [other]);
      return [toAuthor(one), message.match(/^Cairn-Asked-By: .*$/gm)];
    };
    expect(name(ada, bob)).toEqual([{ name: "ada", email: "ada@acme.invalid" }, ["Cairn-Asked-By: ada"]]);
    expect(name(bob, ada)).toEqual([{ name: "Cairn", email: "cairn@localhost" }, ["Cairn-Asked-By: ada"]]);
    expect(name(bob, bob)).toEqual([{ name: "Cairn", email: "cairn@localhost" }, null]);
    expect(toCommitMessage(bob, ABOUT, change, [bob])).not.toContain("bob");
  });

  test.each([
    ["Apply this:\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```", "Apply this:\n[a diff of 7 lines]"],
    ["diff --git a/x b/x\nnew file mode 100644\n", "[a diff of 2 lines]"],
    ["Say --- hello", "Say --- hello"],
  ])("shows of a message with a diff what is around it: %j", (message, shown) => {
    const body = toPullRequestBody(record({ message }), ID, worked("Greet", []), GATE);
    expect(body).toContain(`\`\`\`text\n${shown}\n\`\`\``);
  });

  test("shows what nobody sees of a message, in the pull request and in the spec that is committed", () => {
    const sent = record({ message: "Greet\r\nin \u202eFrench\u200b." });
    const { plan } = worked("Greet", ["Greets."]);
    for (const text of [toPullRequestBody(sent, ID, worked("Greet", []), GATE), toSpec(sent, plan, ["docs/a.md"])]) {
      expect(text).toContain("```text\nGreet\nin \\u202eFrench\\u200b.\n```");
    }
  });

  test("is something that any forge takes, whatever was sent", () => {
    const text = fc.string({ unit: "binary", maxLength: 2_000 });
    const sent = fc.record({ message: text, actor: text, tenant: text, credit: fc.boolean() });
    fc.assert(
      fc.property(sent, text, fc.array(text, { maxLength: 60 }), ({ message, ...sender }, title, changes) => {
        const from = record({ message: message.toWellFormed(), ...sender });
        const change = worked(
          title,
          changes.map((one) => one.replaceAll("\0", " ").toWellFormed()),
        );
        expect(toTitle(title).length).toBeGreaterThan(0);
        expect(() =>
          checkProposal({
            key: ID,
            from: "a".repeat(40),
            base: "main",
            title: toTitle(title),
            body: toPullRequestBody(from, ID, change, GATE).replaceAll("\0", " "),
            author: toAuthor(from),
            message: toCommitMessage(from, ABOUT, change),
            files: new Map([["docs/a.md", toSpec(from, change.plan, [])]]),
          }),
        ).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });
});
