import { once } from "node:events";
import { onTestFinished } from "vitest";
import { createBridge } from "../../../server/cli/stdio/bridge.ts";
import { openMcpHttp } from "../../../server/cli/stdio/http.ts";

/** Milliseconds that the bridge waits at most at its end. */
const DRAIN_MS = 10_000;

/** A bridge to `url` whose waiting takes no time; that for its end takes for ever, unless `drains`. */
export function openBridge(url: string, { drains = false } = {}) {
  const http = openMcpHttp(url);
  const lines: unknown[] = [];
  const warnings: string[] = [];
  const waits: number[] = [];
  const bridge = createBridge({
    send: http.send,
    write: (line) => void lines.push(JSON.parse(line)),
    warn: (text) => void warnings.push(text),
    async wait(ms, signal) {
      waits.push(ms);
      if (ms === DRAIN_MS && !drains) await once(signal, "abort");
    },
  });
  onTestFinished(async () => {
    await bridge.stop();
    await http.close();
  });
  const take = (...messages: readonly object[]) => {
    for (const message of messages) bridge.take(JSON.stringify(message));
  };
  return { bridge, take, lines, warnings, waits };
}

/** A request that states its revision itself. */
export function modern(id: number | string, method: string, params: object = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
export const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

export function answer(id: unknown, result: object = {}) {
  return { jsonrpc: "2.0", id, result };
}

export function cancelled(requestId: unknown) {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}
