import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CODING_AGENTS } from "../../../../server/worker/agent/coding-agents.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { drive } from "./drive.ts";

/**
 * Stand-in for the program of a coding agent: prints its arguments and standard input, checks the file with the prompt, changes a
 * file, and leaves a note of its own.
 */
const PROGRAM = `#!/bin/sh
printf '<%s>\n' "$@"
cat > stdin.tmp
cat stdin.tmp
cmp stdin.tmp "$CAIRN_PROMPT_FILE" || exit 1
rm stdin.tmp
echo "Changed." >> README.md
echo "Mine." > ".$(basename "$0").history.md"
`;

/** Arguments of each program; `<prompt>` is the path of the file with the prompt. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  aider: ["--message-file", "<prompt>", "--yes-always", "--no-auto-commits", "--no-git", "--no-stream"],
  claude: ["-p", "--permission-mode", "acceptEdits"],
  codex: ["exec", "--sandbox", "workspace-write", "--skip-git-repo-check", "-"],
  gemini: ["--approval-mode", "auto_edit", "--skip-trust", "-p", "Do the task that standard input describes."],
  opencode: ["run", "--auto"],
};

/** Starts of the prompt that every agent gets on standard input. */
const PROMPT = "# Greet $(touch pwned)\n\nChange the files of the current folder so that the objective below is met.";

test("has a stand-in here for each", () => {
  expect(Object.keys(CODING_AGENTS)).toEqual(Object.keys(ARGUMENTS));
});

test.each(Object.entries(ARGUMENTS))(
  "runs %s with its arguments, and the prompt on standard input",
  async (name, args) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, name), PROGRAM, { mode: 0o755 });
    const agent = CODING_AGENTS[name];
    if (agent === undefined) throw new Error(`There is no agent ${name}.`);
    const { outcome, written, patches, told } = await drive("", {
      agent,
      environment: { PATH: `${folder}:${process.env["PATH"]}` },
      secrets: [],
    });
    expect(outcome).toEqual({ status: "completed", summary: "gate: Committed." });
    const printed = written.get("agent_round_1.txt") ?? "";
    const at = printed.indexOf("# Greet");
    const given = [...printed.slice(0, at).matchAll(/^<(.*)>$/gm)].map(([, argument = ""]) => argument);
    expect(given.map((argument) => argument.replace(/^\/.*\/prompt\.md$/, "<prompt>"))).toEqual(args);
    expect(printed.slice(at)).toContain(PROMPT);
    expect(printed.slice(at)).toMatch(/\n## Objective\n\nSay `id`\.\n$/);
    expect(told[0]).toBe(`round 1: ${name} runs.`);
    // What an agent is known to leave for itself is no part of the change.
    const own = (agent.leaves ?? []).length === 0 ? [`.${name}.history.md`] : [];
    const paths = [...String(patches[0]).matchAll(/^diff --git a\/(\S+)/gm)].map(([, path]) => path);
    expect(paths).toEqual([...own, "README.md"]);
  },
);

test.each(Object.entries(ARGUMENTS))("has the command of %s in the documentation", (name, args) => {
  const shown = [name, ...args].map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ");
  expect(readFileSync("docs/work.md", "utf8")).toContain(`| \`${shown}\` `);
});
