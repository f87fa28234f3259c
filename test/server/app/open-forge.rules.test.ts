import { expect, test } from "vitest";
import { logRules, type OpenedForge } from "../../../server/app/open-forge.ts";
import { CairnError } from "../../../server/errors.ts";
import type { Log } from "../../../server/log/log.ts";

/** Logs the rules of a forge, and returns what was logged. */
async function logged(inspect: () => Promise<unknown>, more: Partial<OpenedForge> = {}) {
  const lines: unknown[] = [];
  const keep =
    (level: string) =>
    (...said: unknown[]) =>
      void lines.push([level, ...said]);
  const log = { info: keep("info"), warn: keep("warn") } as unknown as Log;
  await logRules({ forge: { inspect }, baseBranch: "main", ...more } as unknown as OpenedForge, log);
  return lines;
}

test("the rules that a host has for changes are logged, with a warning for each that keeps changes from landing", async () => {
  const inspect = async () => ({ rules: ["`deletion`: only some may delete it"], problems: ["Nothing can land."] });
  expect(await logged(inspect)).toEqual([
    ["info", { branch: "main", rules: ["`deletion`: only some may delete it"] }, "rules of the forge"],
    ["warn", { branch: "main" }, "Nothing can land."],
  ]);
});

test("a host that cannot be reached at the start is no failure", async () => {
  const inspect = () => Promise.reject(new CairnError("UPSTREAM_ERROR", "GitHub could not be reached."));
  const reason = "GitHub could not be reached.";
  expect(await logged(inspect)).toEqual([
    ["warn", { branch: "main", reason }, "the rules of the forge could not be read"],
  ]);
});

test("a forge without a host is not asked", async () => {
  expect(await logged(() => Promise.reject(new Error("It was asked.")), { required: ["cairn"] })).toEqual([]);
});

test("a forge that was assumed and cannot work is warned of, and one that nobody wants is not", async () => {
  const why = "The repository cannot be written.";
  expect(
    await logged(Promise.reject, { forge: undefined, why, isFault: true } as unknown as Partial<OpenedForge>),
  ).toEqual([["warn", { reason: why }, "the Architect changes nothing"]]);
  expect(await logged(Promise.reject, { forge: undefined, why } as unknown as Partial<OpenedForge>)).toEqual([]);
});
