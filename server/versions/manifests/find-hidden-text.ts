import { locateHidden, toCodePoint } from "../../text/find-hidden.ts";
import { isObject } from "../../json/is-object.ts";
import type { Problem } from "../problem.ts";
import { createProblem } from "./create-problem.ts";
import { limitProblems } from "./limit-problems.ts";
import { createPositions } from "./position.ts";
import type { Locate, Path } from "./yaml/locate.ts";

/** Keys of manifests under which there is text for models and people, at any depth. */
const TEXTS: ReadonlySet<string> = new Set(["title", "description", "instructions", "text", "changes"]);
/** Keys under which there is data, whatever its own keys are called. */
const DATA: ReadonlySet<string> = new Set(["examples", "default", "const", "enum"]);

/** Finds hidden characters in a file as reviewers see it. Carriage returns are line breaks to YAML and to TypeScript. */
export function findHiddenSource(file: string, text: string): readonly Problem[] {
  const toPosition = createPositions(text);
  const found = locateHidden(text).filter(({ character }) => character !== "\r");
  return limitProblems(found, ({ character, at }) => {
    const message = `${toCodePoint(character)} stands here, which nobody sees.`;
    const escape = `; where data needs it, write it as \`${toEscape(character, file)}\` in double quotes`;
    // Markdown has no escapes.
    const fix = `Remove it${file.endsWith(".md") ? "" : escape}.`;
    return createProblem(file, toPosition(at), "hidden-text", message, fix);
  });
}

/** Finds hidden characters in the texts of a manifest that models read, even if they are written as escapes. */
export function findHiddenTexts(file: string, value: unknown, position: Locate): readonly Problem[] {
  const found: { readonly path: Path; readonly character: string }[] = [];
  const look = (text: unknown, path: Path) => {
    const [hidden] = typeof text === "string" ? locateHidden(text) : [];
    if (hidden !== undefined) found.push({ path, character: hidden.character });
  };
  const walk = (node: unknown, path: Path) => {
    if (Array.isArray(node)) return node.forEach((item, at) => walk(item, [...path, at]));
    if (!isObject(node)) return;
    for (const [key, child] of Object.entries(node)) {
      const below = [...path, key];
      if (TEXTS.has(key))
        for (const [at, item] of [child].flat().entries()) look(item, Array.isArray(child) ? [...below, at] : below);
      if (!DATA.has(key)) walk(child, below);
    }
  };
  walk(value, []);
  return limitProblems(found, ({ path, character }) => {
    const message = `\`${path.join(".")}\` has ${toCodePoint(character)} in it, which people do not see and models do.`;
    return createProblem(file, position(path), "hidden-text", message, "Remove it.");
  });
}

/** Writes a character as an escape of TypeScript, or else of YAML. */
function toEscape(character: string, file: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  if (digits.length <= 4) return `\\u${digits.padStart(4, "0")}`;
  return file.endsWith(".ts") ? `\\u{${digits}}` : `\\U${digits.padStart(8, "0")}`;
}
