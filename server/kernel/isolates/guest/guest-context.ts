import type { ClientAbilities, Context, FailName, Log } from "../../../host-api.ts";
import type { ToolFacts } from "../sandbox.ts";
import type { SyscallName } from "../syscall-kinds.ts";
import { createArtifacts } from "./guest-artifacts.ts";
import { createRaised } from "./guest-errors.ts";
import { deepFreeze, requireType, toArguments, toJson } from "./guest-json.ts";
import { createLineage } from "./guest-lineage.ts";
import { createRandom } from "./guest-random.ts";
import { createReply } from "./guest-reply.ts";
import { toResponse } from "./guest-response.ts";
import { createSchemas } from "./guest-schemas.ts";
import { createSignal } from "./guest-signal.ts";
import { createState } from "./guest-state.ts";
import { createTuner } from "./guest-tuner.ts";
import { type AskNamed, createWork } from "./guest-work.ts";
import { createExecution, createFileSystem, createGit, createRepository } from "./guest-workspace.ts";

/** What the main process says of a call, apart from its tool and its input. */
export interface CallFacts {
  readonly conversationId: string;
  readonly seed: string;
  /** Absent: none. */
  readonly params: Context["params"] | undefined;
  /** Absent: nothing. */
  readonly client: ClientAbilities | undefined;
}

/** The ways out of the isolate; `ask` and `tell` take JSON text. */
export interface CallOutlet {
  ask<T>(name: SyscallName, args: string): Promise<T>;
  tell(name: SyscallName, args: string): void;
  now(): number;
  isAborted(): boolean;
  onAbort(listener: () => void): void;
}

/**
 * `ctx` of one call. Each member is made when it is first asked for: a handler uses few, and making all of them would
 * cost more than most handlers do. What is made is frozen, and a member works apart from `ctx`, too.
 */
export function createContext(tool: ToolFacts, facts: CallFacts, openOutlet: () => CallOutlet): Context {
  return Object.freeze(new LazyContext(tool, facts, openOutlet));
}

class LazyContext implements Context {
  readonly #tool: ToolFacts;
  readonly #facts: CallFacts;
  readonly #openOutlet: () => CallOutlet;
  readonly #made: { outlet?: CallOutlet; log?: Log; random?: () => number };

  constructor(tool: ToolFacts, facts: CallFacts, openOutlet: () => CallOutlet) {
    this.#tool = tool;
    this.#facts = facts;
    this.#openOutlet = openOutlet;
    this.#made = {};
  }

  get #outlet(): CallOutlet {
    return (this.#made.outlet ??= this.#openOutlet());
  }

