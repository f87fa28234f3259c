import { describe, expect, test } from "vitest";
import {
  NOTHING_REVOKED,
  revokesCapability,
  revokesCommand,
  revokesHost,
  uniteRevoked,
} from "../../../server/versions/revoked.ts";

describe("[V9] a revocation", () => {
  test.each([
    [[], "tool:a", false],
    [["tool:a"], "tool:a", true],
    [["tool:a"], "tool:ab", false],
    [["tool:*"], "tool:ab", true],
    [["*"], "architect:chat", true],
  ])("of the capabilities %j concerns %s: %s", (capabilities, capability, expected) => {
    expect(revokesCapability({ ...NOTHING_REVOKED, capabilities }, capability)).toBe(expected);
  });

  test.each([
    [[], "a.example:443", false],
    [["a.example"], "a.example:443", true],
    [["a.example"], "a.example:8443", true],
    [["a.example:8443"], "a.example:8443", true],
    [["a.example:8443"], "a.example:443", false],
    [["a.example"], "b.a.example:443", false],
    [["*.a.example"], "b.a.example:8443", true],
    [["*.a.example"], "a.example:443", false],
    [["*.a.example:443"], "b.a.example:8443", false],
  ])("of the hosts %j concerns %s: %s", (hosts, host, expected) => {
    expect(revokesHost({ ...NOTHING_REVOKED, hosts }, host)).toBe(expected);
  });

  test.each([
    [{ program: "bash", arguments: [] }, ["bash", "-c", "id"], true],
    [{ program: "bash", arguments: ["-c"] }, ["bash", "-c", "id"], true],
    [{ program: "bash", arguments: ["-c", "id"] }, ["bash", "-c"], false],
    [{ program: "bash", arguments: ["-c"] }, ["bash", "--version"], false],
    [{ program: "bash", arguments: [] }, ["sh"], false],
  ])("of the command %j concerns %j: %s", (command, run, expected) => {
    expect(revokesCommand({ ...NOTHING_REVOKED, commands: [command] }, run)).toBe(expected);
  });

  test("of several policies is all of theirs, each once", () => {
    const command = { program: "bash", arguments: [] };
    const one = { roles: ["a"], capabilities: ["x"], hosts: ["h"], commands: [command], secrets: ["A"] };
    const commands = [{ ...command }, { program: "bash", arguments: ["-c"] }];
    const other = { ...one, roles: ["b", "a"], commands, secrets: ["B", "A"] };
    expect(uniteRevoked([])).toBe(NOTHING_REVOKED);
    expect(uniteRevoked([one])).toBe(one);
    expect(uniteRevoked([one, other])).toEqual({
      roles: ["a", "b"],
      capabilities: ["x"],
      hosts: ["h"],
      commands: [command, { program: "bash", arguments: ["-c"] }],
      secrets: ["A", "B"],
    });
  });
});
