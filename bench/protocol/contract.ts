/**
 * The tool that every contender offers, as often as asked: the same schemas, the same answer. The servers under
 * `contenders/` import this file, and so does whoever sends them requests.
 */
export interface Input {
  readonly a: number;
  readonly b: number;
  readonly unit: (typeof UNITS)[number];
  readonly label: string;
  readonly note: string;
}

export const UNITS = ["millimetre", "metre", "kilometre"] as const;
export const BOUND = 1_000_000;
export const LABEL_LENGTH = 64;
export const NOTE_LENGTH = 400;
export const TEXT_LENGTH = 200;

/** A note with which a tool answers what its output schema forbids, to see that somebody looks. */
export const WRONG_OUTPUT = "answer wrongly";

export const DESCRIPTION = "Adds two lengths given in the same unit, and says so in words.";

export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    a: { type: "number", minimum: -BOUND, maximum: BOUND },
    b: { type: "number", minimum: -BOUND, maximum: BOUND },
    unit: { type: "string", enum: UNITS },
    label: { type: "string", minLength: 1, maxLength: LABEL_LENGTH },
    note: { type: "string", maxLength: NOTE_LENGTH },
  },
  required: ["a", "b", "unit", "label", "note"],
  additionalProperties: false,
} as const;

export const OUTPUT_SCHEMA = {
  type: "object",
  properties: {
    sum: { type: "number" },
    unit: { type: "string", enum: UNITS },
    label: { type: "string", maxLength: LABEL_LENGTH },
    text: { type: "string", maxLength: TEXT_LENGTH },
  },
  required: ["sum", "unit", "label", "text"],
  additionalProperties: false,
} as const;

/** About 200 bytes. */
export const INPUT: Input = {
  a: 2,
  b: 3,
  unit: "metre",
  label: "between the two gates",
  note: "Measured along the wall on a dry day, with the long tape, twice, by two people who agreed.",
};

/** What a good answer to `INPUT` contains, and no error does. */
export const GOOD_ANSWER = '"sum":5';

export function toToolName(index: number): string {
  return `add_${index}`;
}

/** The tool's work. Cairn's handler is this function's text, so it refers to nothing outside. */
export function add({ a, b, unit, label, note }: Input) {
  const sum = a + b;
  return {
    sum: note === "answer wrongly" ? "five" : sum,
    unit,
    label,
    text: `${a} ${unit} and ${b} ${unit} make ${sum} ${unit}.`,
  };
}

/** What MCP makes of it: the output as it is, and as text for clients that know no better. */
export function toResult(output: object) {
  return { content: [{ type: "text" as const, text: JSON.stringify(output) }], structuredContent: output };
}
