import type { Limits } from "../../versions/version.ts";
import type { ToolFacts } from "./sandbox.ts";

/** Numbers under which one isolate knows tools; `push` takes what tells it of one, to go in before the number is used. */
export function createDeclarations(
  push: (cpu: number, text: string) => void,
): (tool: ToolFacts, limits: Pick<Limits, "cpu" | "payload">) => number {
  const declared = new WeakMap<
    ToolFacts,
    { readonly number: number; readonly cpu: number; readonly payload: number }
  >();
  let last = 0;
  return (tool, { cpu, payload }) => {
    const known = declared.get(tool);
    // Only what enters under the same processor limit keeps its order.
    if (known?.cpu === cpu && known.payload === payload) return known.number;
    last += 1;
    declared.set(tool, { number: last, cpu, payload });
    push(cpu, JSON.stringify(["tool", last, tool, payload]));
    return last;
  };
}
