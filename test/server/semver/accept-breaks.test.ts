import { describe, expect, it } from "vitest";
import { compareVersions } from "../../../server/semver/compare-versions.ts";
import { judgeClaim } from "../../../server/semver/judge-claim.ts";
import { readTextOf } from "../../../server/versions/read-text-of.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { changeTree, edit } from "../../fixtures/trees/good-tree.ts";
import { loader } from "../../helpers/loader.ts";
import type { Changes } from "./compare-trees.ts";

const POLICY = "manifests/policies/default.yaml";
const TOOL = "manifests/runner/get_weather.yaml";
const FORBIDDEN = { [POLICY]: edit("roles:", "breaks: { accept: false }\nroles:") };
/** `units` cannot be `imperial` any more, and the examples know. */
const NARROWED = {
  [TOOL]: edit("enum: [metric, imperial]", "enum: [metric]", "location: Rome, units: imperial", "location: Rome"),
};
const ENTRY = {
  finding: "input-narrowed",
  of: "tool runner.get_weather",
  member: "units",
  from: "1.6.0",
  reason: "Nobody sent it for 90 days.",
  by: "Ada <ada@example.com>",
};

function released(semver: string, entries: readonly object[], parent = "1.6.0"): Changes {
  const accepts = entries.length === 0 ? "" : `\n    accepts: ${JSON.stringify(entries)}`;
  return {
    "versions.yaml": edit(
      "current: 1.6.0",
      `current: ${semver}`,
      "  1.6.0:",
      `  ${semver}:\n    parent: ${parent}\n    changes: [Less.]${accepts}\n  1.6.0:`,
    ),
  };
}

async function readableOf(changes: Changes) {
  const tree = createMemoryTree(changeTree(changes));
  const loaded = await loader.load(tree, "0123456");
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join(" "));
  return { version: loaded.version, readText: (file: string) => readTextOf(tree, file) };
}

async function judge(before: Changes, after: Changes, isTagged = false) {
  return judgeClaim(await readableOf(before), await readableOf(after), "tree", isTagged);
}

async function judgeEntry(changes: Partial<typeof ENTRY>, before: Changes = {}): Promise<readonly string[]> {
  const problems = await judge(before, { ...NARROWED, ...released("1.6.1", [{ ...ENTRY, ...changes }]) });
  return problems.map(({ rule, message, fix }) => `${rule}: ${message} ${fix}`);
}

describe("[D3] an accepted break", () => {
  it("asks for a patch, for a version that is tagged and for one that is not", async () => {
    const after = { ...NARROWED, ...released("1.6.1", [ENTRY]) };
    expect(await judge({}, after)).toEqual([]);
    expect(await judge({}, after, true)).toEqual([]);
    expect((await judge({}, { ...NARROWED, ...released("1.6.1", []) })).map(({ rule }) => rule)).toEqual([
      "under-claimed",
      "input-narrowed",
    ]);
  });

  it("is found as before, with its reason and who gave it, and lowers the tool's number as well", async () => {
    const [before, after] = [await readableOf({}), await readableOf({ ...NARROWED, ...released("1.6.1", [ENTRY]) })];
    const { findings, required, claims, faults } = compareVersions(before.version, after.version);
    const [first] = findings;
    expect(first).toMatchObject({ level: "major", accepted: { reason: ENTRY.reason, by: ENTRY.by } });
    expect([required, ...claims.map((claim) => claim.required)]).toEqual(["patch", "patch", "patch"]);
    expect(faults).toEqual([]);
  });

  it("leaves other breaks as they are", async () => {
    const more = { [POLICY]: edit('reader: ["tool:*"]', 'reader: ["tool:get_weather"]') };
    const [claim] = await judge({}, { ...NARROWED, ...more, ...released("1.6.1", [ENTRY]) });
    expect(claim).toMatchObject({ rule: "under-claimed" });
  });

  it("counts next to the version that it names, and next to no other", async () => {
    const [older, after] = [released("1.5.9", []), { ...NARROWED, ...released("1.6.1", [ENTRY], "1.5.3") }];
    expect((await judge(older, after)).map(({ rule }) => rule)).toEqual(["under-claimed", "input-narrowed"]);
  });

  it("may be one that cannot be proven", async () => {
    const chat = "manifests/runner/chat.yaml";
    const [before, after] = ["\\bab", "\\b[a]b"].map((pattern) => ({
      [chat]: edit("    message:\n      type: string", `    message:\n      type: string\n      pattern: ${pattern}`),
    }));
    const entry = { ...ENTRY, finding: "input-unproven", of: "tool runner.chat", member: "message" };
    expect(await judge({ ...before }, { ...after, ...released("1.6.1", [entry]) })).toEqual([]);
  });
});

