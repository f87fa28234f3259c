import type { Version } from "../../../../versions/version.ts";
import type { Path } from "../../../edit/edit-json.ts";
import { refuse } from "../../../guard/refuse.ts";
import { showValue } from "../../../show-value.ts";
import { findField } from "../find-field.ts";
import { findExperiment, findParameter } from "../find-parameter.ts";
import { findTool } from "../find-tool.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { FIELD, SET, toPhrase } from "../to-phrase.ts";

const KEY = "(?<key>title|description|instructions)";
const OUGHT = "(?:should|must|has to|have to|is to|are to)(?: now)?";

/** A text in quotation marks; a word without them may say how it is to be: "should be shorter". */
const QUOTED = String.raw`(?<text>\uE000\d+\uE001)`;

/** Titles, descriptions and instructions. */
export const TEXT_PHRASES: readonly Phrase[] = [
  toPhrase(`(?:${SET}|rewrite|reword) (?:the )?${KEY} (?:of|for) {target} (?:to|as) {text}`, changeText),
  toPhrase(`(?:the )?${KEY} (?:of|for) {target} ${OUGHT} (?:be|read|say|become) ${QUOTED}`, changeText),
  toPhrase(`{target}['’]s? ${KEY} ${OUGHT} (?:be|read|say|become) ${QUOTED}`, changeText),
  toPhrase(`{target} ${OUGHT} (?:have|get|carry) (?:the |an? )?(?:new )?${KEY} ${QUOTED}`, changeText),
  toPhrase(`give {target} (?:the |a )?(?:new )?${KEY} ${QUOTED}`, changeText),
  toPhrase(`call {target} ${QUOTED} in its ${KEY}`, changeText),
  toPhrase(`{target}: (?:the )?new ${KEY}:? ${QUOTED}`, changeText),
  toPhrase(`re(?<key>title) {target}(?: to| as|:) ${QUOTED}`, changeText),
  toPhrase(`(?:re)?describe {target} (?:as|with) {text}`, changeText),
];

interface TextPlace {
  readonly file: string;
  readonly at: Path;
  readonly label: string;
  readonly keys: readonly string[];
}

const LONGEST = 4_000;

function changeText(said: Said): Deed | undefined {
  const place = findPlace(said.ground.version, said.name("target"));
  if (place === undefined) return undefined;
  const text = said.value("text");
  const key = said.name("key").toLowerCase() || "description";
  if (typeof text !== "string" || text.trim() === "") {
    throw refuse(
      `The ${key} of ${place.label} ${isPlural(key) ? "have" : "has"} to be a text in quotation marks.`,
      `Say: set the ${key} of ${place.label} to "...".`,
    );
  }
  if (text.length > LONGEST)
    throw refuse(`The ${key} ${isPlural(key) ? "have" : "has"} more than ${LONGEST} characters.`, "Shorten the text.");
  if (!place.keys.includes(key)) {
    throw refuse(`${place.label} has no ${key}.`, `It can have: ${place.keys.join(", ")}.`);
  }
  return async (bench) => {
    const isChanged = await bench.set(place.file, [...place.at, key], text);
    if (isChanged) bench.say(`The ${key} of ${place.label} ${isPlural(key) ? "are" : "is"} ${showValue(text)}.`);
    bench.need("patch");
  };
}

function isPlural(key: string): boolean {
  return key === "instructions";
}

/** Finds the part with texts that the words name; a field is named with its tool, or is the only one of its name. */
function findPlace(version: Version, words: string): TextPlace | undefined {
  const [, inner = "", outer = ""] = /^(.+?) (?:of|in) (?:the )?(.+)$/i.exec(words) ?? [];
  if (inner !== "") {
    const tool = findTool(version, outer);
    const field = tool && findField(version, withoutKind(inner), { tool });
    if (field) return toFieldPlace(field);
    return toParameterPlace(version, words);
  }
  const server = version.servers.get(words.replace(/ server$/i, ""));
  if (server !== undefined && / server$/i.test(words)) {
    return {
      file: server.file,
      at: [],
      label: `the server \`${server.name}\``,
      keys: ["title", "description", "instructions"],
    };
  }
  const prompt = findPrompt(version, words);
  if (prompt !== undefined) return prompt;
  const set = / (?:experiment|parameters)$/i.test(words) ? findExperiment(version, words) : undefined;
  if (set !== undefined)
    return { file: set.file, at: [], label: `the parameters \`${set.name}\``, keys: ["description"] };
  if (/^agent$/i.test(words)) {
    return { file: "manifests/agent.yaml", at: [], label: "the agent", keys: ["title", "description"] };
  }
  const parameter = toParameterPlace(version, words);
  if (parameter !== undefined) return parameter;
  if (new RegExp(` ${FIELD}$`, "i").test(words)) {
    const field = findField(version, withoutKind(words));
    if (field) return toFieldPlace(field);
  }
  const tool = findTool(version, words);
  return tool && { file: tool.file, at: [], label: `\`${tool.name}\``, keys: ["title", "description"] };
}

/** Finds the only prompt of a name: "the prompt weigh-options". */
function findPrompt(version: Version, words: string): TextPlace | undefined {
  const [, before, behind] = /^prompt (\S+)$|^(\S+) prompt$/i.exec(words) ?? [];
  const [only, ...others] = [...version.servers.values()].flatMap(({ file, prompts }) =>
    prompts.flatMap(({ name }, at) => (name === (before ?? behind) ? [{ file, at, name }] : [])),
  );
  if (only === undefined || others.length > 0) return undefined;
  const { file, at, name } = only;
  return { file, at: ["prompts", at], label: `the prompt \`${name}\``, keys: ["title", "description"] };
}

function toFieldPlace({ tool, side, name, path }: NonNullable<ReturnType<typeof findField>>): TextPlace {
  return {
    file: tool.file,
    at: path,
    label: `the ${side} \`${name}\` of \`${tool.name}\``,
    keys: ["title", "description"],
  };
}

function toParameterPlace(version: Version, words: string): TextPlace | undefined {
  const found = findParameter(version, words);
  if (found === undefined) return undefined;
  const { set, name } = found;
  const label = `the parameter \`${set.name}.${name}\``;
  return { file: set.file, at: ["parameters", name], label, keys: ["description"] };
}

function withoutKind(words: string): string {
  return words.replace(new RegExp(` ${FIELD}$`, "i"), "").replace(new RegExp(`^${FIELD} `, "i"), "");
}
