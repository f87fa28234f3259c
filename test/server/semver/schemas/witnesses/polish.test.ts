import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../../../../server/semver/schemas/compare-schemas.ts";
import { polish } from "../../../../../server/semver/schemas/witnesses/polish.ts";
import { toSide } from "../../side.ts";

const always = () => true;

describe("an example", () => {
  it("has texts that go with the names of its members", () => {
    const made = {
      name: "a",
      authorName: "A",
      cities: ["some text"],
      notes: ["a", "0"],
      contact: { email: "a" },
      count: 1,
      code: "a",
    };
    expect(polish(made, always)).toEqual({
      name: "Ada",
      authorName: "Ada",
      cities: ["some text"],
      notes: ["Please have a look.", "Please have a look."],
      contact: { email: "ada@example.com" },
      count: 1,
      code: "some text",
    });
  });

  it("has sentences for long texts, as long as those were", () => {
    const { code } = polish({ code: "a".repeat(45) }, always) as { readonly code: string };
    expect(code).toBe("The quick brown fox jumps over the lazy dog..");
    expect(polish("0".repeat(12), always)).toBe("The quick br");
  });

  it("keeps texts that somebody chose", () => {
    const chosen = { name: "Grace", language: "es", title: "12" };
    expect(polish(chosen, always)).toEqual(chosen);
  });

  it("keeps what must stay as it is for the value to show anything", () => {
    const isExample = (value: unknown) => JSON.stringify(value).length <= 28;
    expect(polish({ name: "a", message: "a" }, isExample)).toEqual({ name: "Ada", message: "a" });
  });

  it("of two schemas is still taken by the one and refused by the other", () => {
    const before = {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, units: { type: "string" } },
    };
    const after = {
      ...before,
      required: ["name", "title"],
      properties: { ...before.properties, name: { type: "string", maxLength: 20 } },
    };
    const comparison = compareSchemas(toSide(before), toSide(after));
    expect(comparison.findings.map(({ path, value }) => [path, value])).toEqual([
      [["title"], { name: "Ada" }],
      [["name"], { name: "The quick brown fox j" }],
    ]);
  });
});
