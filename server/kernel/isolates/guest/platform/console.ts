import type { Log } from "../../../../host-api.ts";
import { current } from "../guest-current.ts";
import { define } from "../guest-host.ts";
import { withoutOwnFrames } from "../guest-stacks.ts";

/** Depth to which values are shown. */
const MAX_DEPTH = 4;
/** Causes of an error that are shown. */
const MAX_CAUSES = 3;
/** Characters of one message. */
const MAX_MESSAGE = 10_000;

/** `console`, whose lines are those of `ctx.log` of the call that runs. What is written while a module is loaded is dropped. */
define(
  "console",
  Object.freeze({
    debug: (...values: unknown[]) => write("debug", values),
    trace: (...values: unknown[]) => write("debug", values),
    log: (...values: unknown[]) => write("info", values),
    info: (...values: unknown[]) => write("info", values),
    dir: (value: unknown) => write("info", [value]),
    table: (value: unknown) => write("info", [value]),
    group: (...values: unknown[]) => write("info", values),
    groupCollapsed: (...values: unknown[]) => write("info", values),
    groupEnd: () => undefined,
    warn: (...values: unknown[]) => write("warning", values),
    error: (...values: unknown[]) => write("error", values),
    assert(isTrue: unknown, ...values: unknown[]) {
      if (!isTrue) write("error", ["Assertion failed", ...values]);
    },
  }),
);

function write(level: keyof Log, values: readonly unknown[]): void {
  current.find()?.log[level](format(values).slice(0, MAX_MESSAGE));
}

/** Joins values with spaces; the first may have places (`%s`, `%d`, `%i`, `%f`, `%j`, `%o`, `%O`) for those that follow. */
function format(values: readonly unknown[]): string {
  if (values.length === 0) return "";
  const [first, ...rest] = values;
  let taken = 0;
  const head =
    typeof first === "string"
      ? first.replace(/%[sdifjoO%]/g, (place) => {
          if (place === "%%") return "%";
          if (taken >= rest.length) return place;
          taken += 1;
          return fill(place, rest[taken - 1]);
        })
      : show(first);
  return [head, ...rest.slice(taken).map((value) => (typeof value === "string" ? value : show(value)))].join(" ");
}

function fill(place: string, value: unknown): string {
  if (place === "%s") return typeof value === "object" ? show(value) : String(value);
  if (place === "%d" || place === "%f") return String(typeof value === "object" ? Number.NaN : Number(value));
  if (place === "%i") return String(Number.parseInt(String(value), 10));
  return show(value);
}

/** A value for people. Does not throw, whatever getters or proxies it meets. */
function show(value: unknown, depth = 0, above: readonly unknown[] = []): string {
  try {
    return showOne(value, depth, above);
  } catch {
    return "[a value that cannot be shown]";
  }
}

/** An error with its stack and its causes. Frames of Cairn's own say nothing to the handler's author. */
function showError({ stack, cause }: Error, text: string, causes = 0): string {
  const shown = withoutOwnFrames(stack ?? text);
  if (cause === undefined || causes >= MAX_CAUSES) return shown;
  return `${shown}\n  caused by ${cause instanceof Error ? showError(cause, String(cause), causes + 1) : show(cause, 1)}`;
}

function showOne(value: unknown, depth: number, above: readonly unknown[]): string {
  if (typeof value === "string") return depth === 0 ? value : JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${value.name || "without a name"}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Error) return depth === 0 ? showError(value, String(value)) : String(value);
  if (above.includes(value)) return "[circular]";
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? "[array]" : "[object]";
  const next = (member: unknown) => show(member, depth + 1, [...above, value]);
  if (Array.isArray(value)) return `[${value.map(next).join(", ")}]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Map) return `Map {${[...value].map(([key, one]) => `${next(key)} => ${next(one)}`).join(", ")}}`;
  if (value instanceof Set) return `Set {${[...value].map(next).join(", ")}}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength} bytes)`;
  const members = Object.entries(value).map(([key, one]) => `${key}: ${next(one)}`);
  const { name = "" } = value.constructor ?? {};
  return `${name === "Object" || name === "" ? "" : `${name} `}{${members.join(", ")}}`;
}
