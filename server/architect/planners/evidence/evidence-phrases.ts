import type { ParameterSet, Version } from "../../../versions/version.ts";
import { findExperiment, requireExperiment } from "../directives/find-parameter.ts";
import type { Deed, Phrase, Said } from "../directives/phrase.ts";
import { toPhrase } from "../directives/to-phrase.ts";
import { refuse, toList } from "../../guard/refuse.ts";

/** The wish about what tuning has found; its parts may stand in several sentences. */
export interface Wish {
  experiment: ParameterSet | undefined;
  arm: string | undefined;
  /** True: the defaults of the manifest are to change. */
  isCommit: boolean;
  /** True: several experiments have the arm. */
  isShared: boolean;
}

const MUCH = "(?:clearly |much |significantly |a bit |a little |far )?";
const IN = "(?: (?:of|for|in) {experiment})?";
const THAN = "(?: than (?:with |for )?{other})?";
const WINNER =
  "(?:the )?(?:winner|winning arm|best arm|best values?|winning values?|leader|(?:evaluations?|evals?|evidence|staging|results?)(?: of (?:the )?tuning)?|attached (?:evaluations?|evals?|results?|evidence|staging)|tuning results?)";
const FOUND = "(?:what (?:the )?tuning (?:has )?found|what (?:was|has been) (?:found|learnt|learned))";
const IT = "(?:it|that|them|this|these)";
const TAKE = "(?:adopt|promote|use|apply|take|keep|follow|go with|switch to|roll out|ship)";
const DEFAULT = "(?:the |its |our )?(?:new )?defaults?";

/** Lists the sentences about how well arms did, and about what is to come of that; they fill in `wish`. */
export function toEvidencePhrases(wish: Wish): readonly Phrase[] {
  return [
    toPhrase(
      `(?:mean |average )?rewards? (?:was|were|is|are|has been|have been) ${MUCH}(?:better|higher|best|highest) (?:with|for|under|using) {arm}${THAN}${IN}`,
      armOf(wish, true),
    ),
    toPhrase(
      `(?:the )(?:mean |average )?rewards? (?:was|were|is|are|has been|have been) ${MUCH}(?:better|higher|best|highest) (?:with|for|under|using) {arm}${THAN}${IN}`,
      armOf(wish, true),
    ),
    toPhrase(
      `{arm} (?:has|had|gets|got|earns|earned|gives|gave) ${MUCH}(?:better|higher|more|the best|the highest) rewards?${THAN}${IN}`,
      armOf(wish, false),
    ),
    toPhrase(
      `{arm} (?:won|wins|is the winner|${MUCH}(?:is|was|did|does|performs|performed|works|worked) ${MUCH}(?:better|best))${THAN}${IN}`,
      armOf(wish, false),
    ),
    toPhrase(
      `(?:make|turn) (?:${WINNER}|${IT})${IN} (?:into )?${DEFAULT}${IN.replace("experiment", "experiment2")}`,
      take(wish, true),
    ),
    toPhrase(`(?:make|turn) {arm} (?:into )?${DEFAULT}${IN}`, armOf(wish, false, true)),
    toPhrase(
      `(?:commit|${TAKE}) (?:${WINNER}|${FOUND}|${IT})${IN} as ${DEFAULT}${IN.replace("experiment", "experiment2")}`,
      take(wish, true),
    ),
    toPhrase(`commit (?:${WINNER}|${FOUND}|${IT})${IN}`, take(wish, true)),
    toPhrase(`${TAKE} (?:${WINNER}|${FOUND}|${IT})${IN}`, take(wish, false)),
    toPhrase(`${TAKE} {arm}${IN}`, armOf(wish, false)),
  ];
}

/** Notes the arm that a sentence names. `isSure`: it is about arms, so that an unknown one is a mistake, and not another matter. */
function armOf(wish: Wish, isSure: boolean, isCommit = false): (said: Said) => Deed | undefined {
  return (said) => {
    const { version } = said.ground;
    const arm = said.name("arm");
    const named = said.name("experiment") === "" ? undefined : findExperiment(version, said.name("experiment"));
    if (said.name("experiment") !== "" && named === undefined) return undefined;
    const sets = named === undefined ? tunedOf(version) : [named];
    const having = sets.flatMap((set) =>
      choicesOf(set)
        .filter((one) => one.toLowerCase() === arm.toLowerCase())
        .map((one) => ({ set, arm: one })),
    );
    const [only] = having;
    if (only === undefined) {
      if (isSure) throw unknownArm(arm, sets);
      return undefined;
    }
    if (having.length > 1) {
      wish.isShared = true;
      const names = having.map(({ set }) => set.name);
      throw refuse(
        `Several experiments have an arm \`${arm}\`: ${toList(names)}.`,
        `Which one is meant: ${toList(names, "or")}?`,
      );
    }
    const other = said.name("other").toLowerCase();
    if (other !== "" && !choicesOf(only.set).some((one) => one.toLowerCase() === other))
      throw unknownArm(other, [only.set]);
    return () => {
      if (wish.arm !== undefined && (wish.arm !== only.arm || wish.experiment !== only.set)) {
        throw refuse(
          `Both \`${wish.arm}\` and \`${only.arm}\` are to be adopted: these contradict each other.`,
          "Which of the two is meant?",
        );
      }
      wish.experiment = only.set;
      wish.arm = only.arm;
      wish.isCommit ||= isCommit;
    };
  };
}

/** Notes that the winner is wanted, of the experiment that the sentence names, if it names one. */
function take(wish: Wish, isCommit: boolean): (said: Said) => Deed | undefined {
  return (said) => {
    const named = said.name("experiment") || said.name("experiment2");
    const set = named === "" ? undefined : requireExperiment(said.ground.version, named);
    return () => {
      if (set !== undefined && wish.experiment !== undefined && set !== wish.experiment) {
        throw refuse(
          `The message is about \`${wish.experiment.name}\` and about \`${set.name}\`.`,
          "Send a message for each.",
        );
      }
      wish.experiment ??= set;
      wish.isCommit ||= isCommit;
    };
  };
}

export function tunedOf({ parameters }: Version): readonly ParameterSet[] {
  return [...parameters.values()].filter(({ experiment }) => experiment !== undefined);
}

/** Names of arms. */
function choicesOf({ experiment }: ParameterSet): readonly string[] {
  return (experiment?.arms ?? []).map(({ name }) => name);
}

function unknownArm(arm: string, sets: readonly ParameterSet[]): Error {
  const arms = sets.flatMap((set) => choicesOf(set).map((name) => `${name} (${set.name})`));
  return refuse(
    `No experiment has an arm \`${arm.slice(0, 100)}\`.`,
    arms.length === 0 ? "No experiment has arms." : `The arms are ${toList(arms)}.`,
  );
}
