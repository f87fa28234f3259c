import { stripVTControlCharacters } from "node:util";
import type { Environment } from "../config/config.ts";
import { isObject } from "../json/is-object.ts";
import { printable } from "../text/printable.ts";

/**
 * Says whether output may have colours: on a terminal unless NO_COLOR is set, elsewhere only with FORCE_COLOR.
 * Source: no-color.org, force-color.org.
 */
export function isColoured(
  { NO_COLOR: never = "", FORCE_COLOR: always = "" }: Environment,
  isTerminal: boolean,
): boolean {
  return always !== "" ? always !== "0" : never === "" && isTerminal;
}

const COLOURS: Readonly<Record<string, string>> = {
  fatal: "31",
  error: "31",
  warn: "33",
  info: "32",
  debug: "36",
  trace: "90",
};
const DIM = "90";

/**
 * Writes the lines of a log for people: time of the day, level, message, fields, and below it an error with its causes. Everything in
 * a line is escaped, because callers and hosts are quoted and terminals obey control characters. A line that is no JSON stays, escaped.
 */
export function createPrettyStream(
  stream: { write(text: string): void },
  { colours }: { readonly colours: boolean },
): { write(line: string): void } {
  const paint = (code: string, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    write(line) {
      const fields = readFields(line);
      if (fields === undefined) return stream.write(`${printable(line.trimEnd())}\n`);
      const { level = "", time = "", msg = "", err, ...rest } = fields;
      const name = String(level);
      const head = [
        paint(DIM, /T(\d\d:\d\d:\d\d)/.exec(String(time))?.[1] ?? printable(String(time))),
        paint(COLOURS[name] ?? DIM, printable(name).toUpperCase().padEnd(5)),
        printable(String(msg)),
        ...Object.entries(rest).map(([key, value]) => paint(DIM, `${printable(key)}=${toText(value)}`)),
      ];
      stream.write(`${[head.join(" "), ...toErrorLines(err).map((text) => paint(DIM, `  ${text}`))].join("\n")}\n`);
    },
  };
}

function readFields(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Converts a value to a word, or to JSON where it has spaces or is no text. */
function toText(value: unknown): string {
  if (typeof value === "string" && /^[^\s"{}[\]=]+$/.test(value)) return printable(value);
  return printable(JSON.stringify(value));
}

/** Lists an error's stack, which begins with its message, and those of its causes. */
function toErrorLines(error: unknown): readonly string[] {
  if (!isObject(error)) return error === undefined ? [] : [toText(error)];
  const { stack, message = "", cause } = error;
  const lines = String(stack ?? message).split("\n");
  const below =
    cause === undefined ? [] : toErrorLines(cause).map((line, at) => (at === 0 ? `caused by: ${line}` : line));
  return [...lines.map((line) => printable(stripVTControlCharacters(line))), ...below];
}
