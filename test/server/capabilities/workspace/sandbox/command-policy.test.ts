import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Revoked } from "../../../../../server/versions/policy.ts";
import { NOTHING_REVOKED } from "../../../../../server/versions/revoked.ts";
import { COMMAND_LIMITS } from "../../../../../server/capabilities/workspace/limits.ts";
import {
  type CommandPolicy,
  checkCommand,
  toHosts,
  toLimits,
} from "../../../../../server/capabilities/workspace/sandbox/command-policy.ts";

const allow = (program: string, args: readonly string[] = [], hosts: readonly string[] = []) => ({
  program,
  arguments: args,
  hosts,
});
const POLICY: CommandPolicy = {
  allow: [
    allow("npm", ["test"]),
    allow("node", ["--test", "test/*.test.ts"]),
    allow("ls"),
    allow("sh"),
    allow("bash", ["-c"]),
  ],
  env: ["CI", "MODE"],
  write: true,
};

const check = (command: readonly string[], policy: Partial<CommandPolicy> = {}, env: Record<string, string> = {}) =>
  checkCommand(command, env, { ...POLICY, ...policy });

describe("a policy of commands", () => {
  test.each([
    [["npm", "test"]],
    [["npm", "test", "--", "x"]],
    [["node", "--test", "test/*.test.ts"]],
    [["node", "--test", "test/*.test.ts", "--watch", "x"]],
    [["ls"]],
    [["ls", "-la", "; rm -rf /"]],
    [["bash", "-c", "make all && rm -rf /"]],
  ])("allows %j", (command) => expect(() => check(command)).not.toThrow());

  test.each([
    [["npm", "run", "test"]],
    [["npm"]],
    [["npm", "tests"]],
    [["node"]],
    [["node", "-e", "1"]],
    [["node", "--test"]],
    [["node", "--test", "test/x.test.ts"]],
    [["node", "test/*.test.ts", "--test"]],
    [["sh", "-c", "ls"]],
    [["sh"]],
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

  test("opens the hosts of whatever allows the very command, and no others", () => {
    const policy = {
      ...POLICY,
      allow: [
        allow("npm", ["ci"], ["registry.npmjs.org"]),
        allow("npm", ["ci", "--audit"], ["audit.example", "registry.npmjs.org"]),
        allow("npm", ["test"]),
        allow("pip", [], ["pypi.org"]),
        allow("sh", [], ["sh.example"]),
      ],
    };
    expect(toHosts(["npm", "ci"], policy)).toEqual(["registry.npmjs.org"]);
    expect(toHosts(["npm", "ci", "--audit", "x"], policy)).toEqual(["registry.npmjs.org", "audit.example"]);
    expect(toHosts(["npm", "test", "ci"], policy)).toEqual([]);
    expect(toHosts(["pip", "install"], policy)).toEqual(["pypi.org"]);
    expect(toHosts(["sh", "-c", "npm ci"], policy)).toEqual([]);
  });

  test("[V9] allows nothing that is revoked by then", () => {
    let commands: Revoked["commands"] = [];
    const policy = { revoked: () => ({ ...NOTHING_REVOKED, commands }) };
    const revoked = expect.objectContaining({ name: "FORBIDDEN", message: expect.stringContaining("have revoked") });
    expect(() => check(["npm", "test"], policy)).not.toThrow();
    commands = [{ program: "npm", arguments: ["test"] }];
    expect(() => check(["npm", "test", "x"], policy)).toThrow(revoked);
    expect(() => check(["ls"], policy)).not.toThrow();
    commands = [{ program: "ls", arguments: [] }];
    expect(() => check(["ls", "-la"], policy)).toThrow(revoked);
    expect(() => check(["npm", "test"], policy)).not.toThrow();
  });

  test("can lower limits and raise none", () => {
    expect(toLimits({ ...POLICY, limits: { processes: 5, wallMs: 1e9 } })).toEqual({ ...COMMAND_LIMITS, processes: 5 });
    for (const processes of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(() => check(["ls"], { limits: { processes } })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
    }
  });

  test("takes arguments as they stand, whatever signs are in them", () => {
    const args = fc.array(fc.string({ unit: fc.constantFrom("a", "*", "?", ".", " "), maxLength: 3 }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(args, args, (wanted, given) => {
        const isAllowed = () => check(["x", ...given], { allow: [allow("x", wanted)] });
        if (JSON.stringify(given.slice(0, wanted.length)) === JSON.stringify(wanted)) expect(isAllowed).not.toThrow();
        else expect(isAllowed).toThrow(expect.objectContaining({ name: "FORBIDDEN" }));
      }),
    );
  });
});
