import { describe, expect, test } from "vitest";
import { findStateChanges } from "../../../server/semver/find-state-changes.ts";
import type { JsonSchema, StateKey } from "../../../server/host-api.ts";
import { compileSchema } from "../../../server/versions/manifests/schema/compile-schema.ts";
import type { Server } from "../../../server/versions/version.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

type Form = readonly [StateKey, JsonSchema];

const object = (properties: object, more: object = {}): JsonSchema => ({ type: "object", properties, ...more });
const ANY: StateKey = ["ticket", "*"];
const TITLE = { title: { type: "string" } };

function desk(forms: readonly Form[], state?: string): Server {
  const values = forms.map(([key, schema]) => ({ key, schema, check: compileSchema(schema) }));
  const server = createTestVersion({
    servers: [{ name: "desk", file: "manifests/desk/server.yaml", values, ...(state === undefined ? {} : { state }) }],
  }).servers.get("desk");
  if (server === undefined) throw new TypeError("The test version has a server.");
  return server;
}

function compare(was: readonly Form[], is: readonly Form[], reading: "declared" | "strict" = "declared") {
  return findStateChanges(desk(was, "desk"), desk(is, "desk"), reading).map(({ rule, member, value }) => [
    rule,
    member,
    value,
  ]);
}

describe("[D3] what versions that share a state owe each other", () => {
  test("is told with a value that the one writes and the other refuses to read, in both directions", () => {
    const was = object({ status: { enum: ["open", "done"] } }, { required: ["status"] });
    const is = object({ status: { enum: ["open", "late"] } }, { required: ["status"] });
    const found = findStateChanges(desk([[ANY, was]], "desk"), desk([[ANY, is]], "desk"), "declared");
    expect(found).toMatchObject([
      {
        rule: "state-values-narrowed",
        level: "major",
        of: "server desk",
        member: '["ticket","*"] status',
        value: { status: "done" },
        message: expect.stringContaining("this version refuses to read what others that share `desk` write: `status`"),
        place: { file: "manifests/desk/server.yaml", path: ["state", "values", 0] },
      },
      {
        rule: "state-values-widened",
        value: { status: "late" },
        message: expect.stringContaining("others that share `desk` refuse to read what this version writes: `status`"),
      },
    ]);
  });

  test("lets members be added that readers pass over, and no others", () => {
    const more = { ...TITLE, at: { type: "number" } };
    expect(compare([[ANY, object(TITLE)]], [[ANY, object(more)]])).toEqual([
      ["state-values-reworded", '["ticket","*"]', undefined],
    ]);
    const closed = { additionalProperties: false };
    expect(compare([[ANY, object(TITLE, closed)]], [[ANY, object(more, closed)]])).toEqual([
      ["state-values-widened", '["ticket","*"] at', { at: expect.any(Number) }],
    ]);
    expect(compare([[ANY, object(TITLE)]], [[ANY, object(more, { required: ["at"] })]])).toEqual([
      ["state-values-narrowed", '["ticket","*"] at', {}],
    ]);
    // Whose readers take every value by its schema alone meets members that nobody has declared.
    expect(compare([[ANY, object(TITLE)]], [[ANY, object(more)]], "strict").map(([rule]) => rule)).toEqual([
      "state-values-narrowed",
    ]);
  });

  test("is asked of keys by the pattern that fits them in the other version", () => {
    const [text, number] = [{ type: "string" }, { type: "number" }];
    expect(
      compare(
        [[ANY, text]],
        [
          [["ticket", "last"], number],
          [ANY, text],
        ],
      ).map(([rule, member]) => [rule, member]),
    ).toEqual([
      ["state-values-narrowed", '["ticket","last"]'],
      ["state-values-widened", '["ticket","last"]'],
    ]);
    expect(compare([[["ticket", "last"], text]], [[ANY, text]]).map(([rule]) => rule)).toEqual([
      "state-values-declared",
    ]);
    expect(compare([[ANY, text]], [[["ticket", "last"], text]]).map(([rule]) => rule)).toEqual(["state-values-freed"]);
    expect(compare([[ANY, text]], [[["note", "*"], text]]).map(([rule]) => rule)).toEqual([
      "state-values-declared",
      "state-values-freed",
    ]);
  });

  test("is nothing where no other version reads the data", () => {
    const [was, is] = [[[ANY, object(TITLE)]], [[ANY, { type: "string" }]]] as const;
    expect(findStateChanges(desk(was), desk(is), "declared")).toEqual([]);
    expect(findStateChanges(desk(was, "desk"), desk(is, "table"), "declared")).toEqual([]);
  });
});
