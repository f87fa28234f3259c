import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { createShared } from "../../helpers/temporary.ts";
import { startModel } from "../../stand-ins/model.ts";
import { submit } from "../../stand-ins/planning-model.ts";
import { type Objective, OBJECTIVES } from "./objectives.ts";
import { openAgent, type Outcome } from "./plan-objectives.ts";

const { atEnd, undoAll } = createShared();
afterAll(undoAll);

type Measured = Outcome & Pick<Objective, "part">;

/** The plan of a good model. */
function toSubmission({ title, edits }: Objective): object {
  const paths = [...new Set(edits.map(([path]) => path))];
  const toReplacements = (path: string) =>
    edits.filter(([file]) => file === path).map(([, find, put]) => ({ find, with: put }));
  const files = paths.map((path) => ({ path, replace: toReplacements(path) }));
  return { change: { title, changes: ["It does what was asked for."], edits: files } };
}

async function planAll(withModel: boolean): Promise<readonly Measured[]> {
  const model = withModel ? await startModel({ text: "" }) : undefined;
  if (model !== undefined) atEnd(model.close);
  const outcomes: Measured[] = [];
  for (const agent of new Set(OBJECTIVES.map((one) => one.agent))) {
    const plan = await openAgent(agent, atEnd, model && { url: model.url, name: "stand-in" });
    for (const objective of OBJECTIVES.filter((one) => one.agent === agent)) {
      model?.script(submit(toSubmission(objective)));
      outcomes.push({ ...(await plan(objective)), part: objective.part });
    }
  }
  return outcomes;
}

/** A row of the table in docs/planning.md. */
function toRow(what: string, outcomes: readonly Measured[]): string {
  const count = (is: (one: Measured) => boolean) =>
    (["development", "kept"] as const)
      .map((part) => outcomes.filter((one) => one.part === part && is(one)).length)
      .join(" and ");
  const right = count(({ isRight }) => isRight);
  const wrong = count(({ isRight, by }) => by !== "worker" && !isRight);
  return [what, right, wrong, count(({ by }) => by === "worker")].join(" | ");
}

test("objectives in words come to plans as often as docs/planning.md says, without a model and with one", async () => {
  const rows = [toRow("without a model", await planAll(false)), toRow("with one", await planAll(true))];
  const published = readFileSync("docs/planning.md", "utf8").replaceAll(/ +/g, " ");
  for (const row of rows) expect(published).toContain(`| ${row} |`);
}, 900_000);
