import type { Json } from "../../json/types.ts";
import { type Conjunction, type Located, NEVER } from "./located.ts";

/**
 * Values of one type that meet every constraint named here. A schema is a union of shapes, so that inclusion of schemas
 * becomes inclusion of shapes, type by type.
 */
export type Shape = NullShape | BooleanShape | NumberShape | StringShape | ArrayShape | ObjectShape;

interface Common {
  /** Only these values; each has the shape's type. */
  readonly only?: readonly Json[];
  /** None of these values. */
  readonly except: readonly Json[];
  /** Constraints that are not understood, as texts: whoever has the same text has the same constraint. */
  readonly opaque: ReadonlySet<string>;
}

interface NullShape extends Common {
  readonly type: "null";
}

interface BooleanShape extends Common {
  readonly type: "boolean";
}

export interface NumberShape extends Common {
  readonly type: "number";
  readonly integer: boolean;
  readonly min: Bound;
  readonly max: Bound;
  readonly multiples: readonly number[];
}

export interface Bound {
  readonly at: number;
  readonly exclusive: boolean;
}

export interface StringShape extends Common {
  readonly type: "string";
  readonly minLength: number;
  readonly maxLength: number;
  readonly patterns: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
}

export interface ArrayShape extends Common {
  readonly type: "array";
  readonly minItems: number;
  readonly maxItems: number;
  readonly unique: boolean;
  /** Each says of every item what it must be. */
  readonly layers: readonly ArrayLayer[];
  readonly contains: readonly Contains[];
}

export interface ArrayLayer {
  readonly prefix: readonly Conjunction[];
  readonly rest: Conjunction;
}

export interface Contains {
  readonly what: Conjunction;
  readonly min: number;
  readonly max: number;
}

export interface ObjectShape extends Common {
  readonly type: "object";
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly required: ReadonlySet<string>;
  /** Each says of every member what it must be. */
  readonly layers: readonly ObjectLayer[];
  readonly names: readonly Conjunction[];
}

export interface ObjectLayer {
  readonly properties: ReadonlyMap<string, Conjunction>;
  readonly patterns: ReadonlyMap<string, NamePattern>;
  /** Of members that neither names. */
  readonly additional: Conjunction;
}

/** Schemas of members whose names match. */
export interface NamePattern {
  readonly what: Conjunction;
  /** Undefined where that cannot be told. */
  readonly matches: (name: string) => boolean | undefined;
}

/** Reader of schemas as unions of shapes, and of their complements. */
export interface Reader {
  readonly shapesOf: (located: Located) => readonly Shape[];
  readonly complementOf: (located: Located) => readonly Shape[];
}

export const TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
export type Type = (typeof TYPES)[number];

const FREE: Common = { except: [], opaque: new Set() };

/** Every value of each type. */
export const TOPS: { readonly [Name in Type]: Extract<Shape, { type: Name }> } = {
  null: { ...FREE, type: "null", only: [null] },
  boolean: { ...FREE, type: "boolean", only: [false, true] },
  number: {
    ...FREE,
    type: "number",
    integer: false,
    min: { at: -Infinity, exclusive: false },
    max: { at: Infinity, exclusive: false },
    multiples: [],
  },
  string: { ...FREE, type: "string", minLength: 0, maxLength: Infinity, patterns: new Set(), formats: new Set() },
  array: { ...FREE, type: "array", minItems: 0, maxItems: Infinity, unique: false, layers: [], contains: [] },
  object: {
    ...FREE,
    type: "object",
    minProperties: 0,
    maxProperties: Infinity,
    required: new Set(),
    layers: [],
    names: [],
  },
};

export const ALL_SHAPES: readonly Shape[] = TYPES.map((type) => TOPS[type]);

export function typeOf(value: Json): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
}

/** Adds a constraint that only its text represents. */
export function withText(shapes: readonly Shape[], text: string): readonly Shape[] {
  return shapes.map((shape) => ({ ...shape, opaque: new Set([...shape.opaque, text]) }));
}

export function present(...names: readonly string[]): ObjectShape {
  return { ...TOPS.object, required: new Set(names) };
}

export function withoutMember(name: string): ObjectShape {
  return withMember(name, [NEVER], false);
}

/** Objects whose member of that name, where there is one, is such a value. */
export function withMember(name: string, what: Conjunction, isRequired: boolean): ObjectShape {
  const layer = { properties: new Map([[name, what]]), patterns: new Map(), additional: [] };
  return { ...TOPS.object, required: new Set(isRequired ? [name] : []), layers: [layer] };
}
