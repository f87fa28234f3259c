/** What every contender shares: how many tools it is asked for, and how it says where it listens. */
import { toToolName } from "../contract.ts";

const count = Number(process.argv[2] ?? 1);

export const TOOL_NAMES = Array.from({ length: count }, (_, index) => toToolName(index));

export const INFO = { name: "bench", version: "1.0.0" };

/** Starts a `node:http` server on a free port of loopback. */
export function listen(server) {
  server.listen(0, "127.0.0.1", () => announce(server.address().port));
}

export function announce(port) {
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
}
