import { describe, expect, test } from "vitest";
import { readSpec } from "../../../../server/imports/packages/read-spec.ts";

describe("a package as a person names it", () => {
  test.for([
    ["marked", { name: "marked", specifier: "marked", stem: "marked" }],
    ["ipaddr.js@2.5.0", { name: "ipaddr.js", specifier: "ipaddr.js", stem: "ipaddr", range: "2.5.0" }],
    ["zod@>=4 <5", { name: "zod", specifier: "zod", stem: "zod", range: ">=4 <5" }],
    ["@octokit/request", { name: "@octokit/request", specifier: "@octokit/request", stem: "octokit__request" }],
    [
      "lodash-es/groupBy@^4",
      { name: "lodash-es", specifier: "lodash-es/groupBy", stem: "lodash-es__groupBy", range: "^4" },
    ],
    ["@a/b/c/d.js", { name: "@a/b", specifier: "@a/b/c/d.js", stem: "a__b__c__d" }],
  ] as const)("is read: %s", ([text, spec]) => {
    expect(readSpec(text)).toEqual(spec);
  });

  test.for([
    "",
    "--registry=http://evil.example",
    "../folder",
    "file:folder",
    "https://example.com/a.tgz",
    "git+ssh://git@example.com/a.git",
    "owner/repo#main",
    "a/../b",
    "a@file:b",
    "a@npm:b",
    "a@..",
    "a@https://example.com/a.tgz",
    ".hidden",
    "a b",
  ])("is refused, because no registry has it: %s", (text) => {
    expect(() => readSpec(text)).toThrow(/names no package/);
  });
});
