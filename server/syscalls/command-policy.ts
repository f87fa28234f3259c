import type { Version } from "../versions/version.ts";
import type { CommandPolicy } from "../workspace/sandbox/command-policy.ts";

/** What the policies of a version let its runs execute: each of them may allow more. */
export function toCommandPolicy({ policies }: Version, [program = ""]: readonly string[]): CommandPolicy {
  const commands = policies.flatMap((policy) => policy.commands);
  return {
    allow: commands.map((allowed) => ({ program: allowed.program, args: [...allowed.arguments, "**"] })),
    env: [],
    // A program that may reach hosts is not run without them: it would fail in ways that nobody could understand.
    hosts: [...new Set(commands.filter((one) => one.program === program).flatMap(({ hosts }) => hosts))],
    write: true,
  };
}
