import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  findLine,
  readSurface,
  surfaceDigest,
  toDefinitions,
  writeSurface,
} from "../../../../server/semver/surfaces/surface.ts";
import { toSurface, toTool } from "./surfaces.ts";

const surface = toSurface([toTool({ state: { type: "string" } }), { name: "a", inputSchema: { type: "object" } }]);
const text = writeSurface(surface);

describe("a saved surface", () => {
  test("is read as it was written, and fits its schema", () => {
    expect(readSurface(text, "s.json")).toEqual(surface);
    const validate = new Ajv2020({ strict: false }).compile(
      JSON.parse(readFileSync("schemas/mcp-surface.schema.json", "utf8")),
    );
    expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
  });

  test("has the same bytes in whatever order the server listed things", () => {
    const other = toSurface([{ inputSchema: { type: "object" }, name: "a" }, toTool({ state: { type: "string" } })]);
    expect(writeSurface(other)).toBe(text);
    expect(text.endsWith("}\n")).toBe(true);
    expect(text.indexOf('"a":')).toBeLessThan(text.indexOf('"list":'));
  });

  test("has a digest that the server's version and the revision of MCP are no part of", () => {
    const later = { ...surface, server: { ...surface.server, version: "2.0.0" }, protocol: "2025-06-18" };
    expect(surfaceDigest(later)).toBe(surfaceDigest(surface));
    expect(surfaceDigest({ ...surface, instructions: "Ask." })).not.toBe(surfaceDigest(surface));
  });

  test.each([
    ["no JSON", "{", "`s.json` is no saved surface"],
    ["another file", "{}", "`s.json` is no saved surface"],
    [
      "another form",
      text.replace('"schemaVersion": 1', '"schemaVersion": 2'),
      "has the form `2`, and this Cairn reads form 1",
    ],
    ["an edit by hand", text.replace('"string"', '"number"'), "its digest belongs to another content"],
    ["another version", text.replace('"1.0.0"', '"0.9.0"'), "its digest belongs to another content"],
    ["another server", text.replace('"issues"', '"tickets"'), "its digest belongs to another content"],
    ["another revision of MCP", text.replace('"2025-11-25"', '"2025-06-18"'), "its digest belongs to another content"],
    [
      "a member more",
      text.replace('"prompts": {},', '"prompts": {}, "more": 1,'),
      "its digest belongs to another content",
    ],
    ["the digest of what clients see", text.replace(/sha256:[0-9a-f]+/, surfaceDigest(surface)), "another content"],
    ["a part less", text.replace('"prompts": {},', ""), "lacks parts of a surface"],
  ])("with %s is refused", (_, broken, message) => {
    expect(() => readSurface(broken, "s.json")).toThrow(message);
  });

  test("knows the line of each part, and of what is around one that is not there", () => {
    const lines = text.split("\n");
    const at = (...path: string[]) => lines[findLine(text, path) - 1]?.trim();
    expect(at("tools", "list", "inputSchema", "properties", "state")).toBe('"state": {');
    expect(at("tools", "list", "inputSchema", "properties", "gone")).toBe('"properties": {');
    expect(at("tools", "gone")).toBe('"tools": {');
    expect(at()).toBe("{");
  });
});

describe("a list of a server", () => {
  test("takes an entry that comes twice in identical words once", () => {
    expect(
      toDefinitions("tools", [
        { name: "a", _meta: { n: 1 } },
        { name: "a", _meta: { n: 2 } },
      ]),
    ).toEqual({ a: {} });
  });

  test("is refused with two different entries of one name, one without a name, and one that is no object", () => {
    expect(() => toDefinitions("tools", [{ name: "a" }, { name: "a", title: "A" }])).toThrow(
      "two different entries `a`",
    );
    expect(() => toDefinitions("resources", [{ name: "a" }])).toThrow("an entry of `resources` has no `uri`");
    expect(() => toDefinitions("prompts", ["a"])).toThrow('`prompts` holds `"a"`, which is no JSON object');
  });
});
