import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import type { Edited } from "./edit-json.ts";
import { applyToValue, type Entry, type EntryEdit, isTable, listObsolete } from "./entry-edit.ts";

/** Table of a text: its header stands in line `start`, and its statements up to `end`. */
interface Table {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Statement of a table, with the keys that it sets; none for empty lines and comments. */
interface Statement {
  readonly text: string;
  readonly keys: readonly string[];
}

/**
 * Changes one table of TOML. Lines of others are never written anew; the parser says where tables and statements end, and afterwards
 * that nothing else has changed.
 */
export function editToml(text: string, edit: EntryEdit): Edited {
  const before = readToml(text);
  if ("problem" in before) return before;
  const section = before.value[edit.section];
  const earlier = isTable(section) ? section[edit.name] : undefined;
  if (earlier !== undefined && !isTable(earlier)) return refuse(`\`${edit.section}.${edit.name}\` must be a table`);
  const lines = text === "" ? [] : text.split(/(?<=\n)/);
  const edited = earlier === undefined ? addTable(text, edit) : changeTable(lines, earlier, edit);
  if (edited === undefined) {
    return refuse(`\`${edit.name}\` is not written as a table \`[${edit.section}.${edit.name}]\` of its own`);
  }
  const after = readToml(edited);
  if ("problem" in after || !isDeepStrictEqual(after.value, applyToValue(before.value, edit, false))) {
    return refuse("it cannot be changed without changing other parts of it");
  }
  return { text: edited, earlier };
}

/** A table of TOML with one server. */
export function toToml(section: string, name: string, entry: Entry, eol = "\n"): string {
  return [`[${section}.${name}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${toValue(value)}`)].join(
    eol,
  );
}

/** Strings and lists of them, which TOML writes as JSON does. */
function toValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(toValue).join(", ")}]` : JSON.stringify(value);
}

function refuse(message: string): Edited {
  return { problem: { offset: 0, message } };
}

function readToml(text: string): { readonly value: Entry } | Extract<Edited, { problem: unknown }> {
  try {
    return { value: toPlain(parse(text)) as Entry };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lines = text.split(/(?<=\n)/).slice(0, error.line - 1);
    const [reason = ""] = error.message.split("\n");
    return { problem: { offset: lines.join("").length + error.column - 1, message: `it is no TOML (${reason})` } };
  }
}

/** Values without the prototypes that the parser gives them, which comparisons would take for differences. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]));
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function addTable(text: string, { section, name, entry }: EntryEdit): string {
  const eol = eolOf(text);
  const end = text === "" || text.endsWith("\n") ? text : text + eol;
  return `${end}${end.trim() === "" ? "" : eol}${toToml(section, name, entry, eol)}${eol}`;
}

/** Undefined if the entry has no header of its own. */
function changeTable(lines: readonly string[], earlier: Entry, edit: EntryEdit): string | undefined {
  const tables = listTables(lines);
  const path = [edit.section, edit.name];
  const own = tables.find((table) => isDeepStrictEqual(table.path, path));
  if (own === undefined) return undefined;
  const obsolete = new Set(listObsolete(earlier, edit));
  const isDropped = ({ path: [section, name, key] }: Table) =>
    section === edit.section && name === edit.name && key !== undefined && obsolete.has(key);
  const eol = eolOf(lines.join(""));
  let at = 0;
  let edited = "";
  for (const table of tables) {
    edited += lines.slice(at, table.start).join("");
    at = table.end;
    if (table === own) edited += changeStatements(lines.slice(table.start, table.end), obsolete, earlier, edit, eol);
    else if (!isDropped(table)) edited += lines.slice(table.start, table.end).join("");
  }
  return edited + lines.slice(at).join("");
}

function changeStatements(
  [head = "", ...body]: readonly string[],
  obsolete: ReadonlySet<string>,
  earlier: Entry,
  { entry }: EntryEdit,
  eol: string,
): string {
  const statements = listStatements(body);
  const added = Object.entries(entry).filter(([key]) => !(key in earlier));
  const changed = statements.map(({ text, keys: [key] }) => {
    if (key === undefined || (!obsolete.has(key) && !(key in entry))) return text;
    if (obsolete.has(key)) return "";
    return isDeepStrictEqual(toPlain(earlier[key]), entry[key])
      ? text
      : `${key} = ${toValue(entry[key])}${findComment(text)}${/\r?\n$/.exec(text)?.[0] ?? ""}`;
  });
  const start = head.endsWith("\n") ? head : head + eol;
  return start + added.map(([key, value]) => `${key} = ${toValue(value)}${eol}`).join("") + changed.join("");
}

/** The comment that ends a statement of one line, with the blanks before it. */
function findComment(text: string): string {
  const line = text.replace(/\r?\n$/, "");
  for (const { index } of line.matchAll(/[ \t]*#/g)) {
    if (isWhole(line.slice(0, index))) return line.slice(index);
  }
  return "";
}

/** Lists the tables of valid TOML. A line in a list or text of several lines may look like a header: what stands before it is no whole TOML. */
function listTables(lines: readonly string[]): readonly Table[] {
  const starts: number[] = [];
  let from = 0;
  for (const [index, line] of lines.entries()) {
    if (!/^[ \t]*\[/.test(line) || !isWhole(lines.slice(from, index).join(""))) continue;
    starts.push(index);
    from = index;
  }
  return starts.map((start, index) => {
    const next = starts[index + 1] ?? lines.length;
    return { path: toPath(lines[start] ?? ""), start, end: toEnd(lines, start, next) };
  });
}

/** Comments and empty lines before a header belong to it. */
function toEnd(lines: readonly string[], start: number, next: number): number {
  let end = next;
  while (end > start + 1 && /^[ \t]*(?:#.*)?\r?\n?$/.test(lines[end - 1] ?? "")) end -= 1;
  return end;
}

function toPath(header: string): readonly string[] {
  const path: string[] = [];
  let value: unknown = parse(header);
  while (isTable(value)) {
    const [entry] = Object.entries(value);
    if (entry === undefined) break;
    path.push(entry[0]);
    [, value] = entry;
  }
  return path;
}

/** Splits the lines of a table into statements, some of which have several lines. */
function listStatements(lines: readonly string[]): readonly Statement[] {
  const statements: Statement[] = [];
  let text = "";
  for (const line of lines) {
    text += line;
    if (!isWhole(text)) continue;
    statements.push({ text, keys: Object.keys(parse(text)) });
    text = "";
  }
  return text === "" ? statements : [...statements, { text, keys: [] }];
}

function isWhole(text: string): boolean {
  return !("problem" in readToml(text));
}
