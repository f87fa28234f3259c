import { readLines } from "./lines.ts";
import { defined } from "../json/defined.ts";

/** One event of a `text/event-stream`; those without data only say where to go on, and when. */
export interface StreamEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  readonly data: string;
  readonly id?: string;
  readonly retryMs?: number;
}

/** A carriage return at the very end of what is there may be half of a line's end. */
const LINE_END = /\r\n|\n|\r(?!$)/;

/** Reads events as https://html.spec.whatwg.org/multipage/server-sent-events.html has it; a torn last one is left out. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let fields = new Map<string, string[]>();
  for await (const line of readLines(chunks, LINE_END)) {
    if (line === "") {
      if (fields.size > 0) yield toEvent(fields);
      fields = new Map();
      continue;
    }
    const colon = line.indexOf(":");
    // A comment, which keeps the connection alive.
    if (colon === 0) continue;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
}

function toEvent(fields: ReadonlyMap<string, readonly string[]>): StreamEvent {
  const id = fields.get("id")?.findLast((value) => !value.includes("\0"));
  const retry = fields.get("retry")?.findLast((value) => /^\d+$/.test(value));
  return {
    type: fields.get("event")?.at(-1) || "message",
    data: (fields.get("data") ?? []).join("\n"),
    ...defined({ id }),
    ...(retry === undefined ? {} : { retryMs: Number(retry) }),
  };
}
