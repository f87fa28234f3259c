import type { Json } from "../../../../store/store.ts";
import type { ParameterSet, Version } from "../../../../versions/version.ts";
import { type Accepts, AMOUNT, COUNT, stemSet } from "./places.ts";
import { CHOICE, type Setting } from "./setting.ts";

const TUNING =
  /\b(?:experiments?|tun(?:ing|ed)|strateg(?:y|ies)|bandits?|trials?|tests?|rewards?|search|comparisons?)\b/iu;

/** Lists what strategies and rewards of an experiment can be set to by words of their own. */
export function toExperimentSettings(version: Version, set: ParameterSet): readonly Setting[] {
  const { experiment, name, file } = set;
  if (experiment === undefined) return [];
  const readers = [...version.tools.values()].filter(({ parameters }) => parameters.includes(name));
  const own = {
    file,
    about: TUNING,
    names: [[...stemSet(name)]],
    owners: stemSet(
      name,
      set.description,
      ...readers.map((tool) => tool.name),
      "experiment reward strategy last newest recent",
    ),
  };
  const { strategy, reward } = experiment;
  const now: Readonly<Record<string, unknown>> = { ...strategy };
  const label = (key: string) => `${key} of the experiment \`${name}\``;
  const strategic = (KEYS[strategy.kind] ?? []).map(([key, said, words, accepts, values]): Setting => ({
    ...own,
    label: label(said),
    at: ["experiment", "strategy", key],
    accepts,
    now: now[key] as Json | undefined,
    key: words,
    ...(values === undefined ? {} : { values }),
  }));
  const rewarding = { ...own, about: /\brewards?\b/iu };
  return [
    ...strategic,
    {
      ...rewarding,
      label: label("range of rewards"),
      at: ["experiment", "reward", "range"],
      accepts: { kind: "range" },
      now: [...reward.range],
      key: /\b(?:range\w*|(?:go|goes|be|are|lie|run|runs) (?:anywhere )?(?:from|between))\b/iu,
    },
    {
      ...rewarding,
      label: label("treatment of rewards out of range"),
      at: ["experiment", "reward", "outOfRange"],
      accepts: CHOICE,
      now: reward.outOfRange,
      key: /\b(?:out(?:side)? of (?:the |its |their )?range|outside (?:the |its |their )range|out-of-range)\b/iu,
      values: [
        [/\bclip\w*\b|\bcut (?:off|down)\b/iu, "clip"],
        [/\b(?:reject\w*|refus\w*)\b/iu, "reject"],
      ],
    },
    {
      ...rewarding,
      label: label("treatment of late rewards"),
      at: ["experiment", "reward", "late"],
      accepts: CHOICE,
      now: reward.late,
      key: /\b(?:late|too late|belated|after the deadline)\b/iu,
      values: [
        [/\b(?:drop\w*|ignor\w*|discard\w*|thrown? away|not count)\b/iu, "drop"],
        [/(?<!not )\bcount\w*\b/iu, "count"],
      ],
    },
  ];
}

type Key = readonly [key: string, said: string, words: RegExp, accepts: Accepts, values?: Setting["values"]];

const XI: Key = ["xi", "xi", /\bxi\b/iu, AMOUNT];
/** The settings of each strategy. */
const KEYS: Readonly<Record<string, readonly Key[]>> = {
  ucb1: [["c", "constant", /\bexploration (?:constant|coefficient|factor)\b|(?<=["'\x60])c(?=["'\x60])/iu, AMOUNT]],
  sw_ucb: [["window", "window", /\bwindow\b|\b(?:last|newest|latest|most recent) \d[\d.,]* rewards?\b/iu, COUNT], XI],
  d_ucb: [["discount", "discount", /\bdiscount(?:ed|s)?\b/iu, AMOUNT], XI],
  cma_es: [
    ["population", "population", /\bpopulation\b/iu, COUNT],
    ["reevaluate", "number of re-evaluations", /\bre-?evaluat\w+\b/iu, COUNT],
    [
      "restarts",
      "restarts",
      /\brestarts?\b/iu,
      CHOICE,
      [
        [/\bbipop\b/iu, "bipop"],
        [/(?<!b)\bipop\b/iu, "ipop"],
        [/\b(?:none|no restarts?|never|without restarts?)\b/iu, "none"],
      ],
    ],
  ],
  preference: [
    ["l2", "regularisation", /\bl2\b|\bregulari[sz]ation\b/iu, AMOUNT],
    ["targetPrecision", "precision that it aims for", /\b(?:target )?precision\b/iu, AMOUNT],
    [
      "ties",
      "treatment of ties",
      /\b(?:ties|draws)\b/iu,
      CHOICE,
      [
        [/\bhalf\b/iu, "half"],
        [/\bdavidson\b/iu, "davidson"],
      ],
    ],
  ],
};

/** Parts that an experiment can do without, as they are called. */
const PARTS = [
  { key: "stop", label: "stop rule", said: /\bstop(?:ping)?[ -](?:rules?|conditions?|criteri(?:on|a))\b/iu },
  { key: "guardrail", label: "guardrail", said: /\bguard-?rails?\b/iu },
] as const;

/** Finds the part of an experiment that a text names; who wants that to go wants the experiment to go on. */
export function partOfExperiment(text: string): (typeof PARTS)[number] | undefined {
  return PARTS.find(({ said }) => said.test(text));
}
