import type { AcceptedBreak } from "../../loaded-history.ts";
import type { Problem } from "../../problem.ts";
import { createFormCheck } from "../manifest-schemas.ts";
import { readYaml } from "../yaml/read-yaml.ts";

/** Bumps that a change fragment can claim, smallest first. */
export const FRAGMENT_KINDS = ["patch", "minor", "major"] as const;

export type FragmentKind = (typeof FRAGMENT_KINDS)[number];

/** Claim and words of one change, for the next release. */
export interface FragmentContent {
  readonly kind: FragmentKind;
  /** Sentences for versions.yaml, at least one, each in one line but for fenced code in it. */
  readonly changes: readonly string[];
  /** Breaks that a person accepts with the change; absent: none. */
  readonly accepts?: readonly FragmentBreak[];
}

/** A break that is accepted; without `from`, next to the last release. */
export type FragmentBreak = Omit<AcceptedBreak, "from"> & Partial<Pick<AcceptedBreak, "from">>;

export interface Fragment extends FragmentContent {
  /** `changes/<name>.md`. */
  readonly file: string;
  /** Place of `kind`, 1-based. */
  readonly at: { readonly line: number; readonly column: number };
}

export type FragmentRead =
  { readonly ok: true; readonly fragment: Fragment } | { readonly ok: false; readonly problems: readonly Problem[] };

const MARK = "---";
const FORM = "Begin the file with a line `---`, a line `kind: minor`, and a line `---`; below that, say what changes.";

const checkForm = createFormCheck<Pick<FragmentContent, "kind" | "accepts">>("change");

/** Checks that a text begins as change fragments do. */
export function isFragment(text: string): boolean {
  return /^---[ \t]*\r?\n/.test(text);
}

/** Reads a change fragment: YAML front matter, and a text in which each paragraph and each item of a list is one change. */
export function readFragment(file: string, text: string): FragmentRead {
  const lines = text.split(/\r?\n/);
  const end = isFragment(text) ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === MARK) : -1;
  if (end === -1) return refuse(file, 1, `\`${file}\` has no front matter, so it is no change fragment.`, FORM);
  // A comment in place of the first mark: the lines stay where they are.
  const yaml = readYaml(file, ["#", ...lines.slice(1, end), ""].join("\n"));
  if (!yaml.ok) return yaml;
  const form = checkForm(file, yaml.value, yaml.position);
  if (!form.ok) return form;
  const changes = toSentences(lines.slice(end + 1).join("\n"));
  if (changes.length === 0) {
    return refuse(file, end + 1, `\`${file}\` says nothing below its front matter.`, "Say in a sentence what changes.");
  }
  const { kind, accepts } = form.manifest.content;
  const at = yaml.position(["kind"]);
  return { ok: true, fragment: Object.freeze({ file, kind, changes, ...(accepts && { accepts }), at }) };
}

/** Changes that a text lists: each paragraph and each item of a list, in one line, with the fenced code that follows it. */
export function toSentences(text: string): readonly string[] {
  const parts: string[][] = [];
  let part: string[] | undefined;
  for (const { lines, isCode } of toSegments(text)) {
    if (isCode) {
      part ??= parts.at(-1);
      if (part === undefined) parts.push((part = []));
      part.push(...lines);
      continue;
    }
    for (const line of lines) {
      const [, item] = /^\s*[-*]\s+(.*)$/.exec(line) ?? [];
      if (line.trim() !== "" && (item !== undefined || part === undefined)) parts.push((part = []));
      if (line.trim() === "") part = undefined;
      else part?.push(item ?? line);
    }
  }
  return parts.map((lines) => toSentence(lines.join("\n"))).filter((sentence) => sentence !== "");
}

/** Text in one line, but for fenced code, which keeps its lines. */
export function toSentence(text: string): string {
  const segments = toSegments(text).map(({ lines, isCode }) =>
    isCode ? lines.join("\n") : lines.join(" ").replaceAll(/\s+/g, " ").trim(),
  );
  return segments.filter((segment) => segment !== "").join("\n");
}

interface Segment {
  readonly lines: readonly string[];
  readonly isCode: boolean;
}

/** Splits a text into what is fenced code, without the indentation of its fence, and what is not. A fence that is not closed is none. */
function toSegments(text: string): readonly Segment[] {
  const lines = text.split(/\r?\n/);
  const segments: { lines: string[]; isCode: boolean }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, indent = "", mark] = /^([ \t]*)(`{3,}|~{3,})(?!.*`)/.exec(line) ?? [];
    const isEnd = (one: string) => mark !== undefined && one.trim().startsWith(mark) && /^([`~])\1*$/.test(one.trim());
    const length = mark === undefined ? -1 : lines.slice(at + 1).findIndex(isEnd);
    if (length !== -1) {
      const code = lines.slice(at, at + length + 2).map((one) => dedent(one, indent.length));
      segments.push({ lines: code, isCode: true });
      at += length + 1;
    } else if (segments.at(-1)?.isCode === false) segments.at(-1)?.lines.push(line);
    else segments.push({ lines: [line], isCode: false });
  }
  return segments;
}

function dedent(line: string, columns: number): string {
  return line.slice(Math.min(columns, line.search(/\S|$/))).trimEnd();
}

function refuse(file: string, line: number, message: string, fix: string): FragmentRead {
  return { ok: false, problems: [{ file, line, column: 1, rule: "change-fragment", message, fix }] };
}
