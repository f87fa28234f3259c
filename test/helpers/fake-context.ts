import type { Context, FetchInit, FetchResponse, Model, ToolInfo } from "../../server/host-api.ts";

export interface FakeTool extends ToolInfo {
  readonly run: (input: unknown) => unknown;
}

export interface FakeOptions {
  readonly now?: number;
  readonly params?: Context["params"];
  /** Where every host's requests go: the address of a stand-in. */
  readonly upstream?: string;
  /** Milliseconds that a stand-in is waited for, less than a real service where it never answers. */
  readonly patience?: number;
  readonly tools?: readonly FakeTool[];
  readonly model?: Model;
}

export interface FakeContext extends Context {
  /** What the conversation remembers; kept from one call to the next. */
  remembered: unknown;
  readonly logged: { readonly level: string; readonly message: string; readonly data?: unknown }[];
  readonly called: { readonly name: string; readonly input: unknown }[];
}

/** Noon of a Wednesday. */
export const NOW = Date.UTC(2026, 6, 1, 12);

/** A handler's `ctx` without a server: real HTTP to a stand-in, other tools as functions, time that stands still. */
export function createFakeContext(options: FakeOptions = {}): FakeContext {
  const { now = NOW, params = {}, upstream, patience = 10_000, tools = [], model } = options;
  const logged: FakeContext["logged"] = [];
  const called: FakeContext["called"] = [];
  const log = (level: string) => (message: string, data?: unknown) => void logged.push({ level, message, data });

  const ctx: FakeContext = {
    remembered: undefined,
    logged,
    called,
    call: {
      conversationId: "00000000-0000-4000-8000-000000000000",
      logsUri: "logs://00000000-0000-4000-8000-000000000000",
      server: "test",
      tool: "test.tool",
      version: "0.0.0",
      commit: "0".repeat(40),
    },
    params,
    signal: { aborted: false, onAbort() {}, throwIfAborted() {} },
    client: { elicit: false, sample: false, roots: false },
    elicit: refuse("elicit"),
    sample: refuse("sample"),
    roots: refuse("roots"),
    mcp: { call: refuse("mcp.call") },
    reply: (output) => output,
    log: { debug: log("debug"), info: log("info"), warning: log("warning"), error: log("error") },
    progress() {},
    sleep: async () => undefined,
    now: () => now,
    random: () => 0.5,
    session: {
      get: async <T>() => structuredClone(ctx.remembered) as T | undefined,
      set: async (value) => {
        // What crosses to the host is JSON.
        ctx.remembered = JSON.parse(JSON.stringify(value));
      },
    },
    state: { get: refuse("state"), scan: refuse("state"), set: refuse("state"), delete: refuse("state") },
    lineage: {
      append: refuse("lineage"),
      head: refuse("lineage"),
      read: refuse("lineage"),
      export: refuse("lineage"),
    },
    artifacts: { run: refuse("artifacts"), compile: refuse("artifacts"), ask: refuse("artifacts") },
    schema: { problems: refuse("schema"), check: refuse("schema") },
    principal: refuse("the principal"),
    fetch: (url, init) => fetchFrom(upstream, patience, url, init),
    tools: {
      list: async () => tools,
      call: async <T>(name: string, input: unknown) => {
        called.push({ name, input });
        const tool = tools.find((candidate) => candidate.name === name);
        if (!tool) throw createError("INVALID_TOOL", `There is no tool \`${name}\`.`);
        return (await tool.run(structuredClone(input))) as T;
      },
    },
    tuner: {
      reward: refuse("tuning"),
      step: refuse("tuning"),
      iterate: refuse("tuning"),
      fit: refuse("tuning"),
      promote: refuse("tuning"),
      revert: refuse("tuning"),
      propose: refuse("tuning"),
      state: refuse("tuning"),
    },
    work: WORK,
    fs: {
      read: refuse("fs"),
      list: refuse("fs"),
      writeFile: refuse("fs"),
      applyPatch: refuse("fs"),
      reset: refuse("fs"),
    },
    exec: { run: refuse("exec") },
    git: { status: refuse("git"), diff: refuse("git"), commit: refuse("git") },
    repository: {
      impact: refuse("the repository"),
      search: refuse("the repository"),
      find: refuse("the repository"),
      context: refuse("the repository"),
      plan: refuse("the repository"),
      validate: refuse("the repository"),
      verify: refuse("the repository"),
    },
    model: model ?? { available: false, generate: refuse("the model") },
    fail: (name, message, details) => createError(name, message, details),
  };
  return ctx;
}

const noWork = refuse("work");
const WORK: Context["work"] = {
  tasks: { create: noWork, get: noWork, list: noWork, answer: noWork, cancel: noWork },
  leases: { claim: noWork, renew: noWork, release: noWork },
  runs: {
    get: noWork,
    complete: noWork,
    beginStep: noWork,
    endStep: noWork,
    propose: noWork,
    judge: noWork,
    events: noWork,
  },
  evidence: { read: noWork, write: noWork },
  approvals: { write: noWork },
  workers: { list: noWork },
  migrations: { check: noWork, apply: noWork },
};

/** An error as a failed syscall throws it. */
export function createError(name: string, message: string, details?: unknown): Error {
  return Object.assign(new Error(message), { name }, details === undefined ? {} : { details });
}

function refuse(what: string): () => Promise<never> {
  return () => Promise.reject(createError("FORBIDDEN", `${what} is not part of this fake.`));
}

async function fetchFrom(
  upstream: string | undefined,
  patience: number,
  url: string,
  init: FetchInit = {},
): Promise<FetchResponse> {
  const { host, pathname, search } = new URL(url);
  if (!upstream) throw createError("EGRESS_DENIED", `\`${host}\` is out of reach.`);
  try {
    const response = await fetch(upstream + pathname + search, {
      method: init.method ?? "GET",
      headers: init.headers ?? {},
      ...(init.body === undefined ? {} : { body: init.body }),
      signal: AbortSignal.timeout(Math.min(init.timeout ?? patience, patience)),
    });
    const text = await response.text();
    return {
      status: response.status,
      ok: response.ok,
      headers: Object.fromEntries(response.headers),
      text: () => text,
      json: <T>() => JSON.parse(text) as T,
    };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") {
      throw createError("UPSTREAM_TIMEOUT", `\`${host}\` did not answer in time.`);
    }
    throw createError("UPSTREAM_ERROR", `\`${host}\` could not be reached.`);
  }
}
