/** A command-line program that changes the files of a folder as a prompt says, without asking anybody. */
export interface CodingAgent {
  /** Program and arguments; `{prompt}` stands for the path of the file with the prompt, which standard input has, too. */
  readonly command: readonly string[];
  /** Beginnings of paths that it leaves in the folder for itself. */
  readonly leaves?: readonly string[];
}

/**
 * Well-known coding agents, with the flags that their documentation names for use without a person: they may edit files of
 * the folder, and are told nothing on the command line that a task says.
 */
export const CODING_AGENTS: Readonly<Record<string, CodingAgent>> = Object.freeze({
  aider: {
    command: ["aider", "--message-file", "{prompt}", "--yes-always", "--no-auto-commits", "--no-git", "--no-stream"],
    leaves: [".aider"],
  },
  claude: { command: ["claude", "-p", "--permission-mode", "acceptEdits"] },
  codex: { command: ["codex", "exec", "--sandbox", "workspace-write", "--skip-git-repo-check", "-"] },
  gemini: {
    command: [
      "gemini",
      "--approval-mode",
      "auto_edit",
      "--skip-trust",
      "-p",
      "Do the task that standard input describes.",
    ],
  },
  opencode: { command: ["opencode", "run", "--auto"] },
});

/** A command of one's own, as the shell reads it; what a task says is in no part of it. */
export function toShellAgent(command: string): CodingAgent {
  return { command: ["/bin/sh", "-c", command] };
}
