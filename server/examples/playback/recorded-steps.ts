import { findDeclaration } from "../../capabilities/declarations.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import { isWithinCall } from "../../kernel/tape/record-tape.ts";
import type { Tape, TapeStep } from "../../kernel/tape/tape.ts";
import type { Json } from "../../store/store.ts";
import type { Tool, Version } from "../../versions/version.ts";

export interface PlayerOptions {
  /** Absent: of a deterministic tool, which asks for nothing that could differ. */
  readonly tape: Tape | undefined;
  readonly tool: Tool;
  readonly from: Version;
  readonly candidate: Version;
  /** Tools that may answer otherwise in the candidate. */
  readonly changed: ReadonlySet<string>;
}

/** One step of a tape, as it is found again. */
export interface Recorded {
  readonly step: TapeStep;
  readonly text: string;
  readonly isEffect: boolean;
  /** Effects outside that came before it. */
  readonly epoch: number;
  isUsed: boolean;
}

const NO_STEPS: readonly TapeStep[] = [];

/** The steps of a tape, none of which is used yet. */
export function toSteps(options: PlayerOptions): readonly Recorded[] {
  let epoch = 0;
  return (options.tape?.steps ?? NO_STEPS).map((step) => {
    const isEffect = isOutsideEffect(options, step.name, step.args);
    const recorded = { step, text: toText(step.name, step.args), isEffect, epoch, isUsed: false };
    if (isEffect) epoch += 1;
    return recorded;
  });
}

/** Checks that a request does something outside the call's own transaction that cannot be taken back. */
export function isOutsideEffect({ from, candidate, tool }: PlayerOptions, name: string, args: Json): boolean {
  if (isWithinCall(name)) return false;
  const given = (isObject(args) ? args : {}) as { readonly [member: string]: Json };
  if (name === "fetch") return !["GET", "HEAD"].includes(String(given["method"] ?? "GET"));
  if (name === "mcp.call") return tool.sideEffect;
  if (name !== "tools.call") return findDeclaration(name)?.mutates === true;
  const called = String(given["name"]);
  return (from.tools.get(called) ?? candidate.tools.get(called))?.sideEffect === true;
}

/** A request as text, by which it is found. */
export function toText(name: string, args: Json): string {
  return `${name} ${canonicalJson(args)}`;
}
