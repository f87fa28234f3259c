import { afterAll, beforeAll } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { openArtifactSandbox } from "../../../../server/kernel/isolates/open-artifact-sandbox.ts";
import type { Sandbox } from "../../../../server/kernel/isolates/sandbox.ts";
import type { Json } from "../../../../server/store/store.ts";
import { createArtifactSyscalls } from "../../../../server/capabilities/artifacts/syscalls.ts";
import type { Step } from "../../../../server/capabilities/artifacts/artifact-run.ts";
import { createDispatch } from "../../../../server/kernel/dispatch.ts";
import { createLogSyscalls } from "../../../../server/capabilities/log/log.ts";
import type { RunningCall } from "../../../../server/kernel/call.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";

/** Milliseconds in which every strike is forgotten. */
const AGES = 10 ** 9;

interface RunOptions {
  readonly input?: Json;
  readonly clock?: boolean;
  readonly seed?: string;
  readonly asks?: readonly string[];
  /** Answers what is asked; an error that it throws is the answer, too. */
  readonly answer?: (name: string, args: Json) => Json | undefined;
  readonly call?: RunningCall;
  readonly actor?: string;
  readonly tenant?: string;
}

export interface ArtifactsInUse {
  readonly sandbox: () => Sandbox;
  /** Runs a module to its end. */
  run(source: string, options?: RunOptions): Promise<Json | undefined>;
  /** The error that it ends with. */
  fail(source: string, options?: RunOptions): Promise<CairnError>;
  ask(call: RunningCall, name: string, args: Json): Promise<Json | undefined>;
  /** A call of a tool that may run artifacts. */
  begin(who?: { readonly tenant?: string; readonly actor?: string }): RunningCall;
}

/** `ctx.artifacts` for the tests of a file. */
export function useArtifacts(): ArtifactsInUse {
  let opened: Sandbox | undefined;
  beforeAll(() => {
    let elapsed = 0;
    // Time flies for those who struck: each attempt is to be seen by itself, and not confined for the one before.
    opened = openArtifactSandbox({ now: Date.now, elapsed: () => (elapsed += AGES) });
  });
  afterAll(() => opened?.close());
  const sandbox = () => {
    if (opened === undefined) throw new Error("The sandbox is open during tests only.");
    return opened;
  };
  let dispatch: ReturnType<typeof createDispatch> | undefined;
  const ask: ArtifactsInUse["ask"] = (call, name, args) => {
    dispatch ??= createDispatch(
      createArtifactSyscalls({ artifacts: sandbox(), now: Date.now }, createLogSyscalls(Date.now)),
    );
    return dispatch(call, name, args);
  };
  const begin: ArtifactsInUse["begin"] = ({ tenant = "t", actor = "a" } = {}) =>
    createRunningCall({
      tool: { name: "artifacts.tool", server: "artifacts", uses: new Set(["artifacts", "clock"]) },
      call: { principal: { tenant, actor, capabilities: new Set() } },
    });
  const run: ArtifactsInUse["run"] = async (source, options = {}) => {
    const { answer, call = begin(options), actor: _actor, tenant: _tenant, input = null, ...rest } = options;
    const program = { name: "thing", modules: { "artifact.js": source }, entry: "artifact.js" };
    let step = (await ask(call, "artifacts.run", { program, input, ...rest })) as Step;
    while (!step.done) {
      step = (await ask(call, "artifacts.resume", { run: step.run, ask: step.ask, ...reply(step, answer) })) as Step;
    }
    return step.value;
  };
  return {
    sandbox,
    run,
    ask,
    begin,
    async fail(source, options) {
      const end: unknown = await run(source, options).catch((error: unknown) => error);
      if (!(end instanceof CairnError)) throw new Error(`It did not fail, but ended with ${JSON.stringify(end)}.`);
      return end;
    },
  };
}

function reply(step: Step & { done: false }, answer: RunOptions["answer"]): Record<string, Json> {
  try {
    const value = answer?.(step.name, step.args);
    return value === undefined ? {} : { value };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error("?");
    return { error: { name, message } };
  }
}
