import type { Prompt, PromptArgument, Server } from "../../../../versions/version.ts";
import { place, type Row, stemSet, TEXT, type Thing } from "./places.ts";
import { toStems } from "../words/words.ts";

/** The prompts of a server, and what each asks for. */
export function toPromptRows(server: Server): readonly Row[] {
  return server.prompts.flatMap((prompt, index) => [
    toPromptRow(server, prompt, index),
    ...prompt.arguments.map((argument, at) => toArgumentRow(server, prompt, index, argument, at)),
  ]);
}

function toPromptRow(server: Server, { name, title, description }: Prompt, index: number): Row {
  const thing: Thing = {
    kind: "prompt",
    id: `prompt ${server.name}/${name}`,
    label: `the prompt \`${name}\``,
    file: server.file,
    at: ["prompts", index],
    names: [toStems(name), ...(title === undefined ? [] : [toStems(title)])],
    owners: stemSet(server.name, "prompt"),
    soft: stemSet(description),
    nouns: new Set(["prompt"]),
    prompt: name,
    values: [],
  };
  return [
    thing,
    [place(thing, "title", ["title"], TEXT, title), place(thing, "description", ["description"], TEXT, description)],
  ];
}

function toArgumentRow(
  server: Server,
  prompt: Prompt,
  index: number,
  { name, description }: PromptArgument,
  at: number,
): Row {
  const thing: Thing = {
    kind: "prompt",
    id: `prompt ${server.name}/${prompt.name}/${name}`,
    label: `\`${name}\` of the prompt \`${prompt.name}\``,
    file: server.file,
    at: ["prompts", index, "arguments", at],
    names: [toStems(name)],
    owners: stemSet(server.name, prompt.name, prompt.title, "prompt"),
    soft: stemSet(description),
    nouns: new Set(["prompt", "input", "field"]),
    prompt: name,
    values: [],
  };
  return [thing, [place(thing, "description", ["description"], TEXT, description)]];
}
