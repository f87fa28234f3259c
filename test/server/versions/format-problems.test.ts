import { describe, expect, it } from "vitest";
import { formatProblems } from "../../../server/versions/format-problems.ts";
import type { Problem } from "../../../server/versions/problem.ts";

const PROBLEM: Problem = {
  file: "manifests/runner/chat.yaml",
  line: 3,
  column: 7,
  rule: "unknown-key",
  message: "`nam` is not allowed.",
  fix: "Did you mean `name`?",
};

describe("formatProblems", () => {
  it("writes text as compilers do, with the fix below", () => {
    expect(formatProblems([PROBLEM, { ...PROBLEM, line: 4 }], "text")).toBe(
      "manifests/runner/chat.yaml:3:7: `nam` is not allowed. (unknown-key)\n    Did you mean `name`?\n" +
        "manifests/runner/chat.yaml:4:7: `nam` is not allowed. (unknown-key)\n    Did you mean `name`?\n",
    );
    expect(formatProblems([], "text")).toBe("");
  });

  it("writes JSON that reads back as the problems", () => {
    expect(JSON.parse(formatProblems([PROBLEM], "json"))).toEqual([PROBLEM]);
    expect(formatProblems([], "json")).toBe("[]\n");
  });

  it("writes commands that GitHub Actions turns into annotations", () => {
    expect(formatProblems([PROBLEM], "github")).toBe(
      "::error file=manifests/runner/chat.yaml,line=3,col=7,title=unknown-key::`nam` is not allowed.%0ADid you mean `name`?\n",
    );
  });

  it("lets no manifest write a command of its own, or to a terminal", () => {
    const hostile = { ...PROBLEM, file: "a,b:c\n.yaml", message: "x\r\n::set-env::\u001b[31m 100%", fix: "\u009b1m" };
    expect(formatProblems([hostile], "github")).toBe(
      "::error file=a%2Cb%3Ac%0A.yaml,line=3,col=7,title=unknown-key::x%0D%0A::set-env::\u001b[31m 100%25%0A\u009b1m\n",
    );
    expect(formatProblems([hostile], "text")).toBe(
      "a,b:c\\u000a.yaml:3:7: x\\u000d\\u000a::set-env::\\u001b[31m 100% (unknown-key)\n    \\u009b1m\n",
    );
  });
});
