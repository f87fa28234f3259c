import type { Json } from "../../../../store/store.ts";
import type { Version } from "../../../../versions/version.ts";
import { refuse } from "../../../guard/refuse.ts";
import { showValue } from "../../../show-value.ts";
import type { Bench } from "../bench.ts";
import { checkDirection } from "../check-direction.ts";
import { type FoundParameter, findParameter, unknownParameter } from "../find-parameter.ts";
import { knowsValue, refuseUnknownValue, UNKNOWN } from "../knows-value.ts";
import { setDefault } from "../set-default.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { SET, toPhrase } from "../to-phrase.ts";

/** Defaults, bounds and values of parameters. */
export const PARAMETER_PHRASES: readonly Phrase[] = [
  toPhrase(
    `(?<verb>${SET}) (?:the )?(?<bound>maximum|max|upper bound|upper limit|minimum|min|lower bound|lower limit|step)(?: value)? (?:of|for) {target} (?:to|at) {value}`,
    setBound,
  ),
  // Two numbers are a range only where words say so: "from 4 to 6" says what something is and what it is to become.
  toPhrase(
    `(?:${SET}|keep|let|allow|bound|limit|restrict)(?: the (?:bounds|range) (?:of|for))? {target} (?:to )?(?:be |lie |stay )?between {low} and {high}`,
    setBounds,
  ),
  toPhrase(`${SET} the (?:bounds|range) (?:of|for) {target} (?:to )?(?:from )?{low} (?:to|and) {high}`, setBounds),
  toPhrase(
    `(?:allow|let|permit) {target} (?:(?:to )?(?:be|lie|go|range|vary) )?from {low} (?:up )?to {high}`,
    setBounds,
  ),
  toPhrase(`(?<verb>${SET}|switch|turn) (?:the )?default (?:value )?(?:of|for) {target} to {value}`, changeDefault),
  toPhrase(`(?<verb>${SET}|switch|turn) {target} (?:to|=|at) {value}`, changeDefault),
  toPhrase(`use {value} as (?:the )?default (?:of|for) {target}`, changeDefault),
  toPhrase(
    `(?:add|allow) (?:the values? )?{values} (?:to|as|among|for) (?:the |a )?(?:values?|choices?) (?:of|for) {target}`,
    addValues,
  ),
  toPhrase(
    `(?:remove|delete|drop) (?:the values? )?{values} from (?:the )?(?:values|choices) (?:of|for) {target}`,
    removeValues,
  ),
];

function changeDefault(said: Said): Deed | undefined {
  const found = findParameter(said.ground.version, said.name("target"));
  const value = said.value("value");
  // Nobody writes an identifier by chance.
  if (found === undefined && value !== undefined && /^[\w-]+[._][\w.-]+$/.test(said.name("target"))) {
    throw unknownParameter(said.ground.version, said.name("target"));
  }
  if (found === undefined || value === undefined) return undefined;
  const { set, name, parameter } = found;
  const label = `${set.name}.${name}`;
  checkDirection(said.name("verb"), `default of ${label}`, parameter.default, value);
  const wanted = toOwn(found, value);
  return (bench) => setDefault(bench, set, name, wanted);
}

function setBound(said: Said): Deed | undefined {
  const found = findParameter(said.ground.version, said.name("target"));
  const value = said.value("value");
  if (found === undefined || value === undefined) return undefined;
  const bound = /^(?:max|upper)/i.test(said.name("bound"))
    ? "max"
    : said.name("bound").toLowerCase() === "step"
      ? "step"
      : "min";
  const { set, name, parameter } = requireNumber(found);
  const label = `${set.name}.${name}`;
  checkDirection(said.name("verb"), `${said.name("bound")} of ${label}`, parameter[bound], value);
  return (bench) => changeBound(bench, found, bound, value);
}

function setBounds(said: Said): Deed | undefined {
  const found = findParameter(said.ground.version, said.name("target"));
  const [low, high] = [said.value("low"), said.value("high")];
  if (found === undefined || low === undefined || high === undefined) return undefined;
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  requireNumber(found);
  return async (bench) => {
    await changeBound(bench, found, "min", low);
    await changeBound(bench, found, "max", high);
  };
}

