import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("repository_search", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "repository_search"));

  test("finds passages that are about something, the best first", async () => {
    const found = await work.output("repository_search", {
      query: "weather forecast days ahead",
      under: "manifests",
      limit: 3,
    });
    expect((found["passages"] as { path: string }[])[0]?.path).toBe("manifests/runner/get_weather.yaml");
    expect(found["passages"]).toHaveLength(3);
    expect(found).toMatchObject({ by: "words", note: expect.stringContaining("CAIRN_MODEL_EMBEDDINGS") });
  });
});