describe("[D3] an entry that several findings match", () => {
  /** `units` loses a value, and has to be there. */
  const PLAIN = { [TOOL]: edit("\n      default: metric", "") };
  const TWICE = {
    [TOOL]: edit(
      "\n      default: metric",
      "",
      "enum: [metric, imperial]",
      "enum: [metric]",
      "required: [location]",
      "required: [location, units]",
      "{ location: Berlin }",
      "{ location: Berlin, units: metric }",
      "{ location: Atlantis }",
      "{ location: Atlantis, units: metric }",
      "location: Rome, units: imperial",
      "location: Rome, units: metric",
    ),
  };
  const judgeTwice = (entries: readonly object[], isTagged = false) =>
    judge(PLAIN, { ...TWICE, ...released("1.6.1", entries) }, isTagged);
  const values = { ...ENTRY, how: "values-narrowed" };
  const required = { ...ENTRY, how: "required-added", reason: "All send it." };

  it("has to say which it accepts", async () => {
    const [first, ...others] = await judgeTwice([ENTRY]);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ rule: "accepted-ambiguous", file: "versions.yaml", line: 13 });
    expect(first?.message).toContain("2 kinds of break");
    expect(first?.message).toContain("must be there");
    expect(first?.message).toContain("imperial");
    expect(first?.fix).toBe(
      "Add `how: required-added` or `how: values-narrowed`, and write one entry for each that may be released.",
    );
  });

  it("stays as it is where it is tagged", async () => {
    expect(await judgeTwice([ENTRY], true)).toEqual([]);
  });

  it("covers only findings of the kind that it names", async () => {
    const [claim, ...others] = await judgeTwice([values]);
    expect(claim).toMatchObject({ rule: "under-claimed" });
    expect(others).toMatchObject([{ message: expect.stringContaining("must be there") as string }]);
  });

  it("may stand beside one for each other kind", async () => {
    expect(await judgeTwice([values, required])).toEqual([]);
    const after = await readableOf({ ...TWICE, ...released("1.6.1", [values, required]) });
    const { findings } = compareVersions((await readableOf(PLAIN)).version, after.version);
    const reasons = findings.map(({ schemaRule, accepted }) => [schemaRule, accepted?.reason]);
    expect(reasons.filter(([, reason]) => reason !== undefined)).toEqual(
      expect.arrayContaining([
        ["required-added", required.reason],
        ["values-narrowed", values.reason],
      ]),
    );
  });

  it("is stale where it names another kind", async () => {
    const problems = await judgeTwice([values, required, { ...ENTRY, how: "type-narrowed" }]);
    expect(problems).toMatchObject([
      { rule: "accepted-stale", message: expect.stringContaining("`type-narrowed`") as string },
    ]);
  });
});

describe("[D3] an entry that accepts nothing", () => {
  it.each<[string, Partial<typeof ENTRY>]>([
    ["another tool's finding", { of: "tool runner.chat" }],
    ["all tools", { of: "tool *" }],
    ["another member", { member: "location" }],
    ["another rule", { finding: "output-widened" }],
  ])("is an error: %s", async (_what, changes) => {
    const [claim = "", , stale = ""] = await judgeEntry(changes);
    expect(claim).toContain("under-claimed: ");
    expect(stale).toContain("accepted-stale: There is no break");
    if (changes.of === undefined) {
      expect(stale).toContain("{ finding: input-narrowed, of: tool runner.get_weather, member: units }");
    }
  });

  it("is an error where the break is gone, but not of a tag, which stays served", async () => {
    const after = released("1.6.1", [ENTRY]);
    const [stale, ...others] = await judge({}, after);
    expect(others).toEqual([]);
    expect(stale).toMatchObject({
      file: "versions.yaml",
      line: 13,
      rule: "accepted-stale",
      message:
        "There is no break `input-narrowed` of `tool runner.get_weather`, member `units`, next to 1.6.0, and one is accepted.",
      fix: "Remove the entry.",
    });
    expect(await judge({}, after, true)).toEqual([]);
  });

  it("is an error where the version before forbids it, whatever the new policies say", async () => {
    const problems = await judgeEntry({}, FORBIDDEN);
    expect(problems[0]).toContain("under-claimed: ");
    expect(problems.at(-1)).toBe(
      "accepted-forbidden: The policy `default` of 1.6.0 forbids to accept breaks. Raise the number, or release a version first whose policies allow it.",
    );
    expect(await judge({}, { ...FORBIDDEN, ...NARROWED, ...released("1.6.1", [ENTRY]) })).toEqual([]);
  });

  it("is an error under a version that is released already", async () => {
    const late = edit(
      "changes: [First version.]",
      `changes: [First version.]\n    accepts: ${JSON.stringify([ENTRY])}`,
    );
    const text = changeTree(released("1.7.0", []))["versions.yaml"] as string;
    const problems = await judge({}, { "versions.yaml": late(text) });
    expect(problems.map(({ rule, line }) => [rule, line])).toEqual([["accepted-late", 10]]);
  });

  it("is an error where the tag of its own version has another", async () => {
    const tagged = { ...NARROWED, ...released("1.6.1", [ENTRY]) };
    const problems = await judge(tagged, { ...NARROWED, ...released("1.6.1", [{ ...ENTRY, reason: "Other." }]) });
    expect(problems).toMatchObject([
      { rule: "accepted-late", fix: expect.stringContaining("as 1.6.1 has it") as string },
    ]);
    expect(await judge(tagged, tagged)).toEqual([]);
  });

  it.each([
    ["an empty reason", [{ ...ENTRY, reason: " " }], "must say why"],
    ["an invisible reason", [{ ...ENTRY, reason: "\u200b" }], "must say why"],
    ["a reason of blank braille", [{ ...ENTRY, reason: "\u2800" }], "must say why"],
    ["a reason of a letter that nobody sees", [{ ...ENTRY, reason: "\u3164" }], "must say why"],
    ["an invisible name", [{ ...ENTRY, by: "\u2800\u200b" }], "must say who"],
    ["nobody's name", [{ ...ENTRY, by: "" }], "must say who"],
    ["no version before", [{ ...ENTRY, from: undefined }], "accepts[0].from"],
    ["a version that is not listed", [{ ...ENTRY, from: "1.4.0" }], "The version 1.4.0 is not listed."],
    ["its own version", [{ ...ENTRY, from: "1.6.1" }], "The version 1.6.1 accepts a break next to itself."],
    [
      "the same twice",
      [ENTRY, { ...ENTRY, reason: "Other." }],
      "accepts `input-narrowed` of `tool runner.get_weather` twice",
    ],
  ])("makes no version: %s", async (_what, entries, message) => {
    await expect(readableOf({ ...NARROWED, ...released("1.6.1", entries) })).rejects.toThrow(message);
  });
});
