import { canonicalJson } from "../../../json/canonical-json.ts";
import { CairnError } from "../../../errors.ts";
import type { Json } from "../../../store/store.ts";
import type { ParameterSet } from "../../../versions/version.ts";
import { commitValues } from "../../commit-values.ts";
import { createBench } from "../directives/bench.ts";
import { halfUnderstood, readDeeds } from "../directives/read-deeds.ts";
import { type Judgement, judgeEvidence } from "./judge-evidence.ts";
import { toEvidencePhrases, tunedOf, type Wish } from "./evidence-phrases.ts";
import { speaksOfEvidence } from "./speaks-of-evidence.ts";
import type { Attachment, Feedback, Plan } from "../plan.ts";
import type { Ground, Planner, TuningProposal } from "../planner.ts";
import { refuse, toList, toRejection } from "../../guard/refuse.ts";

interface Judged {
  readonly set: ParameterSet;
  readonly proposal: TuningProposal;
  readonly judgement: Judgement;
}

/** Adopts what tuning has found, where the evidence supports it: for calls from now on, or as the manifest's defaults. */
export function createEvidencePlanner(): Planner {
  return Object.freeze<Planner>({
    name: "evidence",
    async plan(feedback, ground): Promise<Plan | undefined> {
      const wish: Wish = { experiment: undefined, arm: undefined, isCommit: false, isShared: false };
      try {
        const read = readDeeds(feedback, ground, toEvidencePhrases(wish));
        if (read === undefined) return undefined;
        // "Relaxed wins, everyone gets it": the rest may be the wish, for the planners behind this one.
        if (read.rest !== "" && namesArm(feedback, ground)) return undefined;
        if (read.rest !== "") throw halfUnderstood(read.rest);
        const bench = createBench(ground);
        for (const deed of read.deeds) await deed(bench);
        if (wish.arm === undefined && !isAboutTuning(feedback)) return undefined;
        const sets = wish.experiment === undefined ? findAttached(ground, feedback.attachments) : [wish.experiment];
        const { set, proposal, judgement } = await choose(ground, sets, wish.arm);
        if (!judgement.isEnough)
          throw refuse(`The evidence does not support this. ${judgement.told}`, judgement.missing);
        if (!wish.isCommit) return promote(set, proposal, judgement, wish.arm);
        await commitValues(bench, set, judgement.values);
        bench.support(proposal as unknown as Json);
        return bench.toPlan();
      } catch (error) {
        // Which one is meant can be offered, where nothing is said of how well it did.
        if (wish.isShared && !isAboutTuning(feedback)) return undefined;
        return toRejection(error);
      }
    },
  });
}

function namesArm({ message }: Feedback, { version }: Ground): boolean {
  const said = new Set(message.toLowerCase().split(/[^\p{L}\p{N}_-]+/u));
  return [...version.parameters.values()].some(
    ({ experiment }) => experiment?.arms.some(({ name }) => said.has(name.toLowerCase())) === true,
  );
}

/** "Use it" by itself could be about anything. */
function isAboutTuning({ message, attachments }: Feedback): boolean {
  return speaksOfEvidence(message) || attachments.some(({ uri }) => /^(?:eval:|state:\/\/staging)/.test(uri));
}

function promote(
  set: ParameterSet,
  proposal: TuningProposal,
  { values, told }: Judgement,
  wanted: string | undefined,
): Plan {
  if (canonicalJson(proposal.evidence.state.active.values) === canonicalJson(values)) {
    throw refuse(
      `These values of \`${set.name}\` are active already. ${told}`,
      'Say "make the winner the default" to have them in the manifest.',
    );
  }
  const arm = wanted ?? proposal.arm;
  const what = arm === undefined ? { values } : { arm };
  return { kind: "tune", adjustments: [{ kind: "promote", experiment: set.name, ...what }] };
}

/** The experiment that is meant: the only one there is something to say of, or whose evidence is enough. */
async function choose(ground: Ground, sets: readonly ParameterSet[], arm: string | undefined): Promise<Judged> {
  const judged: Judged[] = [];
  const silent: string[] = [];
  for (const set of sets) {
    const proposal = await ground.propose(set.name).catch((error: unknown) => {
      if (error instanceof CairnError && error.name === "CONFLICT") return undefined;
      throw error;
    });
    if (proposal === undefined) silent.push(set.name);
    else judged.push({ set, proposal, judgement: judgeEvidence(set, proposal, arm) });
  }
  const enough = judged.filter(({ judgement }) => judgement.isEnough);
  const [first, ...others] = enough.length > 0 ? enough : judged;
  if (first === undefined) {
    const reason =
      sets.length === 0 ? "Nothing is tuned in this version." : `Nothing is known yet of ${toList(silent)}.`;
    throw refuse(reason, "Reward conversations first; `tuner.propose` shows the evidence as it grows.");
  }
  if (others.length === 0) return first;
  const names = [first, ...others].map(({ set }) => set.name);
  if (enough.length > 0) {
    throw refuse(
      `Several experiments have found something: ${toList(names)}.`,
      `Which one is meant: ${toList(names, "or")}?`,
    );
  }
  const told = [first, ...others].map(({ judgement }) => judgement.told).join(" ");
  throw refuse(`The evidence does not support this. ${told}`, first.judgement.missing);
}

/** The experiments that attachments are about; all where they name none. */
function findAttached(ground: Ground, attachments: readonly Attachment[]): readonly ParameterSet[] {
  const sets = tunedOf(ground.version);
  const named = sets.filter(({ name }) =>
    attachments.some(({ uri, text }) => isNamed(uri, name) || text.includes(`"experiment":"${name}"`)),
  );
  return named.length === 0 ? sets : named;
}

function isNamed(uri: string, name: string): boolean {
  return uri.split(/[/?&=#.]/).includes(name);
}
