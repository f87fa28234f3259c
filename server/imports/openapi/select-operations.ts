import type { Operation } from "./list-operations.ts";

/** Choice among the operations of a document. An operation is chosen if any pattern or tag fits it. */
export interface Selection {
  /** Patterns of ids, names of tools, and `METHOD /path`; `*` stands for any text. */
  readonly operations: readonly string[];
  readonly tags: readonly string[];
  readonly isAll: boolean;
}

/** Selects operations. Returns the patterns and tags that fit none, too: they may be misspelt. */
export function selectOperations(
  names: ReadonlyMap<Operation, string>,
  { operations, tags, isAll }: Selection,
): { readonly chosen: readonly Operation[]; readonly unused: readonly string[] } {
  const all = [...names];
  const tests = [
    ...operations.map((pattern) => ({ text: pattern, test: matchesPattern(pattern) })),
    ...tags.map((tag) => ({ text: tag, test: (operation: Operation) => operation.tags.some((one) => fits(tag, one)) })),
  ];
  const unused = tests
    .filter(({ test }) => !all.some(([operation, name]) => test(operation, name)))
    .map(({ text }) => text);
  const chosen = all.filter(([operation, name]) => isAll || tests.some(({ test }) => test(operation, name)));
  return { chosen: chosen.map(([operation]) => operation), unused };
}

function matchesPattern(pattern: string): (operation: Operation, name: string) => boolean {
  return ({ id, key, path }, name) => [id, key, path, name].some((text) => text !== undefined && fits(pattern, text));
}

/** Compares a text with a pattern in which `*` stands for any text. The case of letters has no meaning. */
function fits(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split("*");
  const lower = text.toLowerCase();
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return lower === first;
  if (!lower.startsWith(first) || !lower.endsWith(last) || lower.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = lower.indexOf(part, at);
    if (found < 0 || found + part.length > lower.length - last.length) return false;
    at = found + part.length;
  }
  return at <= lower.length - last.length;
}
