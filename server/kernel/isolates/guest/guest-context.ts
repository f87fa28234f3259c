import type { ClientAbilities, Context, FailName, FetchInit, Log } from "../../../host-api.ts";
import type { ToolFacts } from "../sandbox.ts";
import { type ArtifactStubs, createArtifacts } from "./guest-artifacts.ts";
import { FAIL_NAMES } from "./fail-names.ts";
import { createRaised, createRefusal } from "./guest-errors.ts";
import { deepFreeze, requireType, toArguments, toJson } from "./guest-json.ts";
import type { CallOutlet } from "./guest-outlet.ts";
import { createRandom } from "./guest-random.ts";
import { createReply, type McpAnswer, withContent } from "./guest-reply.ts";
import { type Answered, toResponse } from "./guest-response.ts";
import { createSignal } from "./guest-signal.ts";
import { createStagedState } from "./guest-state.ts";
import { createStubs } from "./guest-stubs.ts";

interface McpStubs {
  call(upstream: string, tool: string, input: unknown): Promise<McpAnswer>;
}

/** Facts about a call from the main process, apart from its tool and its input. */
export interface CallFacts {
  readonly conversationId: string;
  readonly seed: string;
  /** Absent: none. */
  readonly params: Context["params"] | undefined;
  /** Absent: nothing. */
  readonly client: ClientAbilities | undefined;
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

  /** The declared methods of a member of `ctx`. */
  #stubs<Member>(member: string): Member {
    const outlet = this.#outlet;
    return createStubs(member, (name, args) => outlet.ask(name, args)) as Member;
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

  get sleep(): Context["sleep"] {
    return this.#stubs("sleep");
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
    return this.#stubs("session");
  }

  get state(): Context["state"] {
    const state = this.#stubs<Context["state"]>("state");
    return this.#tool.stages ? createStagedState(state, this.#outlet) : state;
  }

  get lineage(): Context["lineage"] {
    return this.#stubs("lineage");
  }

  get artifacts(): Context["artifacts"] {
    return deepFreeze(createArtifacts(this.#stubs<ArtifactStubs>("artifacts")));
  }

  get schema(): Context["schema"] {
    return this.#stubs("schema");
  }

  get principal(): Context["principal"] {
    return this.#stubs("principal");
  }

  get fetch(): Context["fetch"] {
    const fetch = this.#stubs<(url: string, init?: FetchInit) => Promise<Answered>>("fetch");
    return Object.freeze<Context["fetch"]>(async (url, init) => toResponse(await fetch(url, init)));
  }

  get mcp(): Context["mcp"] {
    const { call } = this.#stubs<McpStubs>("mcp");
    return Object.freeze<Context["mcp"]>({
      call: async <Output>(upstream: string, tool: string, input: unknown) =>
        withContent(await call(upstream, tool, input)) as Output,
    });
  }

  get tools(): Context["tools"] {
    return this.#stubs("tools");
  }

  get model(): Context["model"] {
    const { generate } = this.#stubs<Pick<Context["model"], "generate">>("model");
    return Object.freeze<Context["model"]>({ available: this.#tool.model, generate });
  }

  get tuner(): Context["tuner"] {
    return this.#stubs("tuner");
  }

  get work(): Context["work"] {
    return this.#stubs("work");
  }

  get fs(): Context["fs"] {
    return this.#stubs("fs");
  }

  get exec(): Context["exec"] {
    return this.#stubs("exec");
  }

  get git(): Context["git"] {
    return this.#stubs("git");
  }

  get repository(): Context["repository"] {
    return this.#stubs("repository");
  }

  get signal(): Context["signal"] {
    return Object.freeze(createSignal(this.#outlet));
  }

  get client(): ClientAbilities {
    return Object.freeze(this.#facts.client ?? { elicit: false, sample: false, roots: false });
  }

  get elicit(): Context["elicit"] {
    return this.#stubs("elicit");
  }

  get sample(): Context["sample"] {
    return this.#stubs("sample");
  }

  get roots(): Context["roots"] {
    const roots = this.#stubs<Context["roots"]>("roots");
    return Object.freeze<Context["roots"]>(async (key = "roots") => roots(key));
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
  if (!Object.hasOwn(FAIL_NAMES, name)) {
    const names = Object.keys(FAIL_NAMES).join(", ");
    throw new TypeError(`\`ctx.fail\` takes no \`${name}\` (it came with \`${message}\`), but ${names}`);
  }
  return createRaised(name, message, details === undefined ? undefined : toJson(details, "`details` of `ctx.fail`"));
}

function needs(method: string, use: string): Error {
  return createRefusal(`\`ctx.${method}()\` needs \`${use}\` in the tool's \`uses\`.`);
}
