import type { Result } from "../../../server/kernel/call.ts";
import type { Principal } from "../../../server/principal.ts";
import { type InvokedCheckout, useInvokedCheckout } from "../invoke-checkout.ts";

type Output = Readonly<Record<string, unknown>>;
type Failure = (Result & { ok: false })["error"];

/** Somebody of a tenant, and what they may do here. */
export interface Maker {
  readonly principal: Principal;
  create(name: string, code: string, more?: object): Promise<Output>;
  invoke(name: string, args?: unknown, more?: object): Promise<unknown>;
  output(tool: string, input: object): Promise<Output>;
  /** The error of a call that has to fail. */
  error(tool: string, input: object): Promise<Failure>;
  /** Somebody else of the same tenant. */
  colleague(actor: string): Maker;
}

export interface ArtifactsInUse {
  readonly checkout: InvokedCheckout;
  /** Somebody of a tenant of their own, where there is nothing yet. */
  maker(actor?: string): Maker;
}

/** The tools of `artifacts`, with `validate_artifact_args` as given. */
export function useArtifacts(mode: "off" | "warn" | "on" | "true" | "false" = "off"): ArtifactsInUse {
  const value = mode === "true" || mode === "false" ? mode : `"${mode}"`;
  const changes = {
    "manifests/parameters/executor.yaml": (text: string) => text.replace('default: "off"', `default: ${value}`),
  };
  const checkout = useInvokedCheckout(mode === "off" ? {} : { changes });
  let makers = 0;

  const toMaker = (tenant: string, actor: string): Maker => {
    const principal = { tenant, actor, capabilities: new Set(["*"]) };
    const output: Maker["output"] = async (tool, input) => (await checkout.output(tool, input, principal)) as Output;
    return {
      principal,
      output,
      create: (name, code, more = {}) => output("artifact_create", { name, code, ...more }),
      async invoke(name, args, more = {}) {
        const given = args === undefined ? {} : { arguments: args };
        return (await output("artifact_invoke", { name, ...given, ...more }))["result"];
      },
      async error(tool, input) {
        const result = await checkout.call(tool, input, principal);
        if (result.ok) throw new Error(`${tool} succeeded with ${JSON.stringify(result.output)}`);
        return result.error;
      },
      colleague: (other) => toMaker(tenant, other),
    };
  };
  return { checkout, maker: (actor = "ada") => toMaker(`maker-${(makers += 1)}`, actor) };
}

/** The interface of the calculator of MCP's own examples. */
export const CALCULATOR = {
  description: "Performs arithmetic",
  inputSchema: {
    type: "object",
    properties: {
      operation: { type: "string", enum: ["add", "subtract"] },
      a: { type: "number" },
      b: { type: "number" },
    },
    required: ["operation", "a", "b"],
  },
  outputSchema: { type: "object", properties: { value: { type: "number" } }, required: ["value"] },
};

export const CALCULATE = `export default ({ operation, a, b }) => ({ value: operation === "add" ? a + b : a - b });`;
