import type { Plan } from "../../plan.ts";
import type { Heard } from "../heard.ts";
import { type Around, type Item, workAll } from "../lists/plan-list.ts";
import { toAnswer, toReadings } from "../readings.ts";
import { stanceOf } from "../stance.ts";
import { type Part, toParts } from "./to-parts.ts";

/** Least probability of what a part without a sure reading is offered as. */
const LIKELY = 0.4;
/** Words with which a part may change what another says, or leave it open. */
const BINDING =
  /\b(?:if|unless|until|till|before|after|when|while|only|except|instead|but|however|not|never|maybe|perhaps|once|later|first|wenn|falls|nicht|aber|si|pero|no|quand|mais|ne)\b|n['’]t\b|[?？]/iu;

/**
 * Plans a sentence that asks for several things part by part, each with what the first part names: at once where each part is
 * sure by itself and nothing binds them, and otherwise as the first of what is offered. Undefined where a part is not understood.
 */
export async function planParts(
  heard: readonly Heard[],
  otherwise: Plan | undefined,
  around: Around,
): Promise<Plan | undefined> {
  const [only, ...others] = heard;
  if (only === undefined || others.length > 0 || stanceOf(only) !== "asks") return undefined;
  const { text } = only.sentence;
  const parts = toParts(text, around.places);
  const meant: Item[] = [];
  for (const part of parts) {
    const one = await readPart(part, around);
    if (one === undefined) return undefined;
    meant.push(one);
  }
  if (meant.length === 0) return undefined;
  const whole = await workAll(meant, around.reader);
  if (whole === undefined) return undefined;
  if (!BINDING.test(text) && meant.every(({ isSure }) => isSure)) return whole;
  const before = otherwise?.kind === "reject" ? (otherwise.readings ?? []) : [];
  const [first] = toReadings([{ plan: whole, share: 1 }], 1);
  if (first === undefined) return undefined;
  const all = [first, ...before.filter(({ title }) => title !== first.title)];
  return toAnswer(
    all.slice(0, around.reader.most).map((reading, at) => ({ ...reading, id: (["a", "b", "c"] as const)[at] ?? "c" })),
    undefined,
  );
}

/** What a part asks for; undefined where that is nothing, or of another tool than the one that it was read with. */
async function readPart({ text, file }: Part, { read }: Around): Promise<Item | undefined> {
  const { plan, deeds, likely } = await read(text);
  if (deeds !== undefined && plan !== undefined && isWithin(plan, file)) return { deeds, isSure: true };
  if (likely?.plan === undefined || likely.share < LIKELY || !isWithin(likely.plan, file)) return undefined;
  return { deeds: likely.choice.deeds, isSure: false };
}

function isWithin(plan: Plan, file: string | undefined): boolean {
  if (file === undefined || plan.kind !== "change") return file === undefined;
  return [...plan.files.keys()].every((path) => path === file || /^(?:tools|test)\//.test(path));
}
