import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { ParameterSet } from "../../../../versions/version.ts";
import type { Adjustment } from "../../plan.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import { findExperiment, requireExperiment } from "../find-parameter.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { toPhrase } from "../to-phrase.ts";
import { commitValues } from "../../../commit-values.ts";

const OF = "(?:the )?(?:tuning|tuned values|experiment|promotion|values|parameters) (?:of|in|for) ";

/** Phrases that promote values for calls, without a commit. */
export const TUNE_PHRASES: readonly Phrase[] = [
  toPhrase(`promote (?:the )?(?:arm |value )?{arm} (?:for|of|in|as the winner of) {experiment}`, promoteArm),
  toPhrase(`(?:use|activate|switch to) (?:the )?(?:arm )?{arm} (?:for|in) {experiment}`, useArm),
  toPhrase(`promote {values} (?:for|of|in|as) {experiment}`, promoteValues),
  toPhrase(`promote (?:the )?(?:best|best arm|best values|leader) (?:for|of|in) {experiment}`, promoteBest),
  toPhrase(`promote {experiment}`, promoteBest),
  toPhrase(`(?:revert|undo|take back|roll back) ${OF}{experiment}`, revert),
  toPhrase(`(?:revert|unpromote) {experiment}`, revert),
  toPhrase(`(?:go back|return|revert|reset|switch back)(?: to)? (?:the )?defaults? (?:of|for|in) {experiment}`, reset),
  toPhrase(`reset ${OF}{experiment}`, reset),
  toPhrase(`reset {experiment}(?: to (?:its|the) defaults?)?`, reset),
  toPhrase(
    `(?:make|turn|commit|adopt|write) (?:the )?(?:promoted|active|tuned|current) values(?: of {experiment})? (?:into |as |to )?(?:the |its )?(?:new )?defaults?`,
    commit,
  ),
  toPhrase(
    `(?:make|turn|commit|adopt|write) (?:the )?(?:promoted|active|tuned|current) values (?:into |as |to )?(?:the |its )?(?:new )?defaults? (?:of|for|in) {experiment}`,
    commit,
  ),
];

/** The adjustment that makes one arm active, or one value where the set is tuned without arms. */
export function toPromotion(set: ParameterSet, arm: string): Adjustment {
  const arms = set.experiment?.arms ?? [];
  const named = arms.find(({ name }) => name.toLowerCase() === arm.toLowerCase());
  if (named !== undefined) return { kind: "promote", experiment: set.name, arm: named.name };
  const [only, ...others] = [...set.parameters];
  const value =
    only !== undefined && others.length === 0 && only[1].type === "categorical"
      ? only[1].values.find((own) => String(own).toLowerCase() === arm.toLowerCase())
      : undefined;
  if (only !== undefined && value !== undefined) {
    return { kind: "promote", experiment: set.name, values: { [only[0]]: value } };
  }
  const names = arms.map(({ name }) => name);
  const accepted =
    names.length > 0
      ? `Its arms are ${toList(names)}.`
      : `It has no arms: say "promote {${[...set.parameters.keys()].map((name) => `"${name}": ...`).join(", ")}} for ${set.name}".`;
  throw refuse(`The experiment \`${set.name}\` has no arm \`${arm.slice(0, 100)}\`.`, accepted);
}

function promoteArm(said: Said): Deed | undefined {
  const set = findExperiment(said.ground.version, said.name("experiment"));
  const arm = said.value("arm");
  if (set === undefined || isObject(arm)) return undefined;
  if (/^(?:best|winner|leader)$/.test(said.name("arm"))) return undefined;
  const adjustment = toPromotion(set, String(arm ?? said.name("arm")));
  return (bench) => bench.adjust(adjustment);
}

/** Promotes an arm; a name that is no arm means something else. */
function useArm(said: Said): Deed | undefined {
  const set = findExperiment(said.ground.version, said.name("experiment"));
  const isArm = set?.experiment?.arms.some(({ name }) => name.toLowerCase() === said.name("arm").toLowerCase());
  return isArm === true ? promoteArm(said) : undefined;
}

function promoteValues(said: Said): Deed | undefined {
  const set = findExperiment(said.ground.version, said.name("experiment"));
  const given = said.value("values");
  if (set === undefined || !isObject(given)) return undefined;
  const values = toScalars(given);
  const names = [...set.parameters.keys()];
  const isWhole = names.every((name) => Object.hasOwn(values, name)) && Object.keys(values).length === names.length;
  if (!isWhole || Object.keys(given).length !== names.length) {
    throw refuse(
      `What is promoted has a value for each parameter of \`${set.name}\`.`,
      `Its parameters are ${toList(names)}.`,
    );
  }
  return (bench) => bench.adjust({ kind: "promote", experiment: set.name, values });
}

function toScalars(given: Readonly<Record<string, unknown>>): Readonly<Record<string, string | number | boolean>> {
  const scalars = Object.entries(given).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [[name, value] as const]
      : [],
  );
  return Object.fromEntries(scalars);
}

function promoteBest(said: Said): Deed | undefined {
  const set = findExperiment(said.ground.version, said.name("experiment"));
  return set && ((bench) => bench.adjust({ kind: "promote", experiment: set.name }));
}

function revert(said: Said): Deed | undefined {
  const set = findExperiment(said.ground.version, said.name("experiment"));
  return set && ((bench) => bench.adjust({ kind: "revert", experiment: set.name }));
}

function reset(said: Said): Deed | undefined {
  const set = findExperiment(said.ground.version, said.name("experiment"));
  return set && ((bench) => bench.adjust({ kind: "reset", experiment: set.name }));
}

/** Commits the active values as the manifest's defaults. */
function commit(said: Said): Deed | undefined {
  const { version } = said.ground;
  const tuned = [...version.parameters.values()].filter(({ experiment }) => experiment !== undefined);
  const named = said.name("experiment");
  const [only, ...others] = named === "" ? tuned : [requireExperiment(version, named)];
  if (only === undefined)
    throw refuse("Nothing is tuned in this version.", "Say which parameter is to have which default.");
  if (others.length > 0) {
    const names = tuned.map(({ name }) => name);
    throw refuse("Several experiments have values of their own.", `Of which one: ${toList(names, "or")}?`);
  }
  return async (bench) => {
    const proposal = await bench.ground.propose(only.name);
    await commitValues(bench, only, proposal.evidence.state.active.values);
    bench.support(proposal as unknown as Json);
  };
}
