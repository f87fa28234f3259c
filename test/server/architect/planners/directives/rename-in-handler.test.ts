import { describe, expect, it } from "vitest";
import { renameInHandler } from "../../../../../server/architect/planners/directives/rename-in-handler.ts";

describe("renameInHandler", () => {
  it("renames what is read of the input, and its type", () => {
    const code = "const log: Handler<{ tail?: number }> = async (input, ctx) => ({ tail: input.tail });";
    expect(renameInHandler(code, "tail", "lines")).toBe(
      "const log: Handler<{ lines?: number }> = async (input, ctx) => ({ tail: input.lines });",
    );
  });

  it("keeps the name of the variable where the input is taken apart", () => {
    const code = "const log: Handler<{ tail: number }> = async ({ tail }, ctx) => ({ rows: tail });";
    expect(renameInHandler(code, "tail", "lines")).toBe(
      "const log: Handler<{ lines: number }> = async ({ lines: tail }, ctx) => ({ rows: tail });",
    );
  });

  it("leaves a handler alone that hands its input on", () => {
    const code = "const log: Handler<{ tail: number }> = async (input, ctx) => read(input);";
    expect(renameInHandler(code, "tail", "lines")).toBeUndefined();
  });

  it("renames a field of a type that is declared beside the handler", () => {
    const code =
      "interface Input {\n  tail: number;\n}\nconst log: Handler<Input> = async ({ tail = 5 }, ctx) => ({ rows: tail });";
    expect(renameInHandler(code, "tail", "lines")).toBe(
      "interface Input {\n  lines: number;\n}\nconst log: Handler<Input> = async ({ lines: tail = 5 }, ctx) => ({ rows: tail });",
    );
  });

  it("leaves a handler alone whose type is not declared in its file, or has the name already", () => {
    const code = "const log: Handler<Input> = async ({ tail }, ctx) => ({ rows: tail });";
    expect(renameInHandler(code, "tail", "lines")).toBeUndefined();
    const declared = `type Input = { tail: number; lines: number };\n${code}`;
    expect(renameInHandler(declared, "tail", "lines")).toBeUndefined();
  });
});
