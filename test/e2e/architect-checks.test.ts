import { expect, test, vi } from "vitest";
import { createGreeter } from "../fixtures/greeter.ts";
import { openArchitectService } from "../helpers/architect-service.ts";
import { findSandbox } from "../helpers/sandbox.ts";

const sandbox = await findSandbox();
const AGENT = "manifests/agent.yaml";
const CHECK = { name: "word", command: ["node", "docs/check.mjs"] };
const ADD = patchOf({ op: "add", path: "/checks", value: [CHECK] });
const TAKE_OUT = patchOf({ op: "remove", path: "/checks" });
const WORD =
  'import { readFileSync } from "node:fs";\nif (!readFileSync("docs/word.md", "utf8").includes("right")) process.exit(1);\n';

function patchOf(...patch: readonly object[]): string {
  return `Apply this JSON Patch to ${AGENT}: ${JSON.stringify(patch)}`;
}

/** A repository whose policies allow a command, and whose word is right or wrong. */
async function open(word: string, commands = "commands:\n  - { program: node, arguments: [docs/check.mjs] }\n") {
  const files = await createGreeter();
  const policy = "manifests/policies/access.yaml";
  const service = await openArchitectService({
    files: { ...files, [policy]: `${files[policy]}${commands}`, "docs/check.mjs": WORD, "docs/word.md": `${word}\n` },
  });
  const approve = async ({ task_id, run_id }: { readonly task_id: string; readonly run_id: string }) => {
    const input = { task_id, run_id, approver: "pat", reason: "It is meant." };
    expect((await service.post("pat", "/agent/latest/api/tools/approval_write", input)).status).toBe(200);
  };
  /** Sends what has to wait, and has it approved. */
  const sendApproved = async (message: string) => {
    const asked = await service.chat("ada", { message });
    expect([asked.status, asked.body.status]).toEqual([202, "waiting"]);
    await approve(asked.body);
    return vi.waitFor(async () => {
      const { body } = await service.get("ada", asked.headers.get("location") ?? "");
      expect(body.status).toBe("ended");
      return body.answer;
    }, 30_000);
  };
  const landed = async () => (await service.origin.git("show", `main:${AGENT}`)).includes("checks");
  return { ...service, sendApproved, landed };
}

const HARMLESS = 'Set the description of runner.greet to "Greets somebody by name."';

test.skipIf(!sandbox.available)(
  "a check that no change could pass is never declared, and one that can be passed waits for somebody",
  async () => {
    const { chat, landed } = await open("right", "");
    const bricking = await chat("ada", {
      message: patchOf({ op: "add", path: "/checks", value: [{ name: "test", command: ["node", "--test"] }] }),
    });
    expect(bricking.body).toMatchObject({ result: "rejected", notes: expect.stringContaining("tests: failed") });
    expect(bricking.body.notes).toContain("test: The policy allows no command `node --test`");
    expect((await chat("ada", { message: HARMLESS })).body).toMatchObject({ result: "committed" });
    expect(await landed()).toBe(false);

    const other = await open("wrong");
    expect((await other.chat("ada", { message: ADD })).body).toMatchObject({
      result: "rejected",
      notes: expect.stringContaining("word: `node docs/check.mjs` ended with 1"),
    });

    const good = await open("right");
    const dry = await good.chat("ada", { message: ADD, dry_run: true });
    expect(dry.body.notes).toContain(
      "once somebody else approves it. It adds the check `word` (`node docs/check.mjs`)",
    );
    expect(await good.sendApproved(ADD)).toMatchObject({ result: "committed" });
    expect(await good.landed()).toBe(true);
    expect((await good.chat("ada", { message: HARMLESS })).body).toMatchObject({ result: "committed" });
  },
);

test.skipIf(!sandbox.available)(
  "a check that broke can be taken out, with somebody's approval, and nothing else lands before",
  async () => {
    const { chat, clone, sendApproved, landed } = await open("right");
    expect(await sendApproved(ADD)).toMatchObject({ result: "committed" });
    await clone.git("pull", "--quiet");
    await clone.commit({ "docs/word.md": "wrong\n" });
    await clone.git("push", "--quiet", "origin", "HEAD:main");
    const { body } = await chat("ada", { message: HARMLESS });
    expect(body).toMatchObject({ result: "rejected", notes: expect.stringContaining("tests: failed") });
    expect(await sendApproved(TAKE_OUT)).toMatchObject({ result: "committed" });
    expect(await landed()).toBe(false);
    expect((await chat("ada", { message: HARMLESS })).body).toMatchObject({ result: "committed" });
  },
);
