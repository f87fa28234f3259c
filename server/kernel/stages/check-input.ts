import type { Violation } from "../../json/types.ts";
import { writeJson, type WrittenJson } from "../../json/canonical-json.ts";
import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import type { Tool } from "../../versions/version.ts";

/** An input that a tool takes, with its schema's defaults filled in. */
export interface CheckedInput {
  readonly value: Json;
  readonly json: WrittenJson;
}

/** @throws BAD_REQUEST with everything that is wrong with the input; PAYLOAD_TOO_LARGE when it is too long. */
export function checkInput(tool: Tool, input: unknown): CheckedInput {
  const complete = tool.withDefaults(input ?? {});
  const violations = tool.checkInput(complete);
  if (violations.length > 0) {
    throw new CairnError("BAD_REQUEST", `The input of \`${tool.name}\` is wrong: ${toSentence(violations)}`, {
      details: violations,
    });
  }
  const json = writeJson(complete);
  const { payload } = tool.limits;
  // Only a text that could be too long is measured: a character takes three bytes at most.
  const bytes = json.canonical.length * 3 > payload ? Buffer.byteLength(json.canonical) : 0;
  if (bytes > payload) {
    throw new CairnError(
      "PAYLOAD_TOO_LARGE",
      `The input of \`${tool.name}\` has ${bytes} bytes; its limit is ${payload}.`,
    );
  }
  return { value: complete as Json, json };
}

export function toSentence(violations: readonly Violation[]): string {
  return `${violations.map(({ message }) => message.replace(/\.$/, "")).join("; ")}.`;
}
