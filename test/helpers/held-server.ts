import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { AgentTool } from "./agent.ts";
import type { AtEnd } from "./temporary.ts";

/** A request that waits until the test lets it be answered. */
interface HeldRequest {
  readonly path: string;
  answer(body: string): void;
  /** Resolves when the one who asked has gone without an answer. */
  readonly gone: Promise<void>;
}

/** A service outside that holds every request, so that a handler can be met in the middle of its run. */
export interface HeldServer {
  /** What maps the host `held.example` to it, for the environment of a service. */
  readonly environment: Readonly<Record<string, string>>;
  /** The next request, in the order of their coming; waits for it. */
  next(): Promise<HeldRequest>;
}

/** A tool that reports progress, and then waits for what `held.example` answers under its input's name. */
export const WAITING_TOOL: AgentTool = {
  handler: `export default async ({ name }, ctx) => {
      ctx.progress(1);
      const reply = await ctx.fetch("https://held.example/" + name);
      return { said: reply.text() };
    };\n`,
  manifest: "uses: [fetch]\negress: [held.example]\nlimits: { time: 60000 }",
};

export async function startHeldServer(atEnd: AtEnd = onTestFinished): Promise<HeldServer> {
  const arrived: HeldRequest[] = [];
  const wanted: ((request: HeldRequest) => void)[] = [];
  const server = createServer((request, response) => {
    const held = toHeld(request.url ?? "", response);
    const next = wanted.shift();
    if (next) next(held);
    else arrived.push(held);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    environment: { CAIRN_EGRESS_MAP: `held.example=http://127.0.0.1:${port}` },
    next: () => {
      const first = arrived.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => wanted.push(resolve));
    },
  };
}

function toHeld(path: string, response: ServerResponse): HeldRequest {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  response.once("close", () => {
    if (!response.writableFinished) resolve();
  });
  return { path, gone, answer: (body) => void response.end(body) };
}
