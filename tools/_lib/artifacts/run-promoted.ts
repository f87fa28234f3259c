import type { Handler, StateKey } from "../../../server/host-api.ts";
import { adapt } from "./adapt.ts";
import type { ArtifactFacts } from "./artifact-context.ts";
import { toDataKey } from "./store.ts";

export interface Promoted {
  readonly artifact: ArtifactFacts["artifact"];
  readonly method?: string;
  /** True if its return value is a member `result` of the output. */
  readonly isWrapped?: boolean;
}

/** The handler of an artifact that has become part of a version: it runs as it did, with the state that it had. */
export function createPromoted(
  module: Readonly<Record<string, unknown>>,
  { artifact, method, isWrapped = false }: Promoted,
): Handler {
  return async (input, ctx) => {
    const { actor } = await ctx.principal();
    const { state, log, now, random, fail } = ctx;
    const answers: Readonly<Record<string, (key: StateKey, value: unknown) => Promise<unknown>>> = {
      "state.get": (key) => state.get(toDataKey(artifact.name, key)),
      "state.set": (key, value) => state.set(toDataKey(artifact.name, key), value),
      "state.delete": (key) => state.delete(toDataKey(artifact.name, key)),
    };
    const ask = async <Answer>(name: string, asked: unknown): Promise<Answer> => {
      const answer = answers[name];
      if (answer === undefined) throw fail("FORBIDDEN", `\`${artifact.name}\` may not use \`${name}\`.`);
      const { key, value } = Object(asked);
      return (await answer(key, value)) as Answer;
    };
    const named = method === undefined ? {} : { method };
    const request = { facts: { artifact, caller: actor }, args: input, positional: false, ...named };
    const result = await adapt(module, request, { log, now, random, fail, artifacts: { ask } });
    return isWrapped ? { result: result ?? null } : result;
  };
}
