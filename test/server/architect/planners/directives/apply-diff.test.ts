import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createDirectivePlanner } from "../../../../../server/architect/planners/directives/create-directive-planner.ts";
import type { Plan } from "../../../../../server/architect/planners/plan.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { createGround, type Files } from "../../../../helpers/plan-ground.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";

const planner = createDirectivePlanner();
const FILES: Files = new Map(
  Object.entries(
    agentFiles({
      version: "1.0.0",
      tools: { greet: { handler: "export default () => ({});\n" } },
      files: { "docs/notes.md": "one\ntwo\nthree\nfour\nfive\n" },
    }),
  ),
);
let propose: (message: string, attachments?: readonly string[]) => Promise<Plan | undefined>;
beforeAll(async () => {
  const ground = await createGround(FILES);
  propose = (message, attachments = []) =>
    planner.plan(
      { message, attachments: attachments.map((text) => ({ uri: "file:///a.diff", mediaType: "text/x-diff", text })) },
      ground,
    );
});

const DIFF = "--- a/docs/notes.md\n+++ b/docs/notes.md\n@@ -2,2 +2,2 @@\n two\n-three\n+THREE\n";
const NOTES = "one\ntwo\nTHREE\nfour\nfive\n";

describe("a unified diff", () => {
  test("is applied where it stands in the message, fenced or not, alone or below a sentence, and where it is attached", async () => {
    const messages = [
      DIFF,
      `Please apply this diff:\n\n\`\`\`diff\n${DIFF}\`\`\`\nThanks!`,
      `Apply the following patch:\n${DIFF}`,
      `\`\`\`\n${DIFF}\`\`\`\nPlease apply this.`,
    ];
    for (const message of messages) {
      expect(await propose(message)).toEqual({
        kind: "change",
        title: "Changes docs/notes.md",
        changes: ["Changes `docs/notes.md`."],
        files: new Map([["docs/notes.md", NOTES]]),
      });
    }
    expect(await propose("Apply the attached diff, please.", [DIFF])).toMatchObject({
      files: new Map([["docs/notes.md", NOTES]]),
    });
  });

  test("is applied without numbers of lines and with lines left out where it fits one place", async () => {
    const hunks = [
      "@@\n two\n-three\n+THREE\n",
      "@@ ... @@\n one\n-three\n+THREE\n",
      "@@\n   two\n-  three\n+  THREE\n",
    ];
    for (const hunk of hunks) {
      const plan = await propose(
        `please apply, thx\n\n\`\`\`diff\n--- docs/notes.md\n+++ docs/notes.md\n${hunk}\`\`\``,
      );
      expect(plan).toMatchObject({ kind: "change", files: new Map([["docs/notes.md", NOTES]]) });
    }
    const other = await propose(
      "Apply this:\n\n```diff\n--- a/docs/notes.md\n+++ b/docs/notes.md\n@@\n-six\n+SIX\n```",
    );
    expect(other).toMatchObject({ kind: "reject", reason: expect.stringContaining("does not fit") as string });
  });

  test("is what the words beside an order to apply it say it is, unless they may want something else", async () => {
    const block = `Apply this diff:\n\n\`\`\`diff\n${DIFF}\`\`\``;
    expect(await propose(`People look for capitals. ${block}`)).toEqual({
      kind: "change",
      title: "People look for capitals",
      changes: ["People look for capitals."],
      files: new Map([["docs/notes.md", NOTES]]),
    });
    for (const words of [
      "Only the second line is good.",
      "Tell everybody about it.",
      "Is it good?",
      "It is not good.",
    ]) {
      expect(await propose(`${words} ${block}`)).toMatchObject({
        kind: "reject",
        reason: expect.stringContaining(`this is not: "${words}"`),
      });
    }
  });

  test("may be attached as a JSON Patch with its file", async () => {
    const patch = [{ op: "replace", path: "/description", value: "An agent." }];
    const plan = await propose("Please apply the attached patch", [
      JSON.stringify({ file: "manifests/agent.yaml", patch }),
    ]);
    expect(plan).toMatchObject({ kind: "change", changes: ["Changes `manifests/agent.yaml`."] });
  });

  test("is left alone where the message does not refer to it", async () => {
    expect(await propose("What do you think?", [DIFF])).toBeUndefined();
  });

  test("may add, rename and delete files", async () => {
    const plan = await propose(
      "--- /dev/null\n+++ b/docs/new.md\n@@ -0,0 +1 @@\n+new\n" +
        "diff --git a/docs/notes.md b/docs/moved.md\nrename from docs/notes.md\nrename to docs/moved.md\n--- a/docs/notes.md\n+++ b/docs/moved.md\n@@ -1 +1 @@\n-one\n+ONE\n",
    );
    expect(plan).toMatchObject({
      files: new Map([
        ["docs/moved.md", "ONE\ntwo\nthree\nfour\nfive\n"],
        ["docs/new.md", "new\n"],
        ["docs/notes.md", null],
      ]),
    });
  });

  test.each([
    [
      "names a place that may not be changed",
      "--- a/.github/x.yml\n+++ b/.github/x.yml\n@@ -1 +1 @@\n-a\n+b\n",
      "`.github/x.yml` cannot be changed by feedback",
    ],
    ["names the checks", "--- /dev/null\n+++ b/.ci/run\n@@ -0,0 +1 @@\n+a\n", "`.ci/run` cannot be changed"],
    ["leaves the tree", "--- /dev/null\n+++ b/docs/../../x\n@@ -0,0 +1 @@\n+a\n", "cannot be one of a workspace"],
    [
      "does not fit",
      "--- a/docs/notes.md\n+++ b/docs/notes.md\n@@ -1 +1 @@\n-nothing\n+b\n",
      "does not fit `docs/notes.md`: at line 1",
    ],
    ["changes what is not there", "--- a/docs/none.md\n+++ b/docs/none.md\n@@ -1 +1 @@\n-a\n+b\n", "no such file"],
    ["adds what is there", "--- /dev/null\n+++ b/docs/notes.md\n@@ -0,0 +1 @@\n+a\n", "there is one already"],
    ["is malformed", "--- a/docs/notes.md\n+++ b/docs/notes.md\n@@ -1,9 +1 @@\n-one\n", "refused at line 3"],
    [
      "makes no valid manifest",
      "--- a/manifests/agent.yaml\n+++ b/manifests/agent.yaml\n@@ -1 +1 @@\n-name: test-agent\n+nome: test-agent\n",
      "manifests/agent.yaml:1",
    ],
    [
      "makes a file executable",
      "diff --git a/tools/x.sh b/tools/x.sh\nnew file mode 100755\n--- /dev/null\n+++ b/tools/x.sh\n@@ -0,0 +1 @@\n+a\n",
      "executable",
    ],
  ])("[A6] is rejected whole when it %s", async (_, diff, reason) => {
    expect(await propose(diff.includes("docs/notes.md") ? diff : diff + DIFF)).toMatchObject({
      kind: "reject",
      reason: expect.stringContaining(reason),
    });
  });

  test("gives what git gives", async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, "docs"));
    const line = fc.constantFrom("a", "b", "c", "", "é", "x y", "tab\t", "win\r");
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, ends]) => lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        writeFileSync(join(folder, "docs/a.md"), before);
        writeFileSync(join(folder, "docs/b.md"), after);
        let diff = "";
        try {
          execFileSync("git", ["diff", "--no-index", "--no-color", "docs/a.md", "docs/b.md"], { cwd: folder });
        } catch (error) {
          diff = String((error as { readonly stdout: Buffer }).stdout);
        }
        const made = diff.replaceAll("docs/b.md", "docs/a.md");
        const ground = await createGround(new Map([...FILES, ["docs/a.md", before]]));
        const plan = await planner.plan(
          {
            message: "Apply the attached patch",
            attachments: [{ uri: "file:///a", mediaType: "text/plain", text: made }],
          },
          ground,
        );
        expect(plan).toMatchObject({ files: new Map([["docs/a.md", after]]) });
      }),
      { numRuns: 25 },
    );
    expect(readFileSync(join(folder, "docs/a.md"), "utf8")).not.toBe("");
  });
});
