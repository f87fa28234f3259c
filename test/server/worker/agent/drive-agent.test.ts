import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import type { Advanced } from "../../../../server/worker/work-tools.ts";
import { drive, SECRET, STEPS } from "./drive.ts";

describe("a coding agent", () => {
  test("changes a copy of the workspace, and its patch goes through the steps with a plan that names its files", async () => {
    const { outcome, written, patches } = await drive('echo "More." >> README.md; echo "new" > b.md; rm tools/a.ts');
    expect(outcome).toEqual({ status: "completed", summary: "gate: Committed." });
    expect(JSON.parse(written.get("plan.json") ?? "")).toMatchObject({
      status: "planned",
      task_id: "t1",
      run_id: "r1",
      files: ["README.md", "b.md", "tools/a.ts"],
    });
    expect(JSON.parse(written.get("executor_report.json") ?? "")).toMatchObject({ status: "completed" });
    expect(patches).toEqual([
      [
        "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,2 @@\n-Hello.\n+Hello.\n+More.\n",
        "diff --git a/b.md b/b.md\nnew file mode 100644\n--- /dev/null\n+++ b/b.md\n@@ -0,0 +1,1 @@\n+new\n",
        "diff --git a/tools/a.ts b/tools/a.ts\ndeleted file mode 100644\n--- a/tools/a.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1;\n",
      ].join(""),
    ]);
  });

  test("gets its prompt on standard input and in a file, and no shell reads it", async () => {
    const { written } = await drive('cat > in.md; cmp in.md "$CAIRN_PROMPT_FILE" && cat in.md; ls');
    expect(written.get("agent_round_1.txt")).toContain("# Greet $(touch pwned)\n\n");
    expect(written.get("agent_round_1.txt")).toContain("## Objective\n\nSay `id`.\n");
    expect(written.get("agent_round_1.txt")).toMatch(/\nREADME\.md\nin\.md\ntools\n$/);
  });

  test("does not run again for what somebody has approved: the steps that are left go on with that", async () => {
    const { outcome, patches, written, told } = await drive("touch again.md", { isApproved: true });
    expect(outcome).toEqual({ status: "completed", summary: "gate: Committed." });
    expect([patches, [...written]]).toEqual([[], []]);
    expect(told.join()).not.toContain("round");
  });

  test("reads in its prompt what its requester has answered", async () => {
    const answered_at = "2026-01-01T00:00:00Z";
    const answers = [
      { text: "Only the one for hours.", answered_at },
      { text: "b", reading: "The limit is `8`.", answered_at },
    ];
    const { written } = await drive("cat", { task: { answers } });
    expect(written.get("agent_round_1.txt")).toContain("answered\n\nOnly the one for hours.\n");
    expect(written.get("agent_round_1.txt")).toContain("answered\n\nThe limit is `8`.\n");
  });

  test("is told what was wrong, and mends it from where it was", async () => {
    const wrong: Advanced = { run_id: "r1", state: "failed", step: "verify", message: "`b.md` is not allowed." };
    const { outcome, patches, plans } = await drive(
      'if grep -q "not allowed" "$CAIRN_PROMPT_FILE"; then rm b.md; fi; touch c.md b.md.$$; [ -e d ] || echo "$$" > b.md; touch d',
      {
        steps: [wrong, ...STEPS],
      },
    );
    expect(outcome.status).toBe("completed");
    expect(patches).toHaveLength(2);
    expect(patches[0]).toContain("+++ b/b.md");
    expect(patches[1]).toContain("deleted file mode 100644\n--- a/b.md");
    // What is put back as it was is planned for as long as it is written, and is no part of the change.
    expect(plans.map((files) => files.includes("b.md"))).toEqual([true, true, false]);
  });

  test("that never mends it fails after the rounds it has", async () => {
    const wrong: Advanced = { run_id: "r1", state: "failed", step: "verify", message: "No." };
    const { outcome, told } = await drive("date +%N > b.md", { steps: [wrong, wrong, wrong], rounds: 2 });
    expect(outcome).toEqual({
      status: "failed",
      summary: "What the agent made is refused after 2 rounds: verify: No.",
    });
    expect(told.filter((line) => line.startsWith("round 2"))).toHaveLength(2);
  });

  test("that hangs is ended with all that it has started", async () => {
    const { outcome } = await drive("sleep 600 & echo waiting; wait", { timeoutMs: 300 });
    expect(outcome).toEqual({
      status: "failed",
      summary: "The agent did not end within 0.3 seconds. The last it printed: waiting\n",
    });
  });

  test.each([
    ["ends with an error", "echo oops >&2; exit 7", "The agent ended with exit code 7. The last it printed: oops\n"],
    ["changes nothing", "echo done", "The agent has changed nothing."],
    ["is not there", "exec no-such-program", /^The agent ended with exit code 127\./],
    ["leaves no text", "head -c 100 /dev/urandom > b.bin; printf '\\0' >> b.bin", /`b\.bin` is no text in UTF-8\.$/],
    ["leaves a link out of its folder", "ln -s /etc/passwd b.md", /`b\.md` is neither a file nor a folder\.$/],
    ["leaves too much", "head -c 1100000 /dev/zero | tr '\\0' x > b.md", /`b\.md` has more than 1048576 bytes\.$/],
  ])("that %s fails, with the reason", async (_what, command, summary) => {
    const { outcome, patches } = await drive(command, { rounds: 1 });
    expect(outcome).toEqual({
      status: "failed",
      summary: typeof summary === "string" ? summary : expect.stringMatching(summary),
    });
    expect(patches).toEqual([]);
  });

  test("that touches a path that no workspace takes is told so", async () => {
    const refuse = (patch: string) => {
      if (patch.includes("evil")) throw new CairnError("BAD_REQUEST", "The path `evil.` cannot be one of a workspace.");
    };
    const { outcome, told } = await drive(
      'rm -f evil.; grep -q "cannot be one" "$CAIRN_PROMPT_FILE" || echo x > evil.; echo y > b.md',
      {
        refuse,
      },
    );
    expect(outcome.status).toBe("completed");
    expect(told).toContain("round 1 of 3: The path `evil.` cannot be one of a workspace.");
  });

  test("waits with a change that somebody has to approve", async () => {
    const message = "A change of high risk waits for approval_write.";
    const { outcome } = await drive("echo x > b.md", {
      steps: [{ run_id: "r1", state: "blocked", step: "gate", message }],
    });
    expect(outcome).toEqual({ status: "blocked", summary: `gate: ${message}` });
  });

  test("sees no other variables, and nothing that it prints or writes gives a secret away", async () => {
    const { outcome, written, patches, told } = await drive(
      'echo "${CAIRN_TOKEN:-none} $TOKEN"; if grep -q secret "$CAIRN_PROMPT_FILE"; then echo fine > b.md; else echo "$TOKEN" > b.md; fi',
    );
    expect(outcome.status).toBe("completed");
    expect(written.get("agent_round_1.txt")).toBe("none [redacted]\n");
    expect(told).toContain("round 1 of 3: `b.md` has the value of TOKEN in it, which is secret.");
    expect(JSON.stringify([...written, patches, told])).not.toContain(SECRET);
  });

  test("is stopped with its worker, which gives the task back", async () => {
    const stopping = new AbortController();
    const { outcome } = await drive("sleep 600", { signal: stopping.signal, onTell: () => stopping.abort() });
    expect(outcome).toEqual({ status: "released", summary: "The worker stops." });
  });

  test("leaves nothing on the machine", async () => {
    const list = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("cairn-agent-"));
    const before = await list();
    await drive("mkdir deep; chmod 500 deep; exit 1");
    expect(await list()).toEqual(before);
  });
});
