import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("repository_impact", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "repository_impact"));

  test("tells what depends on a file, and why", async () => {
    const impact = await work.output("repository_impact", { targets: ["tools/_lib/weather/conditions.ts"] });
    expect(String(impact["sentences"])).toContain("`runner.get_weather`");
    expect(impact["affected"]).toContainEqual(expect.objectContaining({ id: "tool:runner.get_weather" }));
  });
});
