import { expect, test } from "vitest";
import { toTenantProgram } from "../../../../server/kernel/stages/run-handler.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const { program } = createTestVersion();

test("each tenant runs the same program under a key of its own, always the same object", () => {
  const own = toTenantProgram(program, "a");
  expect(own).toMatchObject({ modules: program.modules, memory: program.memory });
  expect(toTenantProgram(program, "a")).toBe(own);
  expect(toTenantProgram(program, "b").key).not.toBe(own.key);
});

test("no tenant's name makes a key that is another's", () => {
  const joined = toTenantProgram({ ...program, key: "c" }, 'a","b');
  expect(joined.key).not.toBe(toTenantProgram({ ...program, key: 'c","a' }, "b").key);
});
