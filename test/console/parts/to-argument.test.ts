import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { toArgument } from "../../../console/parts/to-argument.ts";

test("a text of an address is one argument of a shell, however it is written", () => {
  expect(toArgument("^1.2")).toBe("^1.2");
  for (const text of ["", "a b", "x; echo taken", "$(echo taken)", "it's `echo taken`", "a\nb", '"', "-", "~", "*"]) {
    expect(execFileSync("sh", ["-c", `printf %s ${toArgument(text)}`], { env: { HOME: "/home" } }).toString()).toBe(
      text,
    );
  }
});
