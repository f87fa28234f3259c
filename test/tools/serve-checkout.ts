import { beforeAll } from "vitest";
import { CairnError, isErrorName } from "../../server/errors.ts";
import type { FetchInit, ModelRequest } from "../../server/host-api.ts";
import type { Sandbox } from "../../server/kernel/isolates/sandbox.ts";
import type { Json } from "../../server/store/store.ts";
import { loadDirectoryTree } from "../../server/versions/git/directory-tree.ts";
import { loader } from "../helpers/loader.ts";
import type { Version } from "../../server/versions/version.ts";
import { type FakeContext, NOW } from "../helpers/fake-context.ts";
import { setClock, warmSandbox } from "../helpers/warm-sandbox.ts";

export interface ServedCheckout {
  readonly version: () => Version;
  /** Runs a tool's handler in an isolate, as the service does, at `NOW`; what it asks of the world, `ctx` answers. */
  call(tool: string, input: object, ctx: FakeContext): Promise<unknown>;
}

/** This checkout's manifests and handlers, loaded and sandboxed for the tests of a file. */
export function useCheckout(): ServedCheckout {
  let loaded: Version | undefined;
  let sandbox: Sandbox | undefined;
  beforeAll(async () => {
    const read = await loadDirectoryTree(".");
    if (!read.ok) throw new Error("the checkout cannot be read");
    const result = await loader.load(read.tree, "a".repeat(40));
    if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 2));
    loaded = result.version;
    sandbox = await warmSandbox();
    setClock(loaded.program, () => NOW);
  });

  const version = () => {
    if (!loaded) throw new Error("the checkout is loaded during tests only");
    return loaded;
  };
  return {
    version,
    async call(name, input, ctx) {
      const tool = version().tools.get(name);
      if (!tool || !sandbox) throw new Error(`there is no tool ${name}`);
      const { handler, uses } = tool;
      const { conversationId, tool: tested, ...names } = ctx.call;
      const grants = {
        clock: uses.has("clock"),
        random: uses.has("random"),
        model: ctx.model.available,
        stages: false,
      };
      const { output } = await sandbox.run({
        program: version().program,
        tool: {
          handler,
          name: tested,
          server: names.server,
          version: names.version,
          commit: names.commit,
          logsPrefix: "logs://",
          ...grants,
        },
        input: tool.withDefaults(input) as Json,
        conversationId,
        params: ctx.params,
        client: ctx.client,
        seed: "0".repeat(32),
        limits: tool.limits,
        syscall: (syscall, args) => answer(ctx, syscall, args).catch(refuse),
        isFinal: () => false,
        restart: () => undefined,
        isNested: false,
      });
      return output;
    },
  };
}

async function answer(ctx: FakeContext, syscall: string, args: unknown): Promise<Json | undefined> {
  const given = args as { value: Json; url: string; name: string; input: Json; level: "info"; message: string };
  switch (syscall) {
    case "session.get":
      return ctx.session.get<Json>();
    case "session.set":
      await ctx.session.set(given.value);
      return undefined;
    case "fetch": {
      const { status, headers, text } = await ctx.fetch(given.url, args as FetchInit);
      return { status, headers, body: text() };
    }
    case "tools.list":
      return (await ctx.tools.list()).map(({ server, name, description, input, output, sideEffect, examples }) =>
        JSON.parse(JSON.stringify({ server, name, description, input, output, sideEffect, examples })),
      );
    case "tools.call":
      return ctx.tools.call<Json>(given.name, given.input);
    case "model.generate":
      return (await ctx.model.generate(args as ModelRequest)) as unknown as Json;
    case "log":
      ctx.log[given.level](given.message);
      return undefined;
    default:
      throw new Error(`there is no syscall ${syscall}`);
  }
}

function refuse(error: unknown): never {
  if (error instanceof Error && isErrorName(error.name)) throw new CairnError(error.name, error.message);
  throw error;
}
