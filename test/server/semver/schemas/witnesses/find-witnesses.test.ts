import { describe, expect, it } from "vitest";
import {
  findWitnesses,
  type Reason,
  type Refused,
} from "../../../../../server/semver/schemas/witnesses/find-witnesses.ts";
import type { Json } from "../../../../../server/store/store.ts";

/** Refused for what is wrong at these places, of which the first alone is told at once. */
function refused(value: Json, paths: readonly string[], listed: Json[] = []): Refused {
  const violations = paths.map((path) => ({ path, message: "is wrong" }));
  const listViolations = () => {
    listed.push(value);
    return violations;
  };
  return { value, violations: violations.slice(0, 1), listViolations };
}

const asIs = () => undefined;
const isLong = (part: Json) => typeof part === "string" && part.length > 1;
const narrowed = (name: string): Reason => ({
  path: [name],
  rule: "length-narrowed",
  message: `\`${name}\` must now be short`,
  breaks: isLong,
});

describe("reasons", () => {
  it("each have the first value that is refused for them", () => {
    const { findings, smallest } = findWitnesses(
      [narrowed("a"), narrowed("b")],
      [refused({ a: "xx" }, ["/a"]), refused({ a: "xxx" }, ["/a"]), refused({ b: "xx" }, ["/b"])],
      asIs,
    );
    expect(findings.map(({ path, value }) => [path, value])).toEqual([
      [["a"], { a: "xx" }],
      [["b"], { b: "xx" }],
    ]);
    expect(smallest?.value).toEqual({ a: "xx" });
  });

  it("take no more values than they need", () => {
    let taken = 0;
    function* values(): Generator<Refused> {
      for (const name of ["a", "b", "c"]) {
        taken += 1;
        yield refused({ [name]: "xx" }, [`/${name}`]);
      }
    }
    findWitnesses([narrowed("a"), narrowed("b")], values(), asIs);
    expect(taken).toBe(2);
  });

  it("ask for all that is wrong with a value only where what was found first is not theirs", () => {
    const listed: Json[] = [];
    const both = { a: "xx", b: "xx" };
    const { findings } = findWitnesses(
      [narrowed("a"), narrowed("b")],
      [refused({ a: "xx" }, ["/a"], listed), refused(both, ["/a", "/b"], listed)],
      asIs,
    );
    expect(findings.map(({ value }) => value)).toEqual([{ a: "xx" }, both]);
    expect(listed).toEqual([both]);
  });

  it("are left out without a value of their own where one beside them has one", () => {
    const guess: Reason = { path: ["a"], rule: "condition-unproven", message: "a guess", breaks: () => false };
    const apart: Reason = { ...guess, path: ["b"] };
    const { findings } = findWitnesses([guess, narrowed("a"), apart], [refused({ a: "xx" }, ["/a"])], asIs);
    expect(findings.map(({ path, value }) => [path, value])).toEqual([
      [["a"], { a: "xx" }],
      [["b"], undefined],
    ]);
  });
});
