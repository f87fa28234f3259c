import { describe, expect, test } from "vitest";
import { createDocument } from "../../../../server/imports/openapi/document.ts";
import { listOperations } from "../../../../server/imports/openapi/list-operations.ts";
import { nameTools } from "../../../../server/imports/openapi/tool-names.ts";

function toNames(
  operations: readonly (readonly [string, string | undefined])[],
  known: readonly [string, string][] = [],
) {
  const paths = Object.fromEntries(operations.map(([path, operationId]) => [path, { get: { operationId } }]));
  const listed = listOperations(createDocument({ paths }));
  return [...nameTools(listed, { server: "api", known: new Map(known) }).values()];
}

describe("nameTools", () => {
  test.for([
    ["issues/list-for-repo", "issues_list_for_repo"],
    ["listURLsForRepo", "list_urls_for_repo"],
    ["GetUserByID", "get_user_by_id"],
    ["2fa.enable", "op_2fa_enable"],
    ["Überall_öffnen", "uberall_offnen"],
  ])("names %s %s", ([id = "", name]) => {
    expect(toNames([["/a", id]])).toEqual([name]);
  });

  test("names an operation without an id by its method and path", () => {
    expect(toNames([["/users/{user-id}/keys", undefined]])).toEqual(["get_users_by_user_id_keys"]);
  });

  test("numbers names that are equal, and names no tool `server`", () => {
    expect(
      toNames([
        ["/a", "x"],
        ["/b", "X"],
        ["/c", "server"],
      ]),
    ).toEqual(["x", "x_2", "server_2"]);
  });

  test("keeps the names of an earlier import, also where an operation has a new id", () => {
    expect(
      toNames(
        [
          ["/a", "fresh"],
          ["/b", "other"],
        ],
        [["GET /b", "fresh"]],
      ),
    ).toEqual(["fresh_2", "fresh"]);
  });

  test("shortens names to what clients take, with the server's name before them", () => {
    const long = Array.from({ length: 20 }, (_, index) => `word${index}`).join("-");
    const [name = ""] = toNames([["/a", long]]);
    expect(`api.${name}`.length).toBeLessThanOrEqual(64);
    expect(name).toMatch(/^word0_.*_word19$/);
  });
});
