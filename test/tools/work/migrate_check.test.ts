import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("migrate_check", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "migrate_check"));

  test("counts the records of the caller's tenant", async () => {
    const who = work.person("counter");
    await work.created({}, who);
    expect(await work.output("migrate_check", {}, who)).toMatchObject({
      schema_version: 1,
      records: { task: { 1: 1 }, run: {} },
      outdated: 0,
      problems: [],
    });
  });
});
