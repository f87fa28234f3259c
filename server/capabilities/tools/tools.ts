import type { Json } from "../../store/store.ts";
import { CairnError } from "../../errors.ts";
import { holdsAll } from "../../principal.ts";
import { createArgumentCheck } from "../../kernel/arguments.ts";
import type { Tool } from "../../versions/version.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";

const callArguments = createArgumentCheck<{ name: string; input: unknown }>("tools.call", {
  type: "object",
  required: ["name", "input"],
  properties: { name: { type: "string" }, input: {} },
});

/** `ctx.tools`: the other tools of the same version, as far as the caller itself may use them. */
export const toolsSyscalls = defineSyscalls({
  "tools.list"(call) {
    return usable(call).map((tool) => ({
      server: tool.server,
      name: tool.name,
      description: tool.description,
      input: tool.input as Json,
      output: tool.output as Json,
      sideEffect: tool.sideEffect,
      examples: tool.examples.map(({ description, input }) => ({
        ...(description === undefined ? {} : { description }),
        input: input as Json,
      })),
    }));
  },
  async "tools.call"(call, args) {
    const { name, input } = callArguments(args);
    const tool = usable(call).find((candidate) => candidate.name === name);
    if (!tool) {
      throw new CairnError("INVALID_TOOL", `\`ctx.tools.call\`: this version has no other tool named \`${name}\`.`);
    }
    keepPromises(call.tool, tool);
    // The other call commits on its own; running this one again would do it twice.
    if (tool.sideEffect) call.effects.markIrreversible();
    return call.callTool(tool, input);
  },
});

/** A tool keeps what it promises through the tools that it calls. */
function keepPromises(caller: Tool, called: Tool): void {
  const refuse = (promise: string, why: string) => {
    throw new CairnError(
      "FORBIDDEN",
      `\`${caller.name}\` says \`${promise}\` and so cannot call \`${called.name}\`, which ${why}.`,
    );
  };
  if (!caller.sideEffect && called.sideEffect) refuse("sideEffect: false", "has side effects");
  if (caller.deterministic && !called.deterministic) refuse("deterministic: true", "may answer differently each time");
  if (!caller.tenantScoped && called.tenantScoped) refuse("tenantScoped: false", "may depend on the tenant");
}

function usable({ version, tool: own, principal }: RunningCall) {
  return [...version.tools.values()].filter((tool) => tool !== own && holdsAll(principal, tool.requiredCapabilities));
}
