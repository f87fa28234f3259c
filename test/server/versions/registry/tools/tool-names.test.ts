import { expect, test } from "vitest";
import {
  readToolName,
  splitToolNames,
  writeToolNames,
} from "../../../../../server/versions/registry/tools/tool-names.ts";

test("gives the tools back that were written", () => {
  const tools = [
    { name: "runner.get_weather", version: "1.0.0" },
    { name: "a/b-c", version: "2.0.0-rc.1" },
  ];
  expect(writeToolNames(tools)).toBe("runner.get_weather@1.0.0 a/b-c@2.0.0-rc.1");
  expect(splitToolNames(writeToolNames(tools)).map(readToolName)).toEqual(tools);
  expect(splitToolNames(writeToolNames([]))).toEqual([]);
});
