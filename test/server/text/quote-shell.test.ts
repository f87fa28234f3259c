import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoteShell } from "../../../server/text/quote-shell.ts";

test.each(["plain", "", "it's", "''", 'a "b" $HOME `id` \\ !x', "two\nlines", "-rf", "Grüße & *"])(
  "a shell reads %j as it was",
  (word) => {
    expect(execFileSync("sh", ["-c", `printf %s ${quoteShell(word)}`], { encoding: "utf8" })).toBe(word);
  },
);
