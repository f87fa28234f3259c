import { expect, onTestFinished, test, vi } from "vitest";
import { createNudges, type Nudge } from "../../../server/forge/nudges.ts";
import { shareNudges } from "../../../server/forge/share-nudges.ts";
import { openTestStore } from "../../helpers/store.ts";

test("what the forge says to one node reaches the other once", async () => {
  const store = await openTestStore();
  const onError = (error: unknown) => expect.fail(String(error));
  const open = (self: string) => {
    const nudges = createNudges(onError);
    const heard: Nudge[] = [];
    onTestFinished(shareNudges(nudges, store, { self, onError }));
    nudges.onNudge((nudge) => heard.push(nudge));
    return { nudge: nudges.nudge, heard };
  };
  const [one, other] = [open("one"), open("other")];
  one.nudge({ branch: "main", number: 7 });
  await vi.waitFor(() => expect(other.heard).toEqual([{ branch: "main", number: 7 }]));
  other.nudge({ commit: "c0ffee" });
  await vi.waitFor(() => expect(one.heard).toHaveLength(2));
  expect(one.heard).toEqual([{ branch: "main", number: 7 }, { commit: "c0ffee" }]);
  expect(other.heard).toHaveLength(2);
});
