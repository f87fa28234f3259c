import type { Rule } from "../rules.ts";

interface Explanation {
  readonly rule: Rule;
  readonly message: string;
  readonly fix: string;
}

/** js-yaml's reason for refusing a text, in a sentence for its author. `line` is the line up to and with the place. */
export function explainSyntaxError(reason: string, line: string, maxDepth: number): Explanation {
  if (reason.startsWith("nesting exceeded")) {
    return {
      rule: "yaml-too-complex",
      message: `The nesting is deeper than ${maxDepth} levels here.`,
      fix: "Flatten it; a schema can name its inner parts under `$defs` and refer to them.",
    };
  }
  if (reason.includes("bad indentation of a mapping") && line.endsWith(":") && line.slice(0, -1).includes(": ")) {
    const message = "There are two `: ` on this line, but only one key can stand there.";
    return { rule: "yaml-syntax", message, fix: "Put the text after the key in quotes." };
  }
  const [, message, fix] = REASONS.find(([part]) => reason.includes(part)) ?? [];
  return {
    rule: "yaml-syntax",
    message: message ?? `This is not YAML: ${reason}.`,
    fix: fix ?? "Compare it with the lines around it; a text with special characters goes in quotes.",
  };
}

const REASONS: readonly (readonly [part: string, message: string, fix: string])[] = [
  ["tab characters", "A tab is used to indent.", "Indent with spaces, two for each level."],
  [
    "bad indentation of a mapping",
    "The key or text here is not indented like the one it follows.",
    "Line it up with its neighbours; a text that contains `: ` goes in quotes.",
  ],
  ["bad indentation of a sequence", "The item here is not indented like the one before it.", "Line up the dashes."],
  [
    "deficient indentation",
    "What started on an earlier line goes on here without being indented.",
    "Close the bracket or quote before, or indent this deeper than its key.",
  ],
  [
    "end of the stream or a document separator",
    "Something follows here that belongs to nothing before it.",
    "Indent it like its neighbours; a mapping and a list cannot stand side by side.",
  ],
  ["within a double quoted", "A text in double quotes is never closed.", 'Add the closing `"`.'],
  [
    "within a single quoted",
    "A text in single quotes is never closed.",
    "Add the closing `'`; `''` is a quote inside.",
  ],
  ["unknown escape", "This escape does not exist.", "Write `\\\\` for a backslash, or use single quotes."],
  ["within a flow collection", "A `[` or `{` is never closed.", "Add the closing `]` or `}`."],
  ["missed comma", "There is no comma between this and what stands before it.", "Put a `,` between them."],
  ["expected the node content", "A value is missing here.", "Write the value, or remove the extra comma or sign."],
  ["multiline key", "This line has no `:`, or its key runs over several lines.", "Write `key: value` on one line."],
  ["expected ':' after a mapping key", "A key has no `:` after it.", "Write `key: value`."],
  ["whitespace character is expected after", "There is no space after the `:`.", "Write `key: value`, with a space."],
  ["non-printable", "There is a control character here.", "Delete it, or write it as an escape in double quotes."],
  ["alias", "An alias is used here.", "Write the value out where it is needed."],
  ["anchor", "An anchor is used here.", "Write the value out where it is needed."],
  ["tag", "A tag is used here.", "Leave the tag out; put a text in quotes to keep it a text."],
  ["irective", "A directive is used here.", "Leave it out; manifests are YAML 1.2."],
];
