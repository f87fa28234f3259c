import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandContext } from "../../../../server/cli/command.ts";
import { readAgentExecute } from "../../../../server/cli/work/agent-options.ts";
import { CODING_AGENTS } from "../../../../server/worker/agent/coding-agents.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const ENVIRONMENT = { PATH: "/bin", KEY: "hunter2-hunter2" };
const read = (args: Parameters<typeof readAgentExecute>[1], ...raw: readonly string[]) =>
  readAgentExecute({ environment: ENVIRONMENT, now: Date.now } as unknown as CommandContext, args, raw);

describe("the options of cairn worker for coding agents", () => {
  test("leave the steps to the service where none is given", async () => {
    expect(await read({})).toBeUndefined();
  });

  test("take a command, or a well-known agent, and variables by reference", async () => {
    const key = join(await temporaryFolder(), "key");
    await writeFile(key, "from-a-file\n");
    expect(await read({ exec: "true" }, "--env", "KEY", "--env", `OTHER=file:${key}`)).toBeTypeOf("function");
    for (const name of Object.keys(CODING_AGENTS)) expect(await read({ "coding-agent": name })).toBeTypeOf("function");
  });

  test("put nothing that a task says on a command line", () => {
    for (const { command } of Object.values(CODING_AGENTS)) {
      expect(command.filter((word) => /[{}$]/.test(word)).every((word) => word === "{prompt}")).toBe(true);
    }
  });

  test.each([
    [{ exec: "true", "coding-agent": "claude" }, [], /both say what does the tasks/],
    [{ exec: " " }, [], /`--exec` needs a command/],
    [{ "coding-agent": "toString" }, [], /knows `aider`, `claude`, `codex`, `gemini`, `opencode`; for any other/],
    [{ timeout: "5" }, [], /need `--exec` or `--coding-agent`/],
    [{ exec: "true", timeout: "0" }, [], /timeout/],
    [{ exec: "true", rounds: "11" }, [], /rounds/],
    [{ exec: "true" }, ["--env", "KEY=hunter2-hunter2"], /must be `env:NAME` or `file:\/path`/],
    [{ exec: "true" }, ["--env", "MISSING"], /`MISSING`, which is not set/],
    [{ exec: "true" }, ["--env", "a b"], /`--env` takes the name of a variable/],
  ])("refuse %j with %j", async (args, raw, message) => {
    const error: unknown = await read(args, ...raw).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: "BAD_REQUEST", message: expect.stringMatching(message) });
    expect(String(error)).not.toContain("hunter2");
  });
});