  get #ask(): AskNamed {
    const outlet = this.#outlet;
    return async (name, required, optional) => outlet.ask(name, toArguments(name, required, optional));
  }

  get call(): Context["call"] {
    const { server, name, version, commit, logsPrefix } = this.#tool;
    const { conversationId } = this.#facts;
    const logsUri = logsPrefix + conversationId;
    return Object.freeze({ conversationId, logsUri, server, tool: name, version, commit });
  }

  get params(): Context["params"] {
    return deepFreeze(this.#facts.params ?? {});
  }

  get log(): Log {
    const outlet = this.#outlet;
    const log = (level: keyof Log) => (message: string, data?: unknown) => {
      requireType(message, "string", `message\` of \`ctx.log.${level}`);
      outlet.tell("log", toArguments(`log.${level}`, { level, message }, { data }));
    };
    return (this.#made.log ??= deepFreeze({
      debug: log("debug"),
      info: log("info"),
      warning: log("warning"),
      error: log("error"),
    }));
  }

  get progress(): Context["progress"] {
    const outlet = this.#outlet;
    return Object.freeze((progress: number, total?: number, message?: string) => {
      requireType(progress, "number", "progress` of `ctx.progress");
      outlet.tell("progress", toArguments("progress", { progress }, { total, message }));
    });
  }

  get now(): Context["now"] {
    const outlet = this.#outlet;
    const { clock } = this.#tool;
    return Object.freeze(() => {
      if (!clock) throw needs("now", "clock");
      return outlet.now();
    });
  }

  get random(): Context["random"] {
    const made = this.#made;
    const { seed } = this.#facts;
    const { random } = this.#tool;
    return Object.freeze(() => {
      if (!random) throw needs("random", "random");
      made.random ??= createRandom(seed);
      return made.random();
    });
  }

  get session(): Context["session"] {
    const outlet = this.#outlet;
    return deepFreeze<Context["session"]>({
      get: async () => outlet.ask("session.get", "{}"),
      set: async (value) => outlet.ask("session.set", toArguments("session.set", { value })),
    });
  }

  get state(): Context["state"] {
    return deepFreeze(createState(this.#ask));
  }

  get lineage(): Context["lineage"] {
    return deepFreeze(createLineage(this.#ask));
  }

  get artifacts(): Context["artifacts"] {
    return deepFreeze(createArtifacts(this.#ask));
  }

  get schema(): Context["schema"] {
    return deepFreeze(createSchemas(this.#ask));
  }

  get principal(): Context["principal"] {
    const ask = this.#ask;
    return Object.freeze<Context["principal"]>(() => ask("principal", {}));
  }

  get fetch(): Context["fetch"] {
    const outlet = this.#outlet;
    return Object.freeze<Context["fetch"]>(async (url, { method, headers, body, timeout } = {}) => {
      const args = toArguments("fetch", { url }, { method, headers, body, timeout });
      return toResponse(await outlet.ask("fetch", args));
    });
  }

  get tools(): Context["tools"] {
    const outlet = this.#outlet;
    return deepFreeze<Context["tools"]>({
      list: async () => outlet.ask("tools.list", "{}"),
      call: async (name, input) => outlet.ask("tools.call", toArguments("tools.call", { name, input })),
    });
  }

  get model(): Context["model"] {
    const outlet = this.#outlet;
    return deepFreeze<Context["model"]>({
      available: this.#tool.model,
      async generate({ messages, tools, temperature, maxTokens, timeout }) {
        const args = toArguments("model.generate", { messages }, { tools, temperature, maxTokens, timeout });
        return outlet.ask("model.generate", args);
      },
    });
  }

  get tuner(): Context["tuner"] {
    return deepFreeze(createTuner(this.#ask));
  }

  get work(): Context["work"] {
    return deepFreeze(createWork(this.#ask));
  }

  get fs(): Context["fs"] {
    return deepFreeze(createFileSystem(this.#ask));
  }

  get exec(): Context["exec"] {
    return deepFreeze(createExecution(this.#ask));
  }

  get git(): Context["git"] {
    return deepFreeze(createGit(this.#ask));
  }

  get repository(): Context["repository"] {
    return deepFreeze(createRepository(this.#ask));
  }

  get signal(): Context["signal"] {
    return Object.freeze(createSignal(this.#outlet));
  }

  get client(): ClientAbilities {
    return Object.freeze(this.#facts.client ?? { elicit: false, sample: false, roots: false });
  }

  get elicit(): Context["elicit"] {
    const outlet = this.#outlet;
    return Object.freeze<Context["elicit"]>(async (key, { message, schema }) =>
      outlet.ask("elicit", toArguments("elicit", { key, message, schema })),
    );
  }

  get sample(): Context["sample"] {
    const outlet = this.#outlet;
    return Object.freeze<Context["sample"]>(async (key, request) => {
      const { messages, maxTokens, systemPrompt, temperature, stopSequences } = request;
      const optional = { systemPrompt, temperature, stopSequences };
      return outlet.ask("sample", toArguments("sample", { key, messages, maxTokens }, optional));
    });
  }

  get roots(): Context["roots"] {
    const outlet = this.#outlet;
    return Object.freeze<Context["roots"]>(async (key = "roots") => outlet.ask("roots", toArguments("roots", { key })));
  }

  get reply(): Context["reply"] {
    return createReply;
  }

  get fail(): Context["fail"] {
    return fail;
  }
}

Object.freeze(LazyContext.prototype);
Object.freeze(createReply);
Object.freeze(fail);

function fail(name: FailName, message: string, details?: unknown): Error {
  requireType(name, "string", "name` of `ctx.fail");
  requireType(message, "string", "message` of `ctx.fail");
  return createRaised(name, message, details === undefined ? undefined : toJson(details, "`details` of `ctx.fail`"));
}

function needs(method: string, use: string): Error {
  return createRaised("FORBIDDEN", `\`ctx.${method}()\` needs \`${use}\` in the tool's \`uses\`.`);
}
