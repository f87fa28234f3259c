import { isObject } from "../../../../json/is-object.ts";
import type { Bench } from "../../directives/bench.ts";
import { readData } from "../../directives/read-literal.ts";
import type { Data, Message } from "../../../message/message.ts";
import { words } from "../words/word-lists.ts";
import type { RejectPlan } from "../../plan.ts";

/** Mappings whose keys people choose. */
const NAMES: ReadonlySet<string> = words(
  "properties parameters arms roles labels tools examples input default matches",
);
const MOST = 5;

/**
 * Says which keys of a fragment no manifest of its kind has, and in which lines of the message they stand; undefined where it
 * has none of those.
 */
export async function refuseKeys(
  blocks: readonly Data[],
  message: Message,
  bench: Bench,
  files: readonly string[],
): Promise<RejectPlan | undefined> {
  const known = new Set<string>();
  for (const file of files) collect((await bench.find(file, [])) ?? null, known);
  const unknown = blocks.flatMap((block) => {
    const data = readData(block.text);
    return isObject(data) ? listUnknown(data, known).map((key) => ({ key, line: lineOf(key, block, message) })) : [];
  });
  if (unknown.length === 0 || known.size === 0) return undefined;
  const named = unknown.slice(0, MOST).map(({ key, line }) => `\`${key}\` (line ${String(line)})`);
  const list = [named.slice(0, -1).join(", "), named.at(-1) ?? ""].filter((part) => part !== "").join(" and ");
  return {
    kind: "reject",
    reason: `No manifest has ${unknown.length === 1 ? "a key" : "keys"} ${list}, so nothing of this is done.`,
    accepted: "Leave out what no manifest has, or call it as manifests do.",
  };
}

function collect(value: unknown, known: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, known);
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    known.add(key);
    collect(inner, known);
  }
}

/** The keys that nothing has, where none but those of manifests can be. */
function listUnknown(data: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): readonly string[] {
  return Object.entries(data).flatMap(([key, inner]): readonly string[] => {
    if (!isObject(inner)) return known.has(key) ? [] : [key];
    const below = NAMES.has(key) ? Object.values(inner).filter(isObject) : [inner];
    return below.flatMap((one) => listUnknown(one, known));
  });
}

/** The line of the message in which a key of a block stands, from 1. */
function lineOf(key: string, { start, end }: Data, { text }: Message): number {
  const pattern = new RegExp(`(?:^|[\\s{,"'])${RegExp.escape(key)}["']?\\s*:`, "mu");
  const found = pattern.exec(text.slice(start, end));
  const at = start + (found === null ? 0 : found.index + found[0].indexOf(key));
  return text.slice(0, at).split("\n").length;
}
