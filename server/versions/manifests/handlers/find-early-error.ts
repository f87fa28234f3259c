import { Script } from "node:vm";
import type { ExportSpecifier, ImportSpecifier } from "es-module-lexer";

/**
 * Finds errors that erasing types lets through and V8 refuses: a name declared twice, a decorator, `accessor`. V8 checks
 * without running only scripts, so imports are blanked and exports turned into declarations, all at their places. An
 * unforeseen form of export passes; loading the module finds its errors.
 */
export function findEarlyError(
  code: string,
  imports: readonly ImportSpecifier[],
  exports: readonly ExportSpecifier[],
): unknown {
  const changes: Change[] = imports.flatMap(({ ss: start, se: end, d: dynamic }) =>
    dynamic === -1 ? [{ start, end, instead: "" }] : [],
  );
  for (const { ss: start } of exports) {
    const rest = code.slice(start, start + MAX_FORM_LENGTH);
    const [form, instead] = FORMS.find(([pattern]) => pattern.test(rest)) ?? [];
    const [found = "", ...parts] = form?.exec(rest) ?? [];
    if (instead) changes.push({ start, end: start + found.length, instead: instead(parts) });
  }
  try {
    const text = `async()=>{"use strict"\n${overwrite(code, changes)}\n}`;
    void new Script(text, { filename: "module", lineOffset: -1 });
    return undefined;
  } catch (error) {
    const isUnforeseen = error instanceof SyntaxError && /'export'|import/.test(error.message);
    return isUnforeseen ? undefined : error;
  }
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

const MAX_FORM_LENGTH = 10_000;

/** For a default export without a name; no module will use it. */
const NAME = "$_$";

/** Forms of `export`, and what declares the same in no more characters. */
const FORMS: readonly (readonly [RegExp, (parts: readonly (string | undefined)[]) => string])[] = [
  [/^export\s*\{[^}/]*\}/, () => ""],
  [/^export\s+(?![{*]|default\b)/, () => ""],
  [
    /^export\s+default\s+(async\s+)?function\s*(\*?)\s*(?=\()/,
    ([async = "", star = ""]) => `${async}function${star} ${NAME} `,
  ],
  [/^export\s+default\s+class\s*(?=\{|extends\b)/, () => `class ${NAME} `],
  [/^export\s+default\s+(?=(?:async\s+)?function\b|class\b)/, () => ""],
  [/^export\s+default\b/, () => `${NAME}=`],
];

/** Makes the changes without moving what follows them: line breaks stay, the rest becomes spaces. */
function overwrite(code: string, changes: readonly Change[]): string {
  let text = "";
  let done = 0;
  for (const { start, end, instead } of changes.toSorted((a, b) => a.start - b.start)) {
    // `export { a, b }` is listed for each name, and once more when it is an import too.
    if (start < done) continue;
    const blank = code.slice(start + instead.length, end).replace(/[^\r\n\u2028\u2029]/g, " ");
    text += code.slice(done, start) + instead + blank;
    done = end;
  }
  return text + code.slice(done);
}
