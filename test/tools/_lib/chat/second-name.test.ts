import { describe, expect, test } from "vitest";
import { findSecondName } from "../../../../tools/_lib/chat/second-name.ts";

const GONE = "\uFFFC\uFFFC";

describe("findSecondName", () => {
  test.each([
    [`weather in ${GONE} and London`, "London"],
    [`${GONE}, New York please`, "New York"],
    [`weather ${GONE} and london?`, "london"],
    [`${GONE} and tell me more`, undefined],
    [`${GONE}, weather`, undefined],
    [`${GONE} and please`, undefined],
    ["Paris and London", undefined],
  ])("finds in %j just %s", (rest, name) => {
    expect(findSecondName(rest, new Set(["weather"]))?.value).toBe(name);
  });
});
