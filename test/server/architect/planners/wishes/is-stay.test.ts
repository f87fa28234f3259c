import { describe, expect, test } from "vitest";
import { isStay } from "../../../../../server/architect/planners/wishes/is-stay.ts";

describe("[A9] items that say that something stays", () => {
  test.each([
    "runner.chat: stays as it is",
    "time limit of exec_run - unchanged",
    "label stable: no change please",
    "get_weather: bleibt wie sie ist",
    "match_threshold：保持不变",
  ])("are known: %s", (text) => {
    expect(isStay(text)).toBe(true);
  });

  test.each(["runner.chat: stays at 60 s", "keep logs: 30 days", "runner.chat: time limit 60 s", "It stays."])(
    "are told from others: %s",
    (text) => {
      expect(isStay(text)).toBe(false);
    },
  );
});
