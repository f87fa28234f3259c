import { expect, it } from "vitest";
import { listVariables } from "../../../server/versions/resource.ts";

it.each([
  ["state://active", []],
  ["session://{conversation_id}", ["conversation_id"]],
  ["docs://{place}/{day}{?limit,before}", ["place", "day", "limit", "before"]],
])("finds the variables of %s", (template, variables) => {
  expect(listVariables(template)).toEqual(variables);
});
