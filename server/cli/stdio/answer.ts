import type { Response } from "undici";
import { readEvents } from "../../text/events.ts";
import { findServerMessage, type ServerMessage } from "./message.ts";

/** Position in a stream of events. */
export interface Cursor {
  lastEventId?: string;
  /** Wait that the server asks for before the request for the rest, in milliseconds. */
  retryMs?: number;
}

/**
 * Hands over the messages of an answer as they arrive, be it JSON or a stream of events. A connection that breaks is an
 * end like any other: whoever misses the answer sees that it did not come.
 */
export async function readAnswer(
  response: Response,
  cursor: Cursor,
  take: (message: ServerMessage) => void,
): Promise<void> {
  const hand = (text: string) => {
    const message = findServerMessage(text);
    if (message !== undefined) take(message);
  };
  if (!isEventStream(response)) return hand(await readText(response));
  for await (const { type, data, id, retryMs } of readEvents(untilBroken(response.body))) {
    if (id !== undefined) cursor.lastEventId = id;
    if (retryMs !== undefined) cursor.retryMs = retryMs;
    if (type === "message" && data !== "") hand(data);
  }
}

/** The whole body; nothing of one that does not arrive whole. */
export function readText(response: Response): Promise<string> {
  return response.text().catch(() => "");
}

export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Ends an answer that nobody reads, so that its connection can be used again. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

async function* untilBroken(body: Response["body"]): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body as AsyncIterable<Uint8Array>;
  } catch {
    // The end, as far as the reader is concerned.
  }
}
