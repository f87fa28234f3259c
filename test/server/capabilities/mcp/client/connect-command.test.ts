import { expect, test } from "vitest";
import { splitWords } from "../../../../../server/capabilities/mcp/client/connect-command.ts";

test.each([
  ["node dist/server.js --flag", ["node", "dist/server.js", "--flag"]],
  ["  npx   -y  pkg@1 ", ["npx", "-y", "pkg@1"]],
  [`node "a b.js" 'c "d"' e\\ f`, ["node", "a b.js", 'c "d"', "e f"]],
  [`sh -c "echo \\"$HOME\\""`, ["sh", "-c", 'echo "$HOME"']],
  [`--opt='a b'x ""`, ["--opt=a bx", ""]],
  ["", []],
])("%s is split as a shell would", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});
