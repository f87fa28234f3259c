import { onTestFinished } from "vitest";
import { type CallLimits, type Ceilings, NO_CEILINGS } from "../../../server/config/allowance.ts";
import type { Call, Result } from "../../../server/kernel/call.ts";
import { createLog } from "../../../server/log/log.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import type { Sandbox } from "../../../server/kernel/isolates/sandbox.ts";
import type { Store } from "../../../server/store/store.ts";
import type { Version } from "../../../server/versions/version.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";
import { toProgram } from "./isolates/program.ts";
import type { TestTool } from "./count-tool.ts";
import { openTestKernel } from "../../helpers/kernel.ts";
import { warmSandbox } from "../../helpers/warm-sandbox.ts";

export interface InvokeSetUp {
  readonly store?: Store;
  readonly commit?: string;
  readonly ceilings?: Partial<Ceilings>;
  readonly limits?: CallLimits;
  readonly now?: () => number;
  readonly egressMap?: ReadonlyMap<string, string>;
  readonly sandbox?: Sandbox;
  readonly bodyTtl?: number;
  readonly isShared?: boolean;
}

/** Calls of tools with everything real but HTTP, in one sandbox for the tests of a file. */
export function useInvoke() {
  /** One service: what it counts and remembers in memory is its own. */
  return async (tools: Readonly<Record<string, TestTool>>, options: InvokeSetUp = {}) => {
    const sandbox = options.sandbox ?? (await warmSandbox());
    const { now = Date.now, egressMap = new Map(), limits = {} } = options;
    const store = options.store ?? (await openTestStore(now));
    const logged: string[] = [];
    const refused: (readonly [tenant: string, actor: string, error: string])[] = [];
    const { invoke, settled, close } = openTestKernel({
      store,
      sandbox,
      now,
      ceilings: { ...NO_CEILINGS, ...options.ceilings },
      bodyTtl: options.bodyTtl ?? 0,
      ...(options.isShared === true && { sharedTime: now }),
      denied: (error, { tenant = "", actor = "" }) => void refused.push([tenant, actor, String(error)]),
      log: createLog("info", { write: (line) => void logged.push(line) }),
      capabilities: { egressMap },
    });
    onTestFinished(close);
    const version: Version = {
      ...createTestVersion({
        commit: options.commit ?? "c".repeat(40),
        tools: Object.entries(tools).map(([name, { body: _body, top: _top, ...tool }]) => ({
          name,
          server: "s",
          ...tool,
        })),
      }),
      policies: [
        {
          name: "default",
          roles: new Map(),
          egress: [],
          limits,
          commands: [],
          file: "manifests/policies/default.yaml",
        },
      ],
      program: toProgram(
        Object.fromEntries(
          Object.entries(tools).map(([name, { body, top = "" }]) => [
            `tools/s/${name}.ts`,
            `${top}\nexport default async function (input: any, ctx: any) { ${body} }`,
          ]),
        ),
      ),
    };
    const call = (name: string, input: unknown = {}, more: Partial<Call> = {}): Promise<Result> => {
      const tool = version.tools.get(name);
      if (!tool) throw new Error(`no tool ${name}`);
      return invoke({ version, tool, input, principal: LOCAL_PRINCIPAL, ...more });
    };
    return { store, version, call, logged, refused, settled };
  };
}

/** Of a result, what callers compare: its output and id, or the name of its error. */
export function toAnswer(result: Result) {
  return result.ok ? { output: result.output, id: result.conversationId } : result.error.name;
}
