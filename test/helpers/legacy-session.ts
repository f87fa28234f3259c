import { onTestFinished } from "vitest";
import { type Sent, toSent } from "./sent.ts";

/** A session in a revision of MCP with a handshake, spoken without a client library. */
export interface LegacySession {
  readonly id: string;
  /** What `initialize` was answered with. */
  readonly begun: Readonly<Record<string, unknown>>;
  post(message: object, signal?: AbortSignal): Promise<Sent>;
  /** The stream of what is sent without being asked for, or of what came after an event. */
  listen(lastEventId?: string, signal?: AbortSignal): Promise<Sent>;
  end(): Promise<Sent>;
}

export interface LegacySessionOptions {
  readonly protocolVersion?: string;
  readonly capabilities?: object;
  /** For every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

const ACCEPT = { accept: "application/json, text/event-stream" };

/** Begins a session with a server that keeps them; what is open is given up when the current test ends. */
export async function openLegacySession(
  url: string,
  { protocolVersion = "2025-11-25", capabilities = { elicitation: {} }, headers: own = {} }: LegacySessionOptions = {},
): Promise<LegacySession> {
  const end = new AbortController();
  onTestFinished(() => end.abort());

  const send = async (method: string, headers: Record<string, string>, body?: object, signal = end.signal) =>
    toSent(
      await fetch(url, {
        method,
        headers: {
          ...ACCEPT,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...own,
          ...headers,
        },
        signal: AbortSignal.any([signal, end.signal]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );

  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion, capabilities, clientInfo };
  const begun = await send("POST", {}, { jsonrpc: "2.0", id: "initialize", method: "initialize", params });
  const id = begun.headers.get("mcp-session-id") ?? "";
  const { message } = await begun.next();
  const inSession = { "mcp-session-id": id, "mcp-protocol-version": protocolVersion };
  await send("POST", inSession, { jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    id,
    begun: message,
    post: (body, signal) => send("POST", inSession, body, signal),
    listen: (lastEventId, signal) =>
      send(
        "GET",
        { ...inSession, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) },
        undefined,
        signal,
      ),
    end: () => send("DELETE", inSession),
  };
}
