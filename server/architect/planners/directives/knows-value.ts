import type { Json } from "../../../store/store.ts";
import type { Tool, Version } from "../../../versions/version.ts";
import { refuse } from "../../guard/refuse.ts";
import { showValue } from "../../show-value.ts";

/** Said of a value that a sender has chosen although the code does not know it. */
export const UNKNOWN = " Its code does not know that value yet.";
/** Said of a field that a sender has chosen although the code does nothing with it. */
export const UNUSED = ", which its code does not use yet.";

/**
 * Refuses a value that the code of a tool does not know: the manifest would promise what nobody keeps. A value counts as
 * known where a module that the handler reaches names it, as a text or as a key, beside one of those that it takes already.
 */
export function refuseUnknownValue(version: Version, tool: Tool, value: Json, siblings: readonly unknown[]): void {
  if (knowsValue(version, tool, value, siblings)) return;
  const reason = `The code of \`${tool.name}\` (${tool.handler}) does not know the value ${showValue(value)}, so it could be given but not honoured.`;
  throw refuse(reason, `Attach a unified diff that changes ${tool.file} and the code together.`);
}

/** Tells whether the code of a tool knows a value beside others. */
export function knowsValue(version: Version, tool: Tool, value: Json, siblings: readonly unknown[]): boolean {
  return modulesOf(version, tool).some(
    (code) =>
      names(version, code, value) &&
      (siblings.length === 0 || siblings.some((sibling) => names(version, code, sibling))),
  );
}

/** Checks that the code of a tool names any of some values; if not, the tool passes on every value. */
export function namesAny(version: Version, tool: Tool, values: readonly unknown[]): boolean {
  const modules = modulesOf(version, tool);
  return values.some((value) => namesValue(version, modules, value));
}

/** Refuses a field that the code of a tool never reads or gives. */
export function refuseUnknownField(version: Version, tool: Tool, side: "input" | "output", name: string): void {
  const word = new RegExp(`(?<![\\w$])${escape(name)}(?![\\w$])`);
  // An output may be put together anywhere; the input is the handler's own, and libraries use the same words for other things.
  const [own = "", ...others] = modulesOf(version, tool);
  if ((side === "input" ? [own] : [own, ...others]).some((code) => word.test(code))) return;
  const reason = `The code of \`${tool.name}\` (${tool.handler}) has nothing called \`${name}\`, so such a field would mean nothing.`;
  throw refuse(reason, `Attach a unified diff that changes ${tool.file} and the code together.`);
}

/** What is known of a version's code. */
interface Known {
  /** The code of handlers and of all that they import, by handler. */
  readonly modules: Map<string, readonly string[]>;
  /** The texts that a module has in quotes or as keys, by its code. */
  readonly named: Map<string, ReadonlySet<string>>;
}

const known = new WeakMap<Version["program"], Known>();

function knownOf(program: Version["program"]): Known {
  const kept = known.get(program) ?? { modules: new Map(), named: new Map() };
  known.set(program, kept);
  return kept;
}

/** Tells whether any of some modules names a value, as a text or as a key. */
export function namesValue(version: Version, modules: readonly string[], value: unknown): boolean {
  return modules.some((code) => names(version, code, value));
}

/** The code of a handler and of all that it imports, its own first. */
export function modulesOf({ program }: Version, { handler }: Tool): readonly string[] {
  const { modules } = knownOf(program);
  const kept = modules.get(handler);
  if (kept !== undefined) return kept;
  const seen = new Set([handler]);
  for (const path of seen) {
    const code = program.modules.get(path) ?? "";
    for (const [, specifier = ""] of code.matchAll(/\bfrom\s*["'](\.[^"'\n]*)["']/g)) {
      const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
      if (program.modules.has(target)) seen.add(target);
    }
  }
  const found = [...seen].map((path) => program.modules.get(path) ?? "");
  modules.set(handler, found);
  return found;
}

function names({ program }: Version, code: string, value: unknown): boolean {
  if (typeof value !== "string") return new RegExp(`(?<![\\w.])${escape(JSON.stringify(value))}(?![\\w.])`).test(code);
  if (/[\s{,:"'`]/.test(value)) {
    const text = escape(value);
    return new RegExp(`["'\`]${text}["'\`]|(?:^|[{,\\s])${text}\\s*:`, "m").test(code);
  }
  const { named } = knownOf(program);
  const texts = named.get(code) ?? listNamed(code);
  named.set(code, texts);
  return texts.has(value);
}

/** Lists what stands between two quotes of code, and before colons. */
function listNamed(code: string): ReadonlySet<string> {
  const keys = code.matchAll(/(?:^|[{,\s])([^\s{,:"'`]+)\s*:/gm);
  return new Set([...code.split(/["'`]/).slice(1, -1), ...[...keys].map(([, key = ""]) => key)]);
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");
}
