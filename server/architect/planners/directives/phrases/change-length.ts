import type { Parameter, ParameterSet, Tool } from "../../../../versions/version.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import { commitValues } from "../../../commit-values.ts";
import { findTool } from "../find-tool.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { toPhrase } from "../to-phrase.ts";
import { toPromotion } from "./tune.ts";

const SHORTER =
  "shorter|briefer|more brief|brief|terser|more terse|more concise|concise|less verbose|less wordy|less detailed|less long";
const LONGER = "longer|more verbose|more detailed|wordier|less brief|less terse|fuller|in more detail|more elaborate";
const LENGTH = `(?<length>${SHORTER}|${LONGER})`;
const ANSWERS = "(?:answers?|replies|reply|responses?|summar(?:y|ies)|messages?|texts?)";
const ANSWER = "(?:answer|reply|respond|be|sound|summari[sz]e)";

/** Phrases about the length of a tool's answers, where one of its parameters decides it. */
export const LENGTH_PHRASES: readonly Phrase[] = [
  toPhrase(`(?:make|have|let) {tool} (?:${ANSWER} )?(?:a (?:bit|little) |much )?${LENGTH}`, change),
  toPhrase(`(?:make|keep) (?:the )?${ANSWERS} (?:of|from|by|in) {tool} (?:a (?:bit|little) |much )?${LENGTH}`, change),
  toPhrase(`(?:make|keep) {tool} ${ANSWERS} (?:a (?:bit|little) |much )?${LENGTH}`, change),
  toPhrase(
    `{tool} (?:should|must|needs to|has to) (?:${ANSWER}|give) (?:a (?:bit|little) |much )?${LENGTH}(?: ${ANSWERS})?`,
    change,
  ),
  toPhrase(`${ANSWERS} (?:of|from|by) {tool} should be ${LENGTH}`, change),
  toPhrase(
    `(?:the )?(?:${ANSWERS} (?:of|from|by) {tool}|{tool2} ${ANSWERS}) (?:is|are) (?:much |far )?too (?<fault>long|short|verbose|wordy|brief|terse|detailed)`,
    change,
  ),
];

const SHORT: ReadonlySet<string> = new Set(["brief", "short", "terse", "concise", "compact", "minimal"]);
const LONG: ReadonlySet<string> = new Set(["full", "long", "detailed", "verbose", "extended", "complete"]);

function change(said: Said): Deed | undefined {
  const { version } = said.ground;
  const tool = findTool(version, said.name("tool") || said.name("tool2").replace(/['’]s$/, ""));
  if (tool === undefined) return undefined;
  const fault = said.name("fault");
  const isShorter =
    fault === ""
      ? new RegExp(`^(?:${SHORTER})$`, "i").test(said.name("length"))
      : !/^(?:short|brief|terse)$/i.test(fault);
  const { set, name, value } = requireLength(said, tool, isShorter);
  if (set.experiment !== undefined) {
    const arm = set.experiment.arms.find(({ values }) => isOnlyOther(set, values, name, value));
    const adjustment = toPromotion(set, arm?.name ?? value);
    return (bench) => bench.adjust(adjustment);
  }
  return (bench) => commitValues(bench, set, { [name]: value });
}

function requireLength(said: Said, tool: Tool, isShorter: boolean) {
  const wanted = isShorter ? SHORT : LONG;
  const found = tool.parameters.flatMap((of) => {
    const set = said.ground.version.parameters.get(of);
    return set === undefined
      ? []
      : [...set.parameters].flatMap(([name, parameter]) => toChoice(set, name, parameter, wanted));
  });
  const [first] = found;
  const names = found.map(({ set, name, value }) => `${set.name}.${name}=${value}`);
  if (first === undefined) {
    const reason = `No parameter of \`${tool.name}\` says how long its answers are.`;
    throw refuse(
      reason,
      `Its parameters are ${tool.parameters.length === 0 ? "none" : toList(tool.parameters)}; attach a diff that changes the handler.`,
    );
  }
  if (found.length > 1)
    throw refuse(
      `Several parameters of \`${tool.name}\` could mean that: ${toList(names)}.`,
      `Which one: ${toList(names, "or")}?`,
    );
  return first;
}

/** One of two or more values is about length, and so is another: a choice between brief and full. */
function toChoice(set: ParameterSet, name: string, parameter: Parameter, wanted: ReadonlySet<string>) {
  if (parameter.type !== "categorical") return [];
  const texts = parameter.values.filter((value) => typeof value === "string");
  const isLength = texts.some((value) => SHORT.has(value)) && texts.some((value) => LONG.has(value));
  return isLength ? texts.filter((value) => wanted.has(value)).map((value) => ({ set, name, value })) : [];
}

function isOnlyOther(
  set: ParameterSet,
  values: Readonly<Record<string, string | number | boolean>>,
  changed: string,
  to: string,
): boolean {
  return [...set.parameters].every(([name, { default: usual }]) => values[name] === (name === changed ? to : usual));
}
