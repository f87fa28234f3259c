import type { ExperimentView } from "./experiment-view.ts";

/** The tuning of one experiment in plain words, with its numbers. */
export function explainExperiment(view: ExperimentView): string {
  const { experiment, strategy, algorithm, active, counts, exploration, guardrail } = view;
  const lines = [
    `Experiment \`${experiment}\` is tuned by \`${strategy}\` (${algorithm}), after ${view.seq + 1} events.`,
    `In use: ${toText(active.values)}${active.arm === undefined ? "" : ` (arm \`${active.arm}\`)`}, ${WHY[active.why]}${active.by === undefined ? "" : ` by ${active.by}`}${active.since < 0 ? "" : ` at event ${active.since}`}.`,
    `${counts.assigned} conversations ran with its values: ${counts.rewarded} rewards came, ${counts.waiting} are waited for, ${counts.expired} never came in time, and ${counts.failed} first calls failed.`,
    ...toOrigin(view),
    ...toStaging(view),
    ...toStop(view),
    ...toTrial(view),
  ];
  if (view.strategy !== "preference" && view.stop.stopped === null) {
    lines.push(
      `${percent(exploration.share)} of the conversations are given what staging decides, the others what is in use.`,
    );
  }
  if (guardrail.breach !== null) lines.push(`The guardrail took something back: ${guardrail.breach}`);
  return lines.join("\n");
}

const WHY = {
  default: "the defaults",
  "stop rule": "promoted by the stop rule",
  promoted: "promoted",
  reverted: "reverted to",
  guardrail: "gone back to by the guardrail",
} as const;

function toStaging({ staging }: ExperimentView): readonly string[] {
  const lines: string[] = [];
  if ("arms" in staging) {
    for (const { arm, rewards, mean, interval, pending, probability } of staging.arms) {
      const known =
        mean === null || interval === null
          ? "no reward yet"
          : `mean reward ${round(mean)} (95 % from ${round(interval[0])} to ${round(interval[1])}) over ${rewards}`;
      lines.push(
        `- \`${arm}\`: ${known}; ${pending} pending; the next conversation gets it with probability ${round(probability)}.`,
      );
    }
  } else if ("search" in staging) {
    const { generation, run, population, sigma, evaluations, open, best, stopped } = staging.search;
    lines.push(
      stopped === null
        ? `The search has ${evaluations} results and is in generation ${generation ?? 0} of run ${run} (population ${population ?? "not drawn yet"}, step size ${sigma === null ? "not set" : round(sigma)}); ${open} candidates are open.`
        : `The search has ended after ${evaluations} results.`,
    );
    if (best !== null) lines.push(`Its best single result: ${round(best.reward)} with ${toText(best.values)}.`);
  } else if (staging.fit === null) {
    lines.push("No preferences have been fitted yet.");
  } else {
    const { count, estimates, threshold } = staging.fit;
    lines.push(
      `The last fit was to ${count} comparisons${threshold === null ? "" : `; margins from ${round(threshold)} on can be followed`}:`,
    );
    for (const [name, { value, standardError }] of Object.entries(estimates)) {
      lines.push(
        `- \`${name}\`: ${round(value)}${standardError === null ? "" : ` (standard error ${round(standardError)})`}.`,
      );
    }
  }
  if (staging.suggested !== undefined) lines.push(`Staging holds ${toText(staging.suggested.values)} for best.`);
  return lines;
}

function toOrigin({ origin, seq, active }: ExperimentView): readonly string[] {
  if (origin === null) return [];
  const { parent, changed, inherited } = origin;
  const begins = seq < 0 ? "Its first conversation will begin" : "It began";
  if (parent === undefined) return [`${begins} anew: no version that it was made from had it tuned.`];
  const of = `version ${parent.version} (${parent.commit.slice(0, 12)})`;
  if (inherited === undefined) return [`${begins} anew: ${of} defines ${toList(changed ?? [])} differently.`];
  return [
    `${begins} with what ${of} had learnt from ${inherited.results} results${active.why === "default" ? "" : " and had in use"} by its event ${inherited.seq}; from then on its own results alone move it.`,
  ];
}

function toStop({ stop }: ExperimentView): readonly string[] {
  const leads = (stop.leads ?? []).flatMap((lead) => {
    if (lead === null) return [];
    const { leader, over, by, interval } = lead;
    return [
      `- \`${leader}\` is ahead of \`${over}\` by ${round(by)} (from ${round(interval[0])} to ${round(interval[1])}).`,
    ];
  });
  const known = stop.ratios?.filter((ratio) => ratio !== null) ?? [];
  if (stop.stopped !== null) {
    return [
      `It stopped at event ${stop.stopped.seq}: ${stop.stopped.reason.replaceAll("_", " ")}. It explores no more, whatever its floor: every conversation is given what is in use.`,
      ...toDecision(stop, known),
      ...leads,
    ];
  }
  const { reason, leader, threshold } = stop;
  if (reason === undefined) return [];
  if (threshold === null || threshold === undefined || known.length === 0) return ["The stop rule waits for rewards."];
  return [
    `Stop rule: ${reason.replaceAll("_", " ")}; \`${leader}\` leads, its smallest likelihood ratio is ${round(Math.min(...known))} and must exceed ${round(threshold)}: then the whole interval of each difference is above ${stop.epsilon ? -stop.epsilon : 0}. The intervals of single means may overlap all the same.`,
    ...leads,
  ];
}

/** The numbers of the moment at which the stop rule decided; none of a search, which ends by other reasons. */
function toDecision({ leader, threshold }: ExperimentView["stop"], ratios: readonly number[]): readonly string[] {
  if (leader === undefined || threshold === null || threshold === undefined || ratios.length === 0) return [];
  const smallest = Math.min(...ratios);
  const compared = smallest > threshold ? "which it exceeded" : "which it did not exceed";
  return [
    `What decided: the smallest likelihood ratio of \`${leader}\` was ${round(smallest)}, the threshold ${round(threshold)}, ${compared}.`,
  ];
}

function toTrial({ guardrail: { trial } }: ExperimentView): readonly string[] {
  if (trial === null) return [];
  const { about, active, former, evidence, threshold, limit } = trial;
  const toSide = (side: typeof active) =>
    "calls" in side
      ? `${side.failed} of ${side.calls} calls failed`
      : `${side.mean === null ? "no reward" : round(side.mean)} over ${side.rewards} rewards`;
  return [
    `The guardrail has put what is in use on trial for its ${about} since event ${trial.since}: half of the conversations are given ${toText(former.values ?? {})} instead. In use: ${toSide(active)}; instead: ${toSide(former)}. It is taken back when the evidence of a difference above ${limit ?? 0}, now ${round(evidence)}, reaches ${round(threshold)}.`,
  ];
}

function toList(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function toText(values: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(values)
    .map(([name, value]) => `\`${name}\` = \`${typeof value === "number" ? round(value) : String(value)}\``)
    .join(", ");
}

function round(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function percent(share: number): string {
  return `${round(share * 100)} %`;
}
