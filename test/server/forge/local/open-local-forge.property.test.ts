import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change, CheckResult } from "../../../../server/forge/forge.ts";
import { FAILURE, REQUIRED, SUCCESS, proposal, start, texts } from "../contract/steps.ts";
import { type LocalBench, openLocalBench } from "../open-local-bench.ts";

const LONG = process.env["CAIRN_LONG"] !== undefined;
const LINES = 4;

/** `which` picks one of the changes so far. */
const which = fc.nat(9);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("propose" as const), line: fc.nat(LINES), old: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("push" as const), line: fc.nat(LINES) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("push to change" as const), which }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("report" as const), which, red: fc.nat(4) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("land" as const), which, green: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("refresh" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("abandon" as const), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Sequences in which nothing ever lands would prove nothing, so each begins with one. */
const LANDING: readonly Step[] = [
  { kind: "propose", line: 0, old: false },
  { kind: "land", which: 0, green: true },
];

/** What has to be so, as far as the steps tell. */
interface Model {
  readonly changes: { readonly change: Change; readonly file: string }[];
  readonly bases: string[];
  /** Files that nobody else writes, so that they stay once they are there. */
  readonly landed: Set<string>;
  /** Of each commit, what was last reported of each check. */
  readonly results: Map<string, Map<string, CheckResult>>;
  mergedCount: number;
}

test("whatever people and changes do, the base only grows, nothing that landed is lost, and only what is green lands", async () => {
  let [merged, runs] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30, size: "max" }), async (steps) => {
      const { bench, from } = await start(openLocalBench);
      const first = await bench.push("main", { "shared.txt": sharedText() });
      const model: Model = { changes: [], bases: [from, first], landed: new Set(), results: new Map(), mergedCount: 0 };
      for (const [at, each] of [...LANDING, ...steps].entries()) {
        await take(bench, model, each, at);
        await checkBase(bench, model);
      }
      const files = Object.keys(await texts(bench, model.bases.at(-1) ?? ""));
      expect(files).toEqual(expect.arrayContaining([...model.landed]));
      merged += model.mergedCount;
      runs += 1;
    }),
    { numRuns: LONG ? 100 : 4 },
  );
  expect(merged).toBeGreaterThanOrEqual(runs);
});

async function take(bench: LocalBench, model: Model, each: Step, at: number): Promise<void> {
  const { forge } = bench;
  const base = model.bases.at(-1) ?? "";
  if (each.kind === "propose") {
    const file = `change-${at}.txt`;
    const from = each.old ? (model.bases.at(-2) ?? base) : base;
    const files = { [file]: file, "shared.txt": await editShared(bench, from, each.line, `change ${at}`) };
    model.changes.push({ change: await forge.propose(proposal(`change-${at}`, from, files)), file });
    return;
  }
  if (each.kind === "push") {
    const file = `push-${at}.txt`;
    const shared = await editShared(bench, base, each.line, `push ${at}`);
    model.bases.push(await bench.push("main", { [file]: file, "shared.txt": shared }));
    model.landed.add(file);
    return;
  }
  const picked = model.changes[each.which % Math.max(model.changes.length, 1)];
  if (picked === undefined) return;
  const { change, file } = picked;
  const { head, state } = await forge.status(change);
  if (each.kind === "push to change" && state === "open") await bench.push(change.branch, { [`more-${at}.txt`]: "" });
  if (each.kind === "report") {
    for (const [index, name] of REQUIRED.entries()) await report(bench, model, head, name, index === each.red);
  }
  if (each.kind === "abandon" && state !== "merged") await forge.abandon(change, "Nobody wants it.");
  if (each.kind === "refresh" && state === "open") {
    const refreshed = await forge.refresh(change);
    const now = (await forge.status(change)).head;
    expect(refreshed.outcome === "conflict" ? now : refreshed.head).toBe(now);
    if (refreshed.outcome !== "conflict") expect(await bench.isAncestor(base, now)).toBe(true);
    expect(await bench.isAncestor(head, now)).toBe(true);
  }
  if (each.kind === "land") {
    if (each.green) for (const name of REQUIRED) await report(bench, model, head, name, false);
    const landing = await forge.land(change, { expectHead: head, mode: "now" });
    if (state === "merged") expect(landing.outcome).toBe("merged");
    if (state === "closed") expect(landing.outcome).toBe("blocked");
    if (state !== "open" || landing.outcome !== "merged") return;
    expect(REQUIRED.map((name) => model.results.get(head)?.get(name))).toEqual([SUCCESS, SUCCESS]);
    expect(landing.oid).toBe(head);
    expect(await bench.find("main")).toBe(head);
    model.bases.push(head);
    model.landed.add(file);
    model.mergedCount += 1;
  }
}

/** The base is where the steps have brought it, and has all that it had. */
async function checkBase(bench: LocalBench, { bases }: Model): Promise<void> {
  const [before = "", now = ""] = bases.slice(-2);
  expect(await bench.find("main")).toBe(now);
  expect(await bench.isAncestor(before, now)).toBe(true);
}

async function report(bench: LocalBench, model: Model, head: string, name: string, red: boolean): Promise<void> {
  const result = red ? FAILURE : SUCCESS;
  const results = model.results.get(head) ?? new Map<string, CheckResult>();
  model.results.set(head, results.set(name, result));
  await bench.forge.report(head, name, result);
}

/** Changes one line, of which others change others, or the same. */
async function editShared(bench: LocalBench, commit: string, line: number, text: string): Promise<string> {
  const there = (await texts(bench, commit))["shared.txt"] ?? sharedText();
  const lines = there.split("\n");
  lines[line * 5] = text;
  return lines.join("\n");
}

function sharedText(): string {
  return Array.from({ length: LINES * 5 + 1 }, (_, at) => `line ${at}`).join("\n");
}
