import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KilledFeedback, type KillGround, killAndResume } from "../helpers/mortal/kill-walk.ts";
import { createLocalGround } from "../helpers/mortal/local-ground.ts";
import { createShared } from "../helpers/temporary.ts";

const MESSAGE = 'Set the description of runner.greet to "Greets somebody by name."';
const isLong = process.env["CAIRN_LONG"] !== undefined;
/** Each takes three starts of a service, and more; `run-feedback.test.ts` walks all points of the driver in memory. */
const SAMPLES = 1;
const MINUTES = 60_000;

const { atEnd, undoAll } = createShared();
let openGround: (folder: string) => Promise<KillGround>;

beforeAll(async () => {
  openGround = await createLocalGround(atEnd);
}, 2 * MINUTES);
afterAll(undoAll);

describe("a change on the local forge whose service is killed", () => {
  // Just when the repository has been changed, and nobody has heard of it.
  test.each(["its branch is made", "it has landed", "it is tagged"])(
    "ends once when that was as soon as %s",
    { timeout: 5 * MINUTES },
    async (what) => {
      const lives = ["its branch is made", "it has landed", "it is tagged"].indexOf(what);
      const killed = await killAndResume(openGround, MESSAGE, [{ lives, of: "ended git --bare update-ref" }]);
      expect(killed.points[0]?.at(-1)).toContain("update-ref");
      expectOnce(killed);
    },
  );

  test("ends once, wherever that was", { timeout: (isLong ? 120 : 10) * MINUTES }, async () => {
    const whole = await killAndResume(openGround, MESSAGE, [{ lives: Infinity }]);
    expectOnce(whole);
    const count = whole.points[0]?.length ?? 0;
    expect(count).toBeGreaterThan(80);
    const every = isLong ? 1 : Math.ceil(count / SAMPLES);
    let survived = false;
    for (let lives = every - 1; isLong ? !survived : lives < count; lives += every) {
      // Every other time the start that goes on with it is killed as well, somewhere.
      const second = lives % 2 === 0 ? [] : [{ lives: (lives * 7) % count }];
      const killed = await killAndResume(openGround, MESSAGE, [{ lives }, ...second]);
      expectOnce(killed);
      ({ survived } = killed);
    }
  });
});

function expectOnce({ points, answers, status, traces }: KilledFeedback): void {
  const where = points.map((reached) => `${reached.length}. ${reached.at(-1)}`).join("; then ");
  const [answer, again] = answers;
  expect(answer, where).toMatchObject({ status: 200, body: { result: "committed", new_version: "1.0.1" } });
  expect(again, where).toEqual(answer);
  expect(status, where).toMatchObject({ id: answer?.id, status: "ended", answer: answer?.body });
  expect(traces, where).toEqual({
    branches: ["refs/heads/main"],
    tags: ["refs/tags/v1.0.0", "refs/tags/v1.0.1"],
    landed: ["The description of runner.greet is Greets somebody by name."],
    versions: ["1.0.0", "1.0.1"],
    open: [],
    leftovers: [],
  });
}