async function changeBound(bench: Bench, { set, name }: FoundParameter, bound: string, value: Json): Promise<void> {
  const from = await bench.find(set.file, ["parameters", name, bound]);
  const isChanged = await bench.set(set.file, ["parameters", name, bound], value);
  const was = from === undefined ? "" : `; it was ${showValue(from)}`;
  if (isChanged)
    bench.say(`The ${WORDS[bound] ?? bound} of the parameter \`${set.name}.${name}\` is ${showValue(value)}${was}.`);
}

const WORDS: Readonly<Record<string, string>> = { min: "minimum", max: "maximum" };

function addValues(said: Said): Deed | undefined {
  const found = findParameter(said.ground.version, said.name("target"));
  const values = said.values("values");
  if (found === undefined || values === undefined) return undefined;
  return addChoices(said.ground.version, found, values);
}

/** Lets a parameter have more values. Refuses what the code of a tool that reads it does not know. */
export function addChoices(version: Version, found: FoundParameter, values: readonly Json[], isOffered = false): Deed {
  const { set, name, parameter } = requireChoice(found);
  const known = parameter.type === "categorical" ? parameter.values : [];
  const readers = [...version.tools.values()].filter(({ parameters }) => parameters.includes(set.name));
  const isKnown = (value: Json) => readers.every((tool) => knowsValue(version, tool, value, known));
  if (!isOffered)
    for (const tool of readers) for (const value of values) refuseUnknownValue(version, tool, value, known);
  return async (bench) => {
    for (const value of values) {
      const isChanged = await bench.addItem(set.file, ["parameters", name, "values"], value);
      if (isChanged)
        bench.say(`The parameter \`${set.name}.${name}\` can be ${showValue(value)}.${isKnown(value) ? "" : UNKNOWN}`);
    }
    bench.need("minor");
  };
}

function removeValues(said: Said): Deed | undefined {
  const found = findParameter(said.ground.version, said.name("target"));
  const values = said.values("values")?.map((value) => (found === undefined ? value : toOwn(found, value)));
  return found && values && removeChoices(found, values);
}

/** Takes values from those that a parameter can have. */
export function removeChoices(found: FoundParameter, values: readonly Json[]): Deed {
  const { set, name, parameter } = requireChoice(found);
  const known: readonly Json[] = parameter.type === "categorical" ? parameter.values : [];
  const unknown = values.find((value) => !known.includes(value));
  if (unknown !== undefined) {
    const accepted = `Its values are ${known.map(showValue).join(", ")}.`;
    throw refuse(`\`${set.name}.${name}\` cannot be ${showValue(unknown)} anyway.`, accepted);
  }
  return async (bench) => {
    for (const value of values) {
      const isChanged = await bench.removeItem(set.file, ["parameters", name, "values"], value);
      if (isChanged) bench.say(`The parameter \`${set.name}.${name}\` can no longer be ${showValue(value)}.`);
    }
    bench.need("major");
  };
}

function requireNumber(found: FoundParameter) {
  const { parameter, set, name } = found;
  if (parameter.type !== "categorical") return { ...found, parameter };
  const accepted = `Its values are ${parameter.values.map(showValue).join(", ")}: say "add <value> to the values of ${set.name}.${name}".`;
  throw refuse(`\`${set.name}.${name}\` is a choice among values and has no bounds.`, accepted);
}

function requireChoice(found: FoundParameter): FoundParameter {
  const { parameter, set, name } = found;
  if (parameter.type === "categorical") return found;
  const accepted = `It lies between ${parameter.min} and ${parameter.max}: say "set ${set.name}.${name} between <least> and <most>".`;
  throw refuse(`\`${set.name}.${name}\` is a number and has no list of values.`, accepted);
}

/** A value as the parameter writes it: words that look like numbers may be texts. */
function toOwn({ parameter, set, name }: FoundParameter, value: Json): Json {
  if (typeof value === "object") {
    throw refuse(
      `\`${set.name}.${name}\` cannot be ${showValue(value)}.`,
      "Give it a number, a text, `true` or `false`.",
    );
  }
  if (parameter.type !== "categorical") return value;
  return parameter.values.find((own) => own === value || String(own) === String(value)) ?? value;
}
