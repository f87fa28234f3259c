import { expect, test } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createPlots } from "../../../server/resources/plots.ts";
import type { ResourceRequest } from "../../../server/resources/provider.ts";
import { tuningLog } from "../../../server/store/keys.ts";
import { createLedgers } from "../../../server/capabilities/tuner/ledgers.ts";
import type { Picture } from "../../../server/capabilities/tuner/plots/picture.ts";
import { renderPicture } from "../../../server/capabilities/tuner/plots/render-picture.ts";
import type { Parameter } from "../../../server/versions/version.ts";
import { createTestSet } from "../../helpers/simulate-experiment.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const AT = 1_767_225_660_000;

async function openPlots() {
  const store = await openTestStore();
  const drawn: Picture[] = [];
  const renderer = {
    render(picture: Picture) {
      drawn.push(picture);
      return renderPicture(picture);
    },
  };
  const { experiment } = createTestSet({ kind: "ucb1", c: 2 }, ["bm25", "dense"]);
  const retriever: Parameter = { type: "categorical", values: ["bm25", "dense"], default: "bm25" };
  const set = {
    name: "re-route",
    parameters: new Map([["retriever", retriever]]),
    file: "manifests/parameters/re-route.yaml",
  };
  const version = {
    ...createTestVersion({ servers: [{ name: "tuner" }] }),
    parameters: new Map([
      ["re-route", { ...set, experiment }],
      ["fixed", { ...set, name: "fixed" }],
    ]),
  };
  const server = version.servers.get("tuner");
  if (server === undefined) throw new TypeError("There is no server.");
  const provide = createPlots({ ledgers: createLedgers({ store, now: Date.now }), renderer });
  return {
    drawn,
    read: (name: string, tenant = LOCAL_PRINCIPAL.tenant) => {
      const principal = { ...LOCAL_PRINCIPAL, tenant };
      const request: ResourceRequest = {
        version,
        server,
        principal,
        uri: `assets://plots/${name}.svg`,
        variables: { name },
      };
      return provide(request);
    },
    observe: (arm: string, scaled: number) => {
      const entry = { kind: "observed", arm, reward: 5 * scaled, scaled, at: AT };
      return store.commit({ append: [{ log: tuningLog(LOCAL_PRINCIPAL.tenant, version.commit, "re-route"), entry }] });
    },
  };
}

test("a picture shows what has been written by now", async () => {
  const { read, observe } = await openPlots();
  expect(await read("re-route-arm-means")).toContain("Nothing yet: no reward has come.");
  await observe("bm25", 0.5);
  expect(await read("re-route-arm-means")).toContain("bm25: mean 2.5 (0 to 5) of 1 rewards.");
  await observe("bm25", 1);
  expect(await read("re-route-arm-means")).toContain("bm25: mean 3.75 (0 to 5) of 2 rewards.");
});

test("the same picture of the same events is drawn once, also when many ask at a time", async () => {
  const { read, observe, drawn } = await openPlots();
  await observe("dense", 0.5);
  const all = await Promise.all([1, 2, 3].map(() => read("re-route-arm-means")));
  expect(new Set([...all, await read("re-route-arm-means")]).size).toBe(1);
  expect(drawn.length).toBe(1);
  expect(all[0]).toContain("dense: mean 2.5 (0 to 5) of 1 rewards.");
});

test("a tenant sees its own experiment", async () => {
  const { read, observe } = await openPlots();
  await observe("dense", 0.5);
  expect(await read("re-route-arm-means", "other")).toContain("Nothing yet");
});

test.each(["re-route-strengths", "re-route-pie", "fixed-arm-means", "unknown-arm-means", "arm-means", ""])(
  "there is no picture `%s`",
  async (name) => {
    const { read } = await openPlots();
    const details = { uri: `assets://plots/${name}.svg` };
    await expect(read(name)).rejects.toMatchObject({ name: "NOT_FOUND", details });
  },
);
