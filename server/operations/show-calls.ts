import { isObject } from "../json/is-object.ts";
import type { Call, Invoke, LogLine, Result } from "../kernel/call.ts";
import { printable } from "../text/printable.ts";
import { formatProblems } from "../versions/format-problems.ts";
import type { Problem } from "../versions/problem.ts";

const COLOURS: Readonly<Record<string, string>> = { ok: "32", debug: "36", info: "32", warning: "33", error: "31" };
const DIM = "90";

/** Lines for people of what happens to the tools that they work on. */
export interface ShowCalls {
  /** Shows each call with its outcome and time, and what its handler logs, as it happens. */
  around(invoke: Invoke): Invoke;
  /** Shows that the work tree was loaded anew, or what keeps it from that. */
  reloaded(problems: readonly Problem[]): void;
}

export interface ShowOptions {
  readonly print: (line: string) => void;
  readonly colours: boolean;
  readonly now: () => number;
}

/** Creates what shows calls. All that others wrote is escaped, as terminals obey control characters. */
export function createShowCalls({ print, colours, now }: ShowOptions): ShowCalls {
  const paint = (code: string | undefined, text: string) =>
    colours && code !== undefined ? `\u001b[${code}m${text}\u001b[0m` : text;
  const show = (subject: string, kind: string, colour: string | undefined, text: string) => {
    const time = new Date(now()).toTimeString().slice(0, 8);
    print([paint(DIM, time), subject, paint(colour, kind), ...(text === "" ? [] : [text])].join(" "));
  };
  return Object.freeze<ShowCalls>({
    around: (invoke) => async (call) => {
      const name = printable(call.tool.name);
      const onLog: NonNullable<Call["onLog"]> = (line) => {
        show(name, line.level, COLOURS[line.level], toText(line));
        call.onLog?.(line);
      };
      const result = await invoke({ ...call, onLog });
      const took = paint(DIM, `${Math.round(result.durationMs)} ms`);
      if (result.ok) show(name, "ok", COLOURS["ok"], took);
      else {
        const { name: error, message } = result.error;
        show(name, error, COLOURS["error"], `${printable(message)} ${took}`);
        for (const frame of toFrames(result)) print(paint(DIM, `    ${printable(frame)}`));
      }
      return result;
    },
    reloaded(problems) {
      if (problems.length === 0) return show("dev", "ok", COLOURS["ok"], "the files as they are now are served");
      show("dev", "error", COLOURS["error"], "the last good files stay served:");
      print(formatProblems(problems, "text").trimEnd());
    },
  });
}

function toText({ message, data }: Pick<LogLine, "message" | "data">): string {
  return data === undefined ? printable(message) : `${printable(message)} ${printable(JSON.stringify(data))}`;
}

function toFrames(result: Extract<Result, { ok: false }>): readonly string[] {
  const { details } = result.error;
  const stack = isObject(details) ? details["stack"] : undefined;
  return Array.isArray(stack) ? stack.map(String) : [];
}
