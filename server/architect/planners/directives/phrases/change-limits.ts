import type { Json } from "../../../../store/store.ts";
import type { Tool } from "../../../../versions/version.ts";
import { checkDirection } from "../check-direction.ts";
import { findTool } from "../find-tool.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { SET, toPhrase } from "../to-phrase.ts";

const UNITS: Readonly<Record<string, { readonly limit: readonly Limit[]; readonly factor: number }>> = {
  ms: { limit: ["time", "cpu"], factor: 1 },
  s: { limit: ["time", "cpu"], factor: 1000 },
  min: { limit: ["time", "cpu"], factor: 60_000 },
  bytes: { limit: ["payload"], factor: 1 },
  kb: { limit: ["payload"], factor: 1024 },
  mb: { limit: ["memory"], factor: 1 },
};
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/^(?:ms|milliseconds?)$/i, "ms"],
  [/^(?:s|sec|secs|seconds?)$/i, "s"],
  [/^(?:min|mins|minutes?)$/i, "min"],
  [/^bytes?$/i, "bytes"],
  [/^(?:kb|kib|kilobytes?)$/i, "kb"],
  [/^(?:mb|mib|megabytes?)$/i, "mb"],
];
const UNIT = "ms|milliseconds?|s|secs?|seconds?|min|mins|minutes?|bytes?|kb|kib|kilobytes?|mb|mib|megabytes?";
const AMOUNT = `(?<amount>\\d{1,9}(?:\\.\\d{1,6})?) ?(?<unit>${UNIT})?`;

type Limit = keyof Tool["limits"];

/** Phrases about the limits and the cost of a call. */
export const LIMIT_PHRASES: readonly Phrase[] = [
  toPhrase(`(?<verb>${SET}) (?:the )?(?<limit>time|cpu|memory|payload) limit (?:of|for) {tool} to ${AMOUNT}`, setLimit),
  toPhrase(`(?<verb>${SET}) {tool} (?<limit>time|cpu|memory|payload) limit to ${AMOUNT}`, setLimit),
  toPhrase(`limit (?:the )?(?<limit>time|cpu|memory|payload) (?:of|for) {tool} to ${AMOUNT}`, setLimit),
  toPhrase(`(?:give|allow) {tool} ${AMOUNT}(?: (?:of )?(?<limit>time|cpu|memory|payload))?`, setLimit),
  toPhrase(
    `(?<verb>${SET}) (?:the )?cost (?:of|for) {tool} to (?<amount>\\d{1,7}(?:\\.\\d{1,6})?)(?: units?)?`,
    setCost,
  ),
  toPhrase(`(?:make|let) {tool} cost (?<amount>\\d{1,7}(?:\\.\\d{1,6})?)(?: units?)?`, setCost),
];

function setLimit(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  if (tool === undefined) return undefined;
  const short = SHORT.find(([pattern]) => pattern.test(said.name("unit")))?.[1];
  const unit = short === undefined ? undefined : UNITS[short];
  const limit = toLimit(said.name("limit").toLowerCase(), unit?.limit);
  if (limit === undefined) return undefined;
  const amount = Math.round(Number(said.name("amount")) * (unit?.factor ?? 1));
  checkDirection(said.name("verb"), `${limit} limit of ${tool.name}`, tool.limits[limit], amount);
  return async (bench) => {
    // It may be so by default.
    const isChanged = amount !== tool.limits[limit] && (await bench.set(tool.file, ["limits", limit], amount));
    if (isChanged)
      bench.say(`The ${limit} limit of \`${tool.name}\` is ${amount} ${NATURAL[limit]}; it was ${tool.limits[limit]}.`);
    bench.need(amount < tool.limits[limit] ? "major" : "minor");
  };
}

/** Undefined where unit and limit do not go together, or neither says which limit is meant. */
function toLimit(named: string, fitting: readonly Limit[] | undefined): Limit | undefined {
  const limit = LIMITS.find((one) => one === named);
  if (fitting === undefined || limit === undefined) return limit;
  return fitting.includes(limit) ? limit : undefined;
}

const LIMITS: readonly Limit[] = ["time", "cpu", "memory", "payload"];
const NATURAL: Readonly<Record<Limit, string>> = { time: "ms", cpu: "ms", memory: "MB", payload: "bytes" };

function setCost(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  if (tool === undefined) return undefined;
  const units: Json = Number(said.name("amount"));
  checkDirection(said.name("verb"), `cost of ${tool.name}`, tool.cost.units, units);
  return async (bench) => {
    const isChanged = units !== tool.cost.units && (await bench.set(tool.file, ["cost", "units"], units));
    if (isChanged) bench.say(`A call of \`${tool.name}\` costs ${units} units; it was ${tool.cost.units}.`);
    bench.need(units > tool.cost.units ? "major" : "minor");
  };
}
