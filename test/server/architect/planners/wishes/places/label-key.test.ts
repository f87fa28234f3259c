import { beforeAll, describe, expect, test } from "vitest";
import type { Ground } from "../../../../../../server/architect/planners/planner.ts";
import {
  describeGone,
  describeValue,
  labelKey,
} from "../../../../../../server/architect/planners/wishes/places/label-key.ts";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { createGround, readCheckout } from "../../../../../helpers/plan-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await createGround(await readCheckout());
});

describe("the key of a place, as sentences name it,", () => {
  test.each([
    ["#limits/actor/rate", "rate limit of each actor", "is"],
    ["#limits/tenant/concurrency", "concurrency of each tenant", "is"],
    ["#retirement/quietDays", "quiet days of the policy", "are"],
    ["manifests/work/server.yaml#instructions", "instructions of the server `work`", "are"],
    ["#experiment/stop/minSamples", "minimum samples of the experiment", "are"],
    ["#experiment/arms/", "value of `", "is"],
    ["#parameters/match_threshold/max", "maximum of the parameter `chat.match_threshold`", "is"],
  ])("goes with the verb that fits: %s", (end, label, is) => {
    const { named } = listPlaces(ground.version);
    const place = [...named].find(([name]) => name.includes(end))?.[1];
    if (place === undefined) throw new TypeError(`There is no place ${end}.`);
    const found = labelKey(place);
    expect(found).toMatchObject({ label: expect.stringContaining(`the ${label}`), is });
    const [name, was] = [found.label.slice(1), is === "are" ? "they were" : "it was"];
    expect(describeValue(place, 2)).toBe(`T${name} ${is} \`2\`.`);
    expect(describeValue(place, 2, 1)).toBe(`T${name} ${is} \`2\`; ${was} \`1\`.`);
    expect(describeGone(place, 1)).toBe(`T${name} ${is} gone; ${was} \`1\`.`);
  });
});
