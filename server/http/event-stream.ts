import { FastResponse } from "srvx";

/** Milliseconds between signs of life, for proxies that close what is quiet. */
const KEEP_ALIVE_MS = 15_000;
/** Events that a client may leave unread before it is taken to be gone. */
const UNREAD_LIMIT = 10_000;

export interface EventStream {
  send(event: string, data: unknown): void;
  end(): void;
}

/**
 * Answers with server-sent events, as `run` sends them until it resolves. A client that goes away aborts the signal, and
 * nothing else: what it has asked for goes on.
 */
export function toEventStream(
  headers: Readonly<Record<string, string>>,
  run: (stream: Pick<EventStream, "send">, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  let keepAlive: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          if (gone.signal.aborted) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < -UNREAD_LIMIT) stop();
        };
        const stop = () => {
          clearInterval(keepAlive);
          if (gone.signal.aborted) return;
          gone.abort();
          controller.close();
        };
        keepAlive = setInterval(() => write(": waiting\n\n"), KEEP_ALIVE_MS).unref();
        const send = (event: string, data: unknown) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        void run({ send }, gone.signal).finally(stop);
      },
      cancel() {
        clearInterval(keepAlive);
        gone.abort();
      },
    },
    { highWaterMark: 0 },
  );
  return new FastResponse(body, {
    status: 200,
    headers: {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      // Proxies such as nginx would otherwise hold events back.
      "x-accel-buffering": "no",
    },
  });
}
