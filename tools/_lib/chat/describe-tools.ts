import { isStopWord } from "../language/stop-words.ts";
import type { Field } from "../fill/read-fields.ts";
import type { ToolProfile } from "./tool-profile.ts";

const LIST_LIMIT = 8;
const PRESENTED = 4;
const SENTENCE_LIMIT = 160;

/** Lists the tools of this version, a line each: one of every server before any server's second, as not all are shown. */
export function listTools(profiles: readonly ToolProfile[]): string {
  if (profiles.length === 0) return "This version has no tools that you may use here.";
  const lines = inTurn(profiles)
    .slice(0, LIST_LIMIT)
    .map(({ info }) => `- ${info.name}: ${toFirstSentence(info.description)}`);
  const more = profiles.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more; ask "help with ..." for one of them.`] : [])].join("\n");
}

/** Tools in a sentence, for a greeting. */
export function presentTools(profiles: readonly ToolProfile[]): string {
  if (profiles.length === 0) return "This version has no tools that you may use here.";
  const named = profiles.slice(0, PRESENTED).map(({ info }) => `${info.name} (${toTitle(info.description)})`);
  const more = profiles.length - named.length;
  const parts = more > 0 ? [...named, `${more} more`] : named;
  return `I can use ${toList(parts, "and")} for you. Ask in your own words, or say "help" for all tools of this version.`;
}

/** The beginning of a description, up to its first full stop or colon. */
function toTitle(description: string): string {
  const [title = ""] = toFirstSentence(description).split(/[:.]/);
  return title.charAt(0).toLowerCase() + title.slice(1);
}

function inTurn(profiles: readonly ToolProfile[]): readonly ToolProfile[] {
  const servers = [...Map.groupBy(profiles, ({ info }) => info.server).values()];
  const most = Math.max(...servers.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => servers.flatMap((own) => own.slice(turn, turn + 1))).flat();
}

/** One tool with what it takes. */
export function describeTool({ info, fields }: ToolProfile): string {
  const lines = fields.map((field) => `- ${field.name}${field.required ? "" : " (optional)"}: ${describeField(field)}`);
  const care = info.sideEffect ? " It changes something, so I only use it when you order it by its name." : "";
  const takes = lines.length > 0 ? `\nIt takes:\n${lines.join("\n")}` : "";
  return `${info.name}: ${info.description.trim()}${care}${takes}`;
}

/** The question for a value that is missing; a description that is a question already is taken as it is. */
export function askFor(field: Field): string {
  const name = field.words.some(isStopWord) ? `value of \`${field.name}\`` : field.words.join(" ");
  const description = field.description.trim().replace(/[.?]$/, "");
  const bounds = toBounds(field);
  if (/^(?:how|which|who|where|when|what (?:to|is|are))\b/i.test(description)) return `${description}?${bounds}`;
  const choices = toOptions(field);
  const told =
    choices.length > 0 ? ` It can be ${toList(choices, "or")}.` : description === "" ? "" : ` (${description}.)`;
  switch (field.kind) {
    case "flag":
      return `Should ${name} be on, yes or no?${told}`;
    case "opaque":
      return `I need the ${name} as JSON.${told}`;
    default:
      return `What is the ${name}?${told}${bounds}`;
  }
}

function toBounds({ schema }: Field): string {
  const { minimum, maximum } = schema;
  const parts = [
    ...(typeof minimum === "number" ? [`at least ${minimum}`] : []),
    ...(typeof maximum === "number" ? [`at most ${maximum}`] : []),
  ];
  return parts.length === 0 ? "" : ` It is ${toList(parts, "and")}.`;
}

/** The values of a field that has few. */
export function toOptions({ choices, items }: Field): string[] {
  return [...choices, ...(items?.choices ?? [])].slice(0, 12).map(String);
}

/** "a, b or c". */
export function toList(parts: readonly string[], last: "and" | "or"): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}

export function toFirstSentence(text: string): string {
  const [sentence = ""] = text.trim().split(/(?<=[.!?])\s/);
  return sentence.length > SENTENCE_LIMIT ? `${sentence.slice(0, SENTENCE_LIMIT).trimEnd()}…` : sentence;
}

function describeField(field: Field): string {
  const { description, schema, kind } = field;
  const choices = toOptions(field);
  const what = choices.length > 0 ? toList(choices, "or") : description || kind.replace("opaque", "structured value");
  const usual = schema["default"];
  return usual === undefined ? what : `${what.replace(/\.$/, "")}; ${JSON.stringify(usual)} unless you say otherwise.`;
}
