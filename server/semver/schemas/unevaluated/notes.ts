import { type Evaluated, join, NONE } from "./evaluated.ts";
import { intersect } from "../intersect.ts";
import { ALL_SHAPES, type Shape } from "../shape.ts";
import { meet } from "../unite.ts";

/** Cases that one schema falls into. */
const CASE_LIMIT = 48;

/** Evaluated parts that are noted: `none` without any note, `unsure` where that cannot be told. */
export type Note = Evaluated | "none" | "unsure";

/** Values that have these shapes, and the note that ajv ends with for each of them that meets the schema. */
interface Case {
  readonly shapes: readonly Shape[];
  readonly note: Note;
}

/**
 * The notes that ajv 8 takes of evaluated parts, which are not always those of the standard. A note is `constant` where
 * ajv knows it when it compiles, and otherwise `variable`; `either` is not certain which. A constant is lost where an
 * alternative behind it does not hold, and what an alternative has put into its variable counts although it fails.
 */
export interface Notes {
  readonly kind: "none" | "constant" | "variable" | "either";
  readonly cases: readonly Case[];
  /** Note in the variable after a value that does not meet the schema. */
  readonly left: Note;
}

/**
 * A schema for the same value, and the end of checking it. Its note is joined if it is `met`, and `always` where nothing
 * else would be valid; a condition's is joined also if it has `failed`, an alternative's is then `lost`, or never began.
 */
export interface Step {
  readonly notes: Notes | undefined;
  readonly end: "always" | "met" | "failed" | "lost" | "skipped";
}

/** Steps that values of all these shapes take. */
export interface Way {
  readonly shapes: readonly (readonly Shape[])[];
  readonly steps: readonly Step[];
}

export const NOTHING: Notes = { kind: "none", cases: [{ shapes: ALL_SHAPES, note: "none" }], left: "none" };
export const ALL: Evaluated = { ...NONE, hasAllMembers: true, items: Infinity };

export function toWay(notes: Notes | undefined): Way {
  return { shapes: [], steps: [{ notes, end: "always" }] };
}

export function toConstant(note: Evaluated): Notes {
  return { kind: "constant", cases: [{ shapes: ALL_SHAPES, note }], left: "none" };
}

/** Follows each of the ways, none meaning straight on. All of them lead to one kind of note, as ajv compiles them all. */
export function branchOff(before: Notes, ways: readonly Way[], inLoop: boolean): Notes | undefined {
  const isIdle = ways.every(({ steps }) => steps.every(({ notes }) => notes?.kind === "none"));
  if (isIdle || isComplete(before)) return before;
  const ends = ways.map(({ shapes, steps }) => {
    const start = shapes.reduce<readonly Shape[] | undefined>(
      (all, each) => all && meet(all, each, intersect),
      ALL_SHAPES,
    );
    const cases = start && product(before.cases, [{ shapes: start, note: "none" }]);
    return steps.reduce<Notes | undefined>(
      (notes, step) => notes && take(notes, step, inLoop),
      cases && { ...before, cases },
    );
  });
  const [first] = ends;
  if (first === undefined || !ends.every((each) => each !== undefined)) return undefined;
  const cases = ends.flatMap((each) => each.cases);
  return cases.length > CASE_LIMIT ? undefined : { ...first, cases };
}

function take(before: Notes, { notes, end }: Step, inLoop: boolean): Notes | undefined {
  if (notes === undefined) return undefined;
  if (notes.kind === "none" || isComplete(before)) return before;
  if (end === "always" || end === "met") {
    const cases = product(before.cases, notes.cases);
    return cases && { ...before, kind: end === "met" ? "variable" : kindOf(before, notes), cases };
  }
  const note = (known: Note) => noteWithout(known, before, { notes, end }, inLoop);
  const cases = before.cases.map((each) => ({ ...each, note: note(each.note) }));
  return { ...before, kind: "variable", cases };
}

/** The note behind a schema that is not met. */
function noteWithout(note: Note, before: Notes, { notes, end }: Step, inLoop: boolean): Note {
  const left = notes?.left ?? "unsure";
  if (end !== "failed" && before.kind === "variable") return note;
  if (inLoop || before.kind === "either" || notes?.kind === "either") return "unsure";
  return end === "failed" ? joinNotes(note, left) : end === "lost" ? left : "none";
}

function kindOf(one: Notes, other: Notes): Notes["kind"] {
  if (one.kind === "none") return other.kind;
  return [one.kind, other.kind].includes("variable") ? "variable" : one.kind === other.kind ? one.kind : "either";
}

/** Nothing is added to a constant that all parts are noted in. */
function isComplete({ kind, cases: [first] }: Notes): boolean {
  return kind === "constant" && first?.note === ALL;
}

function product(one: readonly Case[], other: readonly Case[]): readonly Case[] | undefined {
  const cases = one.flatMap((each) =>
    other.map(({ shapes, note }) => {
      const both = meet(each.shapes, shapes, intersect);
      return both && { shapes: both, note: joinNotes(each.note, note) };
    }),
  );
  if (cases.length > CASE_LIMIT || !cases.every((each) => each !== undefined)) return undefined;
  return cases.filter(({ shapes }) => shapes.length > 0);
}

function joinNotes(one: Note, other: Note): Note {
  if (one === ALL || other === ALL) return ALL;
  if (one === "unsure" || other === "unsure") return "unsure";
  return one === "none" ? other : other === "none" ? one : join(one, other);
}
