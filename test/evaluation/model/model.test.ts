import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { askPlanners } from "../../../server/architect/pipeline/ask-planners.ts";
import { createEvidencePlanner } from "../../../server/architect/planners/evidence/create-evidence-planner.ts";
import { applyEdits } from "../../../server/architect/planners/model/apply-edits.ts";
import { MODEL_LIMITS } from "../../../server/architect/planners/model/model-limits.ts";
import { createSubmissionReader } from "../../../server/architect/planners/model/read-submission.ts";
import type { Planner } from "../../../server/architect/planners/planner.ts";
import { createSentencePlanner } from "../../../server/architect/planners/wishes/create-sentence-planner.ts";
import { openArchitectService } from "../../helpers/architect-service.ts";
import { createGround, readCheckout } from "../../helpers/plan-ground.ts";
import { createShared } from "../../helpers/temporary.ts";
import { type CompletionRequest, type Script, startModel } from "../../stand-ins/model.ts";
import { submit } from "../../stand-ins/planning-model.ts";
import { STUMBLES, type Stumble, WISHES } from "./wishes.ts";

const { atEnd, undoAll } = createShared();
afterAll(undoAll);

/** Attempts at a wish: a model that is shown what is wrong goes on to the next, and one that is not repeats itself. */
function stumbling({ drafts, needs }: Stumble): Script {
  let at = 0;
  return ({ messages }: CompletionRequest) => {
    const last = messages.at(-1)?.content ?? "";
    if (messages.length > 2 && needs[at]?.test(last) === true) at += 1;
    return drafts[at] ?? { text: "" };
  };
}

/** The example agent with a model behind it, asked by somebody who may have it changed and tuned. */
async function open() {
  const model = await startModel({ text: "" });
  atEnd(model.close);
  const { chat } = await openArchitectService({
    files: Object.fromEntries(await readCheckout()),
    people: { sue: { tenant: "acme", actor: "sue", roles: ["steward"], scopes: new Set(["*"]) } },
    environment: { CAIRN_MODEL_URL: model.url, CAIRN_MODEL_NAME: "stand-in" },
    atEnd,
  });
  return {
    /** Lands a change, so that the results of all examples are known from then on. */
    async land(message: string) {
      const { body } = await chat("sue", { message });
      expect(body).toMatchObject({ result: "committed" });
    },
    /** Sends a message as a dry run; returns the outcome, and whether the model had a part in it. */
    async say(message: string, script: Script) {
      model.script(script);
      // A busy machine takes longer than an answer is waited for by default.
      const { body } = await chat("sue", { message, dry_run: true }, { headers: { prefer: "wait=300" } });
      const notes = String(body.notes ?? body.message);
      const waits = /approval first|once somebody else approves/.test(notes);
      const outcome = body.result === undefined || body.result === "rejected" ? "rejected" : waits ? "waits" : "lands";
      return { message, outcome, isModels: model.requests.length > 0, notes: notes.slice(0, 300) };
    },
  };
}

const isLong = process.env["CAIRN_LONG"] === "1";

/** Wishes and stumbles that there is time for: some of several kinds, but in long runs all. */
const wishes = WISHES.filter((_, index) => isLong || index % 6 === 1);
const stumbles = STUMBLES.filter((_, index) => isLong || index % 3 === 2);

const isDone = (row: { readonly outcome: string; readonly isModels: boolean }) =>
  row.outcome !== "rejected" && row.isModels;

const readPublished = (what: string) =>
  new RegExp(`${what} *\\| *(\\d+) of (\\d+)`)
    .exec(readFileSync("docs/architect-model.md", "utf8"))
    ?.slice(1)
    .map(Number);

/** What the model submits in the end for each message. */
const SUBMITTED = [
  ...WISHES.map(({ message, plan }) => ({ message, reply: submit(plan) })),
  ...STUMBLES.map(({ message, drafts }) => ({ message, reply: drafts.at(-1) })),
];

test("no wish and no stumble has a plan before a model is asked", async () => {
  const ground = await createGround(await readCheckout());
  const plan = { kind: "reject", reason: "It is asked.", accepted: "Nothing." } as const;
  const model: Planner = { name: "model", plan: async () => plan };
  const planners = [createSentencePlanner(), createEvidencePlanner(), model];
  const early = [];
  for (const { message } of SUBMITTED) {
    const asked: string[] = [];
    await askPlanners(planners, { message, attachments: [] }, ground, (name) => asked.push(name));
    if (!asked.includes("model")) early.push(message);
  }
  expect(early).toEqual([]);
}, 300_000);

test("every text that a last plan replaces stands once in its file", async () => {
  const files = await readCheckout();
  const read = createSubmissionReader();
  const faults = SUBMITTED.flatMap(({ message, reply }) => {
    const { calls } = typeof reply === "object" && "calls" in reply ? reply : {};
    const submitted = read(calls?.[0]?.arguments);
    if (!submitted.ok) return [message, ...submitted.faults];
    const { edits } = submitted.submission.change ?? {};
    const applied = edits && applyEdits(edits, (path) => files.get(path), MODEL_LIMITS);
    return applied?.ok === false ? [message, ...applied.faults] : [];
  });
  expect(faults).toEqual([]);
});

test("[A11] wishes come to a change with a model that submits the right plan, and stumbles are put right", async () => {
  const { say, land } = await open();
  await land("Change the title of genesis_ledger.history to Balances over time");
  const wished = [];
  for (const { message, plan } of wishes) wished.push(await say(message, submit(plan)));
  const stumbled = [];
  for (const one of stumbles) stumbled.push(await say(one.message, stumbling(one)));
  const missed = [...wished, ...stumbled].filter((row) => !isDone(row));
  process.stdout.write(missed.map(({ message, notes }) => `Missed: ${message}\n${notes}\n`).join(""));
  const scores = [wished, stumbled].map((rows) => [rows.filter(isDone).length, rows.length] as const);
  const [right = 0, repaired = 0] = scores.map(([done, all]) => done / all);
  expect(right).toBeGreaterThanOrEqual(30 / 34);
  expect(repaired).toBeGreaterThanOrEqual(0.8);
  const published = ["right plans", "stumbling drafts"].map(readPublished);
  expect(published.map((score) => score?.[1])).toEqual([WISHES.length, STUMBLES.length]);
  if (isLong) expect(published).toEqual(scores);
}, 3_600_000);
