import { CairnError } from "../errors.ts";
import type { Tool, Violation } from "../versions/version.ts";

/** The input with its schema's defaults filled in, or BAD_REQUEST with everything that is wrong with it. */
export function checkInput(tool: Tool, input: unknown): unknown {
  const complete = tool.withDefaults(input ?? {});
  const violations = tool.checkInput(complete);
  if (violations.length > 0) {
    throw new CairnError("BAD_REQUEST", `The input of \`${tool.name}\` is wrong: ${toSentence(violations)}`, {
      details: violations,
    });
  }
  const bytes = Buffer.byteLength(JSON.stringify(complete));
  if (bytes > tool.limits.payload) {
    throw new CairnError(
      "PAYLOAD_TOO_LARGE",
      `The input of \`${tool.name}\` has ${bytes} bytes; its limit is ${tool.limits.payload}.`,
    );
  }
  return complete;
}

export function toSentence(violations: readonly Violation[]): string {
  return `${violations.map(({ message }) => message.replace(/\.$/, "")).join("; ")}.`;
}
