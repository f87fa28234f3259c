import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("migrate_apply", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "migrate_apply"));

  test("has nothing to do where nothing is old", async () => {
    const who = work.person("upgrader");
    await work.created({}, who);
    expect(await work.output("migrate_apply", {}, who)).toMatchObject({ outdated: 0, problems: [] });
  });
});
