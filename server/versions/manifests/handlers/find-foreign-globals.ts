import { FOREIGN_GLOBALS, type GlobalForm } from "./foreign-globals.ts";
import type { Problem } from "../../problem.ts";
import { createProblem } from "../create-problem.ts";
import { limitProblems } from "../limit-problems.ts";
import { createPositions } from "../position.ts";
import { maskLiterals } from "./mask-literals.ts";

/**
 * Finds uses of globals that handlers do not have. There is no parser here, so a name that a module may declare, or ask for
 * with `typeof`, is left alone: what is missed fails at run time, with the same advice.
 */
export function findForeignGlobals(path: string, code: string): readonly Problem[] {
  const names = [...FOREIGN_GLOBALS.keys()].filter((name) => code.includes(toWritten(name)));
  if (names.length === 0) return [];
  const masked = maskLiterals(code);
  const closings = matchParentheses(masked);
  const toPosition = createPositions(code);
  const found = names.flatMap((name) =>
    findUses({ code: masked, source: code, closings }, name).map((at) => ({ name, at })),
  );
  return limitProblems(
    found.toSorted((one, other) => one.at - other.at),
    ({ name, at }) => {
      const { advice = "" } = FOREIGN_GLOBALS.get(name) ?? {};
      const fix = `${advice.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
      return createProblem(path, toPosition(at), "foreign-global", `\`${name}\` does not exist in handlers.`, fix);
    },
  );
}

/** Code without literals, with them, and the offsets at which its parentheses close, by those at which they open. */
interface Masked {
  readonly code: string;
  readonly source: string;
  readonly closings: ReadonlyMap<number, number>;
}

/** One place where a name stands, with `globalThis.` before it or not. */
interface Place {
  readonly at: number;
  readonly end: number;
}

/** A name as code has it: `Date` of `new Date()`. */
function toWritten(name: string): string {
  return /^new (\w+)/.exec(name)?.[1] ?? name;
}

/** Offsets of the uses of a global; none when the name also stands where it may be declared. */
function findUses(masked: Masked, name: string): readonly number[] {
  const form = FOREIGN_GLOBALS.get(name)?.form ?? "call";
  const places = findPlaces(masked, toWritten(name));
  const [holder = "", member] = toWritten(name).split(".");
  if (member === undefined && form !== "empty") {
    return places.every((place) => isUse(masked, place, form)) ? places.map(({ at }) => at) : [];
  }
  // Handlers have the global itself, so only some of its uses are wrong.
  if (findPlaces(masked, holder).some((place) => mayDeclare(masked, place))) return [];
  return places.filter((place) => isUse(masked, place, form)).map(({ at }) => at);
}

function findPlaces({ code }: Masked, name: string): readonly Place[] {
  const pattern = `(?<![\\w$.#])(?:globalThis\\??\\.)?${name.replace(".", "\\??\\.")}(?![\\w$])`;
  return [...code.matchAll(new RegExp(pattern, "g"))].map(({ 0: text, index }) => ({
    at: index,
    end: index + text.length,
  }));
}

const DECLARES = /(?:typeof|function|class|const|let|var|import|as)\s*\*?\s*$/;
/** Characters before and after a name that are looked at. */
const NEAR = 40;

function isUse(masked: Masked, { at, end }: Place, form: GlobalForm): boolean {
  const { code, source } = masked;
  const before = code.slice(Math.max(0, at - NEAR), at);
  const after = code.slice(end, end + NEAR).trimStart();
  if (DECLARES.test(before)) return false;
  if (form === "member") return /^(?:\?\.|\.|\[)/.test(after);
  if (form === "new") return /\b(?:new|extends|instanceof)\s+$/.test(before);
  if (form === "alone") return !/^(?:=(?!=)|:)/.test(after);
  if (form === "empty") {
    // Of the source, because what stands between may be a literal.
    const isCalled = /^\s*\(\s*\)/.test(source.slice(end, end + NEAR));
    return isCalled || (/\bnew\s+$/.test(before) && /^[;,)\]}:?]/.test(after));
  }
  return after.startsWith("(") && !isDeclaration(masked, code.indexOf("(", end));
}

/** Checks that a name may be declared there: after a word that declares, or as one of a list of names. */
function mayDeclare({ code }: Masked, { at, end }: Place): boolean {
  const before = code.slice(Math.max(0, at - NEAR), at);
  if (DECLARES.test(before)) return !/typeof\s*$/.test(before);
  return /[{,(]\s*$/.test(before) && /^\s*(?:[,})]|=(?!=)|\bas\b)/.test(code.slice(end, end + NEAR));
}

/** Checks that parameters stand between the parentheses that open at `open`, and not arguments; also where none closes them. */
function isDeclaration({ code, closings }: Masked, open: number): boolean {
  const end = closings.get(open);
  return end === undefined || /^\s*(?:\{|=>)/.test(code.slice(end + 1, end + 100));
}

function matchParentheses(code: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const opened: number[] = [];
  for (const { 0: sign, index } of code.matchAll(/[()]/g)) {
    const open = sign === "(" ? undefined : opened.pop();
    if (sign === "(") opened.push(index);
    else if (open !== undefined) closings.set(open, index);
  }
  return closings;
}
