import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { openArchitectService } from "../../helpers/architect-service.ts";
import { readCheckout } from "../../helpers/plan-ground.ts";
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
      const { body } = await chat("sue", { message, dry_run: true });
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
  if (isLong) expect(["right plans", "stumbling drafts"].map(readPublished)).toEqual(scores);
}, 900_000);
