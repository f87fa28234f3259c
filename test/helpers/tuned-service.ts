import { onTestFinished } from "vitest";
import { LOCAL_PRINCIPAL, type Principal } from "../../server/principal.ts";
import type { Json, Store } from "../../server/store/store.ts";
import { loader } from "./loader.ts";
import type { Version } from "../../server/versions/version.ts";
import { createMemoryTree } from "../fixtures/trees/create-memory-tree.ts";
import { tunedAgentFiles } from "../fixtures/tuned-agent.ts";
import { openTestKernel } from "./kernel.ts";
import { warmSandbox } from "./warm-sandbox.ts";

export interface TunedServiceOptions {
  readonly store: Store;
  readonly now?: () => number;
}

/** Calls of versions of the tuned agent, as a service makes them; they are loaded with `load`. */
export async function openTunedService({ store, now = Date.now }: TunedServiceOptions) {
  const sandbox = await warmSandbox();
  const { invoke, ledgers, settled, close } = openTestKernel({ store, sandbox, now });
  onTestFinished(close);

  const call = async (version: Version, name: string, input: unknown, principal: Principal = LOCAL_PRINCIPAL) => {
    const tool = version.tools.get(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return invoke({ version, tool, input, principal });
  };
  return {
    settled,
    ledgers,
    call,
    /** The output of a call that has to succeed. */
    async output(version: Version, name: string, input: unknown, principal?: Principal) {
      const result = await call(version, name, input, principal);
      if (!result.ok) throw new Error(`${result.error.name}: ${result.error.message}`);
      return result.output as { readonly [member: string]: Json };
    },
    async load(style: string, commit = "c".repeat(40), version = "1.0.0"): Promise<Version> {
      const loaded = await loader.load(createMemoryTree(tunedAgentFiles({ version, style })), commit);
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, null, 2));
      return loaded.version;
    },
  };
}

export const TONES = `parameters: { tone: { type: categorical, values: [dry, kind, loud], default: dry } }
experiment:
  strategy: { kind: ucb1 }
  exploration: { share: 1, floor: 0.05 }
  reward: { range: [0, 1], deadline: 3600 }
`;
