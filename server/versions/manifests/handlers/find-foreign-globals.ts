import { FOREIGN_GLOBALS, type GlobalForm } from "../../foreign-globals.ts";
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
  const names = [...FOREIGN_GLOBALS.keys()].filter((name) => code.includes(name));
  if (names.length === 0) return [];
  const masked = maskLiterals(code);
  const closings = matchParentheses(masked);
  const toPosition = createPositions(code);
  const found = names.flatMap((name) => findUses({ code: masked, closings }, name).map((at) => ({ name, at })));
  return limitProblems(
    found.toSorted((one, other) => one.at - other.at),
    ({ name, at }) => {
      const { advice = "" } = FOREIGN_GLOBALS.get(name) ?? {};
      const fix = `${advice.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
      return createProblem(path, toPosition(at), "foreign-global", `\`${name}\` does not exist in handlers.`, fix);
    },
  );
}

/** Code without literals, and the offsets at which its parentheses close, by those at which they open. */
interface Masked {
  readonly code: string;
  readonly closings: ReadonlyMap<number, number>;
}

/** Offsets of the uses of a global; none when the name also stands where it may be declared. */
function findUses(masked: Masked, name: string): readonly number[] {
  const { code } = masked;
  const form = FOREIGN_GLOBALS.get(name)?.form ?? "call";
  const places = [...code.matchAll(new RegExp(`(?<![\\w$.#])${name}(?![\\w$])`, "g"))].map(({ index }) => index);
  return places.every((at) => isUse(masked, at, name, form)) ? places : [];
}

function isUse(masked: Masked, at: number, name: string, form: GlobalForm): boolean {
  const { code } = masked;
  const before = code.slice(Math.max(0, at - 40), at);
  const end = at + name.length;
  const after = code.slice(end, end + 40).trimStart();
  if (/(?:typeof|function|class|const|let|var|import|as)\s*\*?\s*$/.test(before)) return false;
  if (form === "member") return /^(?:\?\.|\.|\[)/.test(after);
  if (form === "new") return /\bnew\s+$/.test(before);
  if (form === "alone") return !/^(?:=(?!=)|:)/.test(after);
  return after.startsWith("(") && !isDeclaration(masked, code.indexOf("(", end));
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
