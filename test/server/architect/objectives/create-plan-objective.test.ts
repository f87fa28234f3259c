import { afterAll, beforeAll, expect, test } from "vitest";
import { openAgentPlanner } from "../../../helpers/agent-planner.ts";
import { createShared } from "../../../helpers/temporary.ts";
import { type ModelStandIn, startModel } from "../../../stand-ins/model.ts";
import { submit } from "../../../stand-ins/planning-model.ts";

const { atEnd, undoAll } = createShared();
afterAll(undoAll);

type Planner = Awaited<ReturnType<typeof openAgentPlanner>>;
let model: ModelStandIn;
let withModel: Planner;
let alone: Planner;
beforeAll(async () => {
  model = await startModel({ text: "" });
  atEnd(model.close);
  alone = await openAgentPlanner("shop", atEnd);
  withModel = await openAgentPlanner("shop", atEnd, { url: model.url, name: "stand-in" });
});

const RETURNS = "manifests/orders/request_return.yaml";
const replacing = (path: string, find: string, put: string) =>
  submit({
    change: {
      title: "Do what is asked for",
      changes: ["It does what was asked for."],
      edits: [{ path, replace: [{ find, with: put }] }],
    },
  });

test("plans what can be read without asking the model, as a diff against the run's commit", async () => {
  model.script("server-error");
  const planned = await withModel.plan("read", "Set the limit time of orders.track_order to 3000.");
  expect(planned).toMatchObject({
    by: "service",
    planner: "directives",
    files: ["manifests/orders/track_order.yaml"],
    why: [],
    doubts: [],
  });
  expect(planned.diff).toContain("\n-  time: 2500\n+  time: 3000\n");
  expect(model.requests).toEqual([]);
  expect(await withModel.workspaces.list()).toEqual([]);
});

test("asks the model where readings do not suffice", async () => {
  model.script(replacing(RETURNS, "maxLength: 500", "maxLength: 800"));
  const planned = await withModel.plan("asked", "The warehouse wants to hear more of why goods come back.");
  expect(planned).toMatchObject({ by: "service", planner: "model", files: [RETURNS], why: [] });
  expect(planned.diff).toContain("+      maxLength: 800\n");
});

test("says what somebody has to approve of a model's plan", async () => {
  model.script(replacing("manifests/orders/track_order.yaml", "time: 2500", "time: 9000"));
  const planned = await withModel.plan("doubtful", "The status of parcels should be kept fresher somehow.");
  expect(planned).toMatchObject({ by: "service", planner: "model" });
  expect(planned.doubts.join(" ")).toContain("9000");
});

test("gives a model's plan that the guard refuses to a worker, and says why", async () => {
  const lax = "limits: {}\napprovals: { self: true }\n";
  model.script(
    submit({
      change: { title: "Relax", changes: ["All may."], edits: [{ path: "manifests/policies/lax.yaml", text: lax }] },
    }),
  );
  const planned = await withModel.plan("refused", "The warehouse wants fewer questions about who may do what.");
  expect(planned).toMatchObject({ by: "worker", diff: "", files: [] });
  expect(planned.why.join(" ")).toContain("would let whoever did a run approve it");
});

test("takes what an objective quotes for data, and changes nothing for it", async () => {
  const planned = await alone.plan(
    "quoted",
    "> Set the limit time of orders.track_order to 3000.\n\nThat is what he wrote.",
  );
  expect(planned).toMatchObject({ by: "worker", diff: "" });
});

test("asks which reading is meant, and carries out the one that is chosen", async () => {
  const objective = "Raise the time limit in the catalog to 6 seconds.";
  const asked = await alone.plan("open", objective);
  expect(asked).toMatchObject({ by: "worker", planner: "wishes", diff: "" });
  const { readings = [] } = asked.question ?? {};
  expect(readings.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  const chosen = readings.find(({ title }) => title.includes("`catalog.list_reviews`"));
  expect(await alone.plan("chosen", objective, chosen?.title)).toMatchObject({
    by: "service",
    planner: "wishes",
    files: ["manifests/catalog/list_reviews.yaml"],
    diff: expect.stringContaining("+  time: 6000\n"),
  });
  expect(await alone.plan("never-offered", objective, "Everything is free.")).toMatchObject({ by: "worker" });
});

test("asks for the value where only that is missing", async () => {
  const { by, question } = await alone.plan("valueless", "Parcel tracking gives up too soon.");
  expect([by, question?.text]).toEqual(["worker", expect.stringContaining("To what? the time limit of")]);
});

test("asks for words where it has no reading", async () => {
  const { by, question } = await alone.plan("vague", "Everything should be nicer around here.");
  expect([by, question?.text, question?.readings]).toEqual(["worker", expect.stringContaining("Say which"), undefined]);
});

const BROKEN = [
  "Apply this change:",
  "",
  "```",
  "--- a/tools/orders/track_order.ts",
  "+++ b/tools/orders/track_order.ts",
  "@@ -1,2 +1,3 @@",
  ' import type { Handler } from "cairn-gitops/host-api";',
  '+export const wrong: number = "text";',
  " ",
  "```",
].join("\n");

test("leaves a reading whose change does not hold to a worker, with what is wrong", async () => {
  const planned = await alone.plan("broken", BROKEN);
  expect(planned).toMatchObject({ by: "worker", diff: "", planner: "directives" });
  expect(planned.why.join("\n")).toMatch(/^types: 1 errors[^]*tools\/orders\/track_order\.ts:2/m);
});

test("tells the model what is wrong with a reading whose change does not hold", async () => {
  model.script(replacing(RETURNS, "maxLength: 500", "maxLength: 800"));
  expect(await withModel.plan("mended", BROKEN)).toMatchObject({ by: "service", planner: "model" });
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("tools/orders/track_order.ts:2");
});

test("rejects where the model's endpoint fails, so that the attempt can be made again", async () => {
  model.script("not-a-completion");
  const planning = withModel.plan("failing", "The warehouse wants to hear more of why goods come back.");
  await expect(planning).rejects.toMatchObject({ name: "UPSTREAM_ERROR" });
});
