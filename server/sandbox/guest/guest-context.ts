import type { CallInfo, Context, FailName, FetchResponse, Log } from "../../host-api.ts";
import type { SyscallName } from "../syscall-kinds.ts";
import { createRaised } from "./guest-errors.ts";
import { deepFreeze, toArguments, toJson } from "./guest-json.ts";
import { createRandom } from "./guest-random.ts";

/** What the main process says of a call, apart from its input. */
export interface CallFacts {
  readonly info: CallInfo;
  readonly params: Context["params"];
  readonly grants: { readonly clock: boolean; readonly random: boolean; readonly model: boolean };
  readonly seed: string;
}

/** The ways out of the isolate; both take JSON text. */
export interface Outlet {
  ask<T>(name: SyscallName, args: string): Promise<T>;
  tell(name: SyscallName, args: string): void;
  now(): number;
}

/** `ctx` of one call, frozen all the way down. */
export function createContext(facts: CallFacts, outlet: Outlet): Context {
  const { info, params, grants, seed } = facts;
  const random = createRandom(seed);
  const log = (level: keyof Log) => (message: string, data?: unknown) => {
    requireType(message, "string", `message\` of \`ctx.log.${level}`);
    outlet.tell("log", toArguments(`log.${level}`, { level, message }, { data }));
  };

  return deepFreeze<Context>({
    call: info,
    params,
    log: { debug: log("debug"), info: log("info"), warning: log("warning"), error: log("error") },
    progress(progress, total, message) {
      requireType(progress, "number", "progress` of `ctx.progress");
      outlet.tell("progress", toArguments("progress", { progress }, { total, message }));
    },
    now() {
      if (!grants.clock) throw needs("now", "clock");
      return outlet.now();
    },
    random() {
      if (!grants.random) throw needs("random", "random");
      return random();
    },
    session: {
      get: async () => outlet.ask("session.get", "{}"),
      set: async (value) => outlet.ask("session.set", toArguments("session.set", { value })),
    },
    state: {
      get: async (key) => outlet.ask("state.get", toArguments("state.get", { key })),
      async scan(prefix, { limit, after, reverse } = {}) {
        return outlet.ask("state.scan", toArguments("state.scan", { prefix }, { limit, after, reverse }));
      },
      set: async (key, value) => outlet.ask("state.set", toArguments("state.set", { key, value })),
      delete: async (key) => outlet.ask("state.delete", toArguments("state.delete", { key })),
    },
    async fetch(url, { method, headers, body, timeout } = {}) {
      const args = toArguments("fetch", { url }, { method, headers, body, timeout });
      return toResponse(await outlet.ask("fetch", args));
    },
    tools: {
      list: async () => outlet.ask("tools.list", "{}"),
      call: async (name, input) => outlet.ask("tools.call", toArguments("tools.call", { name, input })),
    },
    model: {
      available: grants.model,
      async generate({ messages, tools, temperature, maxTokens, timeout }) {
        const args = toArguments("model.generate", { messages }, { tools, temperature, maxTokens, timeout });
        return outlet.ask("model.generate", args);
      },
    },
    fail(name: FailName, message: string, details?: unknown) {
      requireType(name, "string", "name` of `ctx.fail");
      requireType(message, "string", "message` of `ctx.fail");
      return createRaised(
        name,
        message,
        details === undefined ? undefined : toJson(details, "`details` of `ctx.fail`"),
      );
    },
  });
}

function toResponse(answer: { status: number; headers: Record<string, string>; body: string }): FetchResponse {
  const { status, headers, body } = answer;
  return deepFreeze<FetchResponse>({
    status,
    ok: status >= 200 && status < 300,
    headers,
    text: () => body,
    json: () => JSON.parse(body),
  });
}

function needs(method: string, use: string): Error {
  return createRaised("FORBIDDEN", `\`ctx.${method}()\` needs \`${use}\` in the tool's \`uses\`.`);
}

function requireType(value: unknown, type: "string" | "number", what: string): void {
  if (typeof value !== type) throw new TypeError(`\`${what}\` must be a ${type}, not ${typeof value}.`);
}
