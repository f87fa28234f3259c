import type { Json } from "../../../../store/store.ts";
import type { ParameterSet, Tool, Version } from "../../../../versions/version.ts";
import type { Path } from "../../../edit/edit-json.ts";
import type { Field } from "../../directives/find-field.ts";
import type { KeyWord } from "../words/key-words.ts";
import type { Thesaurus } from "../words/thesaurus.ts";
import { STOP } from "../words/word-lists.ts";
import { toStem, toStems } from "../words/words.ts";

/** The kind of value that a place takes. Times are milliseconds, sizes bytes or megabytes, shares parts of one. */
export type Accepts =
  | {
      readonly kind: "number";
      readonly unit: "ms" | "s" | "days" | "bytes" | "MB" | "share" | "plain";
      readonly whole?: boolean;
    }
  | { readonly kind: "text" }
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly values: readonly Json[] }
  /** The member of a schema, of which only the type may be known. */
  | { readonly kind: "any" }
  | { readonly kind: "list"; readonly of: "value" | "capability" | "host" | "command" | "arm" | "syscall" };

export type Kind =
  | "tool"
  | "field"
  | "parameter"
  | "set"
  | "experiment"
  | "server"
  | "prompt"
  | "agent"
  | "role"
  | "policy"
  | "label"
  | "example"
  | "arm";

/** Something that has keys: a tool, a field of it, a parameter, a role ... */
export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  /** For sentences: "the parameter `chat.match_threshold`". */
  readonly label: string;
  readonly file: string;
  readonly at: Path;
  /** The names that it goes by, as stems. One of them has to be said, in whole or in part. */
  readonly names: readonly (readonly string[])[];
  /** Stems of what it belongs to, which may be said besides. */
  readonly owners: ReadonlySet<string>;
  /** Stems of its title and description, which weigh less. */
  readonly soft: ReadonlySet<string>;
  /** Stems of its own description, by which it may be named if need be. */
  readonly about?: ReadonlySet<string>;
  /** Words for its kind that fit it: `input`, `parameter`. */
  readonly nouns: ReadonlySet<string>;
  readonly tool?: Tool;
  readonly field?: Field;
  readonly set?: ParameterSet;
  readonly parameter?: string;
  readonly role?: string;
  readonly example?: number;
  /** The name of a prompt, or of what one asks for. */
  readonly prompt?: string;
  /** The values that it can have, which may fix it without its name. */
  readonly values: readonly Json[];
}

/** One key of a thing: what an edit changes. */
export interface Place {
  readonly thing: Thing;
  readonly key: KeyWord;
  readonly file: string;
  readonly at: Path;
  readonly accepts: Accepts;
  /** Absent: not set. */
  readonly now?: Json | undefined;
  /** True: it is meant where the message says no key. */
  readonly isUsual?: boolean;
}

export interface Places {
  readonly version: Version;
  readonly things: readonly Thing[];
  readonly placesOf: ReadonlyMap<Thing, readonly Place[]>;
  /** Places by their file and path: `manifests/a.yaml#input/properties/b`. */
  readonly named: ReadonlyMap<string, Place>;
  /** Things by the stems of their names and descriptions, and by their values. */
  readonly byStem: ReadonlyMap<string, readonly Thing[]>;
  /** In how many things' names each stem stands. */
  readonly frequency: ReadonlyMap<string, number>;
  /** Stems that things are named or described by, with the number of these things. */
  readonly vocabulary: ReadonlyMap<string, number>;
  /** What people say for words of these names. */
  readonly thesaurus: Thesaurus;
  /** Titles and descriptions as they are now, in lower case and without the mark at their end. */
  readonly texts: ReadonlySet<string>;
  /** Identifiers as they are written, in lower case. */
  readonly identifiers: ReadonlySet<string>;
  /** Capabilities that roles grant or tools require, with the stems of their words. */
  readonly capabilities: ReadonlyMap<string, readonly string[]>;
}

/** Kinds of values that many places take. */
export const TEXT: Accepts = { kind: "text" };
export const AMOUNT: Accepts = { kind: "number", unit: "plain" };
export const COUNT: Accepts = { kind: "number", unit: "plain", whole: true };
/** The limits of a call, with their units. */
const LIMITS = { time: "ms", cpu: "ms", memory: "MB", payload: "bytes" } as const;

/** A thing with its keys. */
export type Row = readonly [Thing, readonly Place[]];

/** A key of a thing, by its path from there. */
export function place(
  thing: Thing,
  key: KeyWord,
  at: readonly string[],
  accepts: Accepts,
  now: Json | undefined,
): Place {
  return { thing, key, file: thing.file, at: [...thing.at, ...at], accepts, now };
}

/** The limits of calls that a thing sets below `at`. */
export function limitPlaces(
  thing: Thing,
  at: readonly string[],
  limits: Readonly<Partial<Record<keyof typeof LIMITS, number>>>,
): readonly Place[] {
  return (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).map((key) =>
    place(thing, key, [...at, key], { kind: "number", unit: LIMITS[key], whole: true }, limits[key]),
  );
}

export function stemSet(...texts: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => (text === undefined ? [] : toStems(text))));
}

export function stemOf({ name, server }: Tool): string {
  return name.startsWith(`${server}.`) ? name.slice(server.length + 1) : name;
}

/** Stems without those of words that say nothing. */
export function withoutCommon(stems: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...stems].filter((stem) => stem.length > 2 && !COMMON.has(stem)));
}

const COMMON: ReadonlySet<string> = new Set([...STOP].map(toStem));
