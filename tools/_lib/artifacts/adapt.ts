import type { Context } from "../../../server/host-api.ts";
import type { ArtifactContext, ArtifactFacts } from "./artifact-context.ts";

/** Arguments of a program, beside the program. */
export interface Adapted {
  readonly facts: ArtifactFacts;
  readonly method?: string;
  readonly args?: unknown;
  /** True if `args` is a list of arguments, and not the single input of an interface. */
  readonly positional: boolean;
}

/**
 * Calls the function of an artifact that is meant. Runs next to the artifact's own code, as text, so it uses nothing from
 * outside of itself; and it is believed no more than that code: who runs it checks everything that it asks.
 */
export async function adapt(
  artifact: Readonly<Record<string, unknown>>,
  { facts, method, args, positional }: Adapted,
  ctx: Pick<Context, "log" | "now" | "random" | "fail"> & { readonly artifacts: Pick<Context["artifacts"], "ask"> },
): Promise<unknown> {
  const ask = <T>(name: string, asked: object) => ctx.artifacts.ask<T>(name, asked);
  const own: ArtifactContext = Object.freeze({
    ...facts,
    log: ctx.log,
    now: ctx.now,
    random: ctx.random,
    fail: ctx.fail,
    state: Object.freeze({
      get: <T>(key: readonly (string | number)[]) => ask<T | undefined>("state.get", { key }),
      set: (key: readonly (string | number)[], value: unknown) => ask<void>("state.set", { key, value }),
      delete: (key: readonly (string | number)[]) => ask<void>("state.delete", { key }),
    }),
    invoke: <T>(name: string, given?: unknown, { maxPrice }: { readonly maxPrice?: number } = {}) =>
      ask<T>("invoke", { name, args: given, maxPrice }),
  });
  const main = artifact["default"];
  let run: unknown = main;
  if (method !== undefined) {
    const holder = Object.hasOwn(artifact, method) ? artifact : Object(main);
    run = Object.hasOwn(holder, method) ? holder[method] : undefined;
  }
  if (typeof run !== "function") {
    const what = method === undefined ? "no function as its default export" : `no function \`${method}\``;
    throw ctx.fail("UNPROCESSABLE", `The code of \`${facts.artifact.name}\` has ${what}.`);
  }
  return Reflect.apply(run, own, positional ? ((args ?? []) as unknown[]) : [args, own]);
}

/** The module that is called in the isolate of an artifact, beside the artifact's own. */
export const ADAPTER = `import * as artifact from "./artifact.js";
const adapt = ${String(adapt)};
export default (request, ctx) => adapt(artifact, request, ctx);
`;
