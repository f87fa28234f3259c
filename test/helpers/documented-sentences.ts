import { readFileSync } from "node:fs";

/** The rows of the table of sentences in docs/architect.md: what somebody says, and what comes of it. */
export function readSentences(): readonly (readonly [message: string, outcome: string])[] {
  const [, table = ""] = readFileSync("docs/architect.md", "utf8").split("<!-- sentences: begin -->");
  return table
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| message") && !line.startsWith("| ---"))
    .map((line) => {
      const [message = "", outcome = ""] = line.slice(2, -2).split(" | ");
      return [message.trim(), outcome.trim()] as const;
    });
}
