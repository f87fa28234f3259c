import { expect, test } from "vitest";
import { listParameterHeaders, toHeader } from "../../../server/versions/parameter-headers.ts";

test("the headers of a tool are those that its properties name, at any depth", () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      deep: { type: "object", properties: { "a.b": { properties: { c: { type: "integer", "x-mcp-header": "C" } } } } },
      plain: { type: "string" },
      any: true,
      "x-mcp-header": { type: "string" },
    },
  };
  expect(listParameterHeaders(schema)).toEqual([
    { header: "Mcp-Param-Region", path: ["region"] },
    { header: "Mcp-Param-C", path: ["deep", "a.b", "c"] },
  ]);
  expect([listParameterHeaders({}), toHeader("X")]).toEqual([[], "Mcp-Param-X"]);
});
