import { CairnError } from "../../../errors.ts";
import type { Json } from "../../../store/store.ts";
import type { Path } from "../../edit/edit-json.ts";
import { toPointer } from "../../../json/pointer.ts";
import { refuse } from "../../guard/refuse.ts";
import { showValue } from "../../show-value.ts";
import { type Bench, createBench } from "./bench.ts";
import type { Deed } from "./phrase.ts";

/** A sentence "... from X to Y" as the two that it is made of. */
export interface FromTo {
  /** Present value, as the message states it. */
  readonly from: string;
  /** The sentence with "to Y" alone. */
  readonly wanted: string;
  /** Sentences that say what is said to be there already: "to X", and with the unit of Y. */
  readonly present: readonly string[];
}

const FROM_TO = /^(.*\S) from (\S.{0,199}?) to (\S.*)$/i;
/** Words that make two numbers the ends of a range. */
const RANGE = /\b(?:between|range|bounds|allow|let|permit)\b/i;
const WITH_UNIT = /^[+-]?[\d.]+( ?[a-z%]+)$/i;

/** Undefined where a sentence does not say that something is to become another thing than it is. */
export function splitFromTo(text: string): FromTo | undefined {
  const [, head = "", from = "", to = ""] = FROM_TO.exec(text) ?? [];
  if (head === "" || RANGE.test(head)) return undefined;
  const [, unit] = WITH_UNIT.exec(to) ?? [];
  const present = unit !== undefined && /^[+-]?[\d.]+$/.test(from) ? [`${from}${unit}`, from] : [from];
  return { from, wanted: `${head} to ${to}`, present: present.map((value) => `${head} to ${value}`) };
}

/**
 * Does what is wanted if it is as the sentence says: doing what would bring about its "from" then changes nothing. Refuses
 * with the present value otherwise; the sender has another version in mind, or means something else.
 */
export function toCheckedDeed(from: Json, wanted: Deed, present: Deed | undefined): Deed {
  return async (bench) => {
    if (present === undefined || !(await isPresent(bench, present))) throw await toRefusal(bench, from, wanted);
    await wanted(bench);
  };
}

/** A bench of its own on files as they are by now. */
function toProbe(bench: Bench): Bench {
  return createBench({ ...bench.ground, readText: bench.read });
}

async function isPresent(bench: Bench, present: Deed): Promise<boolean> {
  const probe = toProbe(bench);
  try {
    await present(probe);
    return !probe.hasChanges();
  } catch (error) {
    // What could not be is not what is there.
    if (error instanceof CairnError) return false;
    throw error;
  }
}

async function toRefusal(bench: Bench, from: Json, wanted: Deed): Promise<Error> {
  const found: string[] = [];
  const probe = toProbe(bench);
  const note = (path: string, at: Path, is: Json | undefined) => {
    found.push(`\`${path}${toPointer(at)}\` is ${is === undefined ? "not set" : showValue(is)}`);
  };
  await wanted({
    ...probe,
    set: async (path, at, value) => {
      note(path, at, await probe.find(path, at));
      return probe.set(path, at, value);
    },
  });
  const is = found.length === 0 ? "It is another now" : found.join(", and ");
  return refuse(
    `${is}, and not ${showValue(from)}.`,
    'Say which version is meant, or leave out "from ...", if it is to become that whatever it is now. A range is set with "between ... and ...".',
  );
}
