import { describe, expect, it } from "vitest";
import { createPositions } from "../../../../server/versions/manifests/position.ts";

describe("createPositions", () => {
  it("counts lines that end in any way, and UTF-16 units", () => {
    const at = createPositions("a\r\nb\rc\n😀d");
    expect([0, 3, 5, 7, 9].map(at)).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 4, column: 3 },
    ]);
  });
});
