import { describe, expect, test } from "vitest";
import { findUnknownVariables, readConfig } from "../../../server/config/config.ts";

const FORM =
  "must be `NAME=env:VARIABLE`, `NAME=file:/path`, `tenant/NAME=...` or `folder:/path`, with capital letters, digits and _ in NAME";

function readProblems(text: string): readonly string[] {
  const read = readConfig({ CAIRN_SECRETS: text, GH: "value-of-github" });
  return read.ok ? [] : read.problems;
}

describe("[D12] CAIRN_SECRETS", () => {
  test.each([
    [
      "a secret in place of a reference",
      "GITHUB=hunter2hunter2",
      "CAIRN_SECRETS (GITHUB) must be `env:NAME` or `file:/path`: a reference to the secret, not the secret",
    ],
    ["a secret alone", "hunter2hunter2", `entry 1 of CAIRN_SECRETS ${FORM}`],
    ["a name in small letters", "GITHUB=env:GH,github=env:GH", `entry 2 of CAIRN_SECRETS ${FORM}`],
    ["a tenant that is a path", "../GITHUB=env:GH", `entry 1 of CAIRN_SECRETS ${FORM}`],
    [
      "a variable that is not set",
      "GITHUB=env:NOWHERE",
      "CAIRN_SECRETS (GITHUB) names the environment variable `NOWHERE`, which is not set",
    ],
    [
      "a file by a relative path",
      "GITHUB=file:hunter2",
      "CAIRN_SECRETS (GITHUB) names a file by a relative path, which depends on the folder of the start; write `file:/path`",
    ],
    [
      "a folder by a relative path",
      "GITHUB=env:GH,folder:hunter2",
      "entry 2 of CAIRN_SECRETS names a folder by a relative path; write `folder:/path`",
    ],
    ["a name twice", "GITHUB=env:GH,GITHUB=env:GH", "CAIRN_SECRETS (GITHUB) is named twice"],
  ])("refuses %s, without showing it", (_, text, problem) => {
    expect(readProblems(text)).toEqual([problem]);
  });

  test("takes one name for the service and for each tenant", () => {
    expect(readProblems("GITHUB=env:GH,acme/GITHUB=env:GH,other/GITHUB=env:GH")).toEqual([]);
  });

  test("may name variables that begin like Cairn's own", () => {
    expect(
      findUnknownVariables({ CAIRN_SECRETS: "A=env:CAIRN_ONE, B=env:CAIRN_TWO", CAIRN_ONE: "1", CAIRN_TWO: "2" }),
    ).toEqual([]);
    expect(findUnknownVariables({ CAIRN_SECRETS: "A=env:CAIRN_ONE", CAIRN_TWO: "2" })).toHaveLength(1);
  });
});
