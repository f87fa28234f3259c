import type { PromotedFile } from "./promote.ts";

/** Length of the Architect's longest message; longer files have to be proposed in another way. */
const MESSAGE_LENGTH = 20_000;

/** The message that has the Architect put the files into the repository; undefined when they are too long for one. */
export function toFeedback(name: string, files: readonly PromotedFile[]): string | undefined {
  const diff = files.map(({ path, content }) => toNewFile(path, content)).join("");
  const message = `The artifact \`${name}\` becomes a tool. Apply this diff:\n\n\`\`\`diff\n${diff}\`\`\`\n`;
  return message.length > MESSAGE_LENGTH ? undefined : message;
}

function toNewFile(path: string, content: string): string {
  const isEnded = content.endsWith("\n");
  const lines = (isEnded ? content.slice(0, -1) : content).split("\n").map((line) => `+${line}\n`);
  const end = isEnded ? "" : "\\ No newline at end of file\n";
  return `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.join("")}${end}`;
}
