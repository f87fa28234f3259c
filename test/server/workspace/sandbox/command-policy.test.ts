import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMAND_LIMITS } from "../../../../server/workspace/limits.ts";
import { type CommandPolicy, checkCommand, toLimits } from "../../../../server/workspace/sandbox/command-policy.ts";

const POLICY: CommandPolicy = {
  allow: [
    { program: "npm", args: ["test"] },
    { program: "node", args: ["--test", "test/*.test.ts", "**"] },
    { program: "ls" },
    { program: "sh" },
    { program: "bash", args: ["-c", "make *"] },
  ],
  env: ["CI", "MODE"],
  hosts: [],
  write: true,
};

const check = (command: readonly string[], policy: Partial<CommandPolicy> = {}, env: Record<string, string> = {}) =>
  checkCommand(command, env, { ...POLICY, ...policy });

describe("a policy of commands", () => {
  test.each([
    [["npm", "test"]],
    [["node", "--test", "test/a.test.ts"]],
    [["node", "--test", "test/.test.ts", "--watch", "x"]],
    [["ls"]],
    [["ls", "-la", "; rm -rf /"]],
    [["bash", "-c", "make all && rm -rf /"]],
  ])("allows %j", (command) => expect(() => check(command)).not.toThrow());

  test.each([
    [["npm", "run", "test"]],
    [["npm"]],
    [["npm", "test", "--", "x"]],
    [["node"]],
    [["node", "-e", "1"]],
    [["node", "--test"]],
    [["node", "--test", "test/x.ts"]],
    [["sh", "-c", "ls"]],
    [["sh"]],
    [["bash", "-c", "rm"]],
    [["bash", "-lc", "make x"]],
    [["cat", "a"]],
  ])("does not allow %j", (command) => {
    expect(() => check(command)).toThrow(expect.objectContaining({ name: "FORBIDDEN" }));
  });

  test.each([
    [[]],
    [[""]],
    [["/bin/ls"]],
    [["./ls"]],
    [["../ls"]],
    [["-c"]],
    [["l s"]],
    [["ls", "a\0b"]],
    [["ls", "\u{d800}"]],
    [["ls", ...Array<string>(256).fill("x")]],
    [["ls", "x".repeat(70_000)]],
  ])("takes %# for no command", (command) =>
    expect(() => check(command)).toThrow(expect.objectContaining({ name: "BAD_REQUEST" })),
  );

  test("gives only variables that it names, and none that would run other code", () => {
    expect(() => check(["ls"], {}, { CI: "1", MODE: "" })).not.toThrow();
    expect(() => check(["ls"], {}, { HOME: "/" })).toThrow(expect.objectContaining({ name: "FORBIDDEN" }));
    for (const name of ["LD_PRELOAD", "PATH", "NODE_OPTIONS", "BASH_ENV", "a b", ""]) {
      expect(() => check(["ls"], { env: [name] })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
    }
  });

  test("that names hosts is refused, because no network can be had", () => {
    expect(() => check(["ls"], { hosts: ["example.com"] })).toThrow(expect.objectContaining({ name: "EGRESS_DENIED" }));
  });

  test("can lower limits and raise none", () => {
    expect(toLimits({ ...POLICY, limits: { processes: 5, wallMs: 1e9 } })).toEqual({ ...COMMAND_LIMITS, processes: 5 });
    for (const processes of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(() => check(["ls"], { limits: { processes } })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
    }
  });

  test("matches arguments as the pattern's regular expression does", () => {
    const letters = (...chars: string[]) =>
      fc.array(fc.constantFrom(...chars), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(letters("a", "b", "*"), letters("a", "b"), (pattern, text) => {
        fc.pre(pattern !== "**");
        const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(text);
        const isAllowed = () => check(["x", text], { allow: [{ program: "x", args: [pattern] }] });
        if (expected) expect(isAllowed).not.toThrow();
        else expect(isAllowed).toThrow();
      }),
    );
  });
});
