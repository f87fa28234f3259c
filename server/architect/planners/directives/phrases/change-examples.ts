import type { Tool } from "../../../../versions/version.ts";
import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import { refuse } from "../../../guard/refuse.ts";
import { findTool } from "../find-tool.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { readData } from "../read-literal.ts";
import { TAKE, toPhrase } from "../to-phrase.ts";

/** The calls that show what a tool does, and prove it. */
export const EXAMPLE_PHRASES: readonly Phrase[] = [
  toPhrase(`add (?:an |this |the following |the )?example (?:to|for) {tool}:?(?: (?:example )?{example})?`, add),
  toPhrase(`${TAKE} (?:the )?example {example} (?:of|from) {tool}`, remove),
];

const KEYS: ReadonlySet<string> = new Set(["description", "input", "output", "matches", "error"]);

function add(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  if (tool === undefined) return undefined;
  const example = said.value("example") ?? readData(said.block()?.text ?? "");
  if (!isObject(example) || !isObject(example["input"]) || Object.keys(example).some((key) => !KEYS.has(key))) {
    const accepted =
      'Say: add an example to <tool>: {"input": {...}, "output": {...}}, with `matches` or `error` in place of `output` if need be.';
    throw refuse(`The example for \`${tool.name}\` is missing, or is none.`, accepted);
  }
  return addExample(tool, example as Json);
}

/** Gives a tool another example. */
export function addExample(tool: Tool, example: Json): Deed {
  return async (bench) => {
    const isChanged = await bench.addItem(tool.file, ["examples"], example);
    if (isChanged) bench.say(`\`${tool.name}\` has another example.`);
    bench.need("patch");
  };
}

function remove(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  if (tool === undefined) return undefined;
  const named = said.value("example");
  // "The example with location 91,0" is called by what it shows.
  if (named === undefined) return undefined;
  const found = tool.examples.filter(({ description }, at) => named === at + 1 || description === named);
  const [example] = found;
  if (example === undefined || found.length > 1) {
    const accepted = `It has ${tool.examples.length} examples: name one by its number, from 1, or by its description.`;
    throw refuse(`\`${tool.name}\` has no such example, or several.`, accepted);
  }
  return removeExample(tool, example);
}

/** Takes one of its examples from a tool. */
export function removeExample(tool: Tool, example: Tool["examples"][number] | undefined): Deed {
  return async (bench) => {
    if (example === undefined) return;
    const isChanged = await bench.removeItem(tool.file, ["examples"], example as unknown as Json);
    if (isChanged) bench.say(`\`${tool.name}\` has an example less.`);
    bench.need("patch");
  };
}
