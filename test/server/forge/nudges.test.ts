import { expect, test } from "vitest";
import { createNudges, type Nudge } from "../../../server/forge/nudges.ts";

test("nudges reach all who listen, whatever one of them throws, until they stop", () => {
  const errors: unknown[] = [];
  const heard: Nudge[] = [];
  const { nudge, onNudge } = createNudges((error) => errors.push(error));
  const problem = new Error("no");
  onNudge(() => {
    throw problem;
  });
  const stop = onNudge((one) => heard.push(one));
  nudge({ branch: "main" });
  stop();
  nudge({ number: 1 });
  expect(heard).toEqual([{ branch: "main" }]);
  expect(errors).toEqual([problem, problem]);
});
