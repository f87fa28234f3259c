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
  const toPosition = createPositions(code);
  const found = names.flatMap((name) => findUses(masked, name).map((at) => ({ name, at })));
  return limitProblems(
    found.toSorted((one, other) => one.at - other.at),
    ({ name, at }) => {
      const { advice = "" } = FOREIGN_GLOBALS.get(name) ?? {};
      const fix = `${advice.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
      return createProblem(path, toPosition(at), "foreign-global", `\`${name}\` does not exist in handlers.`, fix);
    },
  );
}

/** Offsets of the uses of a global; none when the name also stands where it may be declared. */
function findUses(code: string, name: string): readonly number[] {
  const form = FOREIGN_GLOBALS.get(name)?.form ?? "call";
  const places = [...code.matchAll(new RegExp(`(?<![\\w$.#])${name}(?![\\w$])`, "g"))].map(({ index }) => index);
  return places.every((at) => isUse(code, at, name, form)) ? places : [];
}

function isUse(code: string, at: number, name: string, form: GlobalForm): boolean {
  const before = code.slice(Math.max(0, at - 40), at);
  const end = at + name.length;
  const after = code.slice(end, end + 40).trimStart();
  if (/(?:typeof|function|class|const|let|var|import|as)\s*\*?\s*$/.test(before)) return false;
  if (form === "member") return /^(?:\?\.|\.|\[)/.test(after);
  if (form === "new") return /\bnew\s+$/.test(before);
  if (form === "alone") return !/^(?:=(?!=)|:)/.test(after);
  return after.startsWith("(") && !isDeclaration(code, code.indexOf("(", end));
}

/** Checks that parameters stand between the parentheses that open at `open`, and not arguments. */
function isDeclaration(code: string, open: number): boolean {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    else if (code[at] === ")") depth -= 1;
    if (depth === 0) return /^\s*(?:\{|=>)/.test(code.slice(at + 1, at + 100));
  }
  return true;
}
