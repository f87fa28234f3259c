import { readPointer } from "../../json/pointer.ts";
import { isObject } from "../../json/is-object.ts";
import { MASK, type Redactor } from "../../log/redact.ts";
import { createRecordReader } from "../../json/stored.ts";
import { bodyKey } from "../../store/keys.ts";
import type { Json, Write } from "../../store/store.ts";
import type { Tool } from "../../versions/version.ts";
import { findRedactedValues } from "./redacted-values.ts";
import type { Call } from "../call.ts";
import { joinParts } from "../transaction.ts";
import type { CallCommit } from "./call-commit.ts";

/** Input and output of a call that went well, kept of tools whose manifest allows that. */
export interface BodyRecord {
  readonly schemaVersion: 1;
  readonly tool: string;
  /** With what the manifest's `redact` names, and what has the form of a credential, masked. */
  readonly input: Json;
  readonly output: Json;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const readBodyRecord = createRecordReader<BodyRecord>("body-record");

export interface Body {
  readonly id: string;
  readonly input: Json;
  readonly output: Json;
  readonly at: number;
  readonly redactor: Redactor;
}

/** Adds the call's body to what is committed with its record. */
export function withBody({ part, isBinding }: CallCommit, call: Call, body: Body, ttl: number): CallCommit {
  const { tool, principal, version } = call;
  const { input, output } = toMasked(tool, body);
  const value = { schemaVersion: 1, tool: tool.name, input, output, at: body.at } as const;
  const write: Write = { key: bodyKey(principal.tenant, version.commit, body.id), value, ttl };
  return { part: joinParts(part, { set: [write] }), isBinding };
}

/** Both as they may be kept: masked at the places that the manifest names, and wherever what stands there turns up again. */
export function toMasked(
  tool: Tool,
  { input, output, redactor }: Pick<Body, "input" | "output" | "redactor">,
): { readonly input: Json; readonly output: Json } {
  const known = redactor.with([...findRedactedValues(tool, input), ...findRedactedValues(tool, output)]);
  const mask = (value: Json) =>
    known.json(tool.redact.reduce<Json>((masked, pointer) => maskAt(masked, readPointer(pointer)), value));
  return { input: mask(input), output: mask(output) };
}

function maskAt(value: Json, [name, ...rest]: readonly string[]): Json {
  if (name === undefined) return MASK;
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => (String(index) === name ? maskAt(item, rest) : item));
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: maskAt(value[name] as Json, rest) } as Json;
}
