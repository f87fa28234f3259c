import { isObject } from "../../json/is-object.ts";
import type { Reader } from "./complement.ts";
import { type Evaluated, join, listAlways, NONE, toOwn } from "./evaluated.ts";
import { toNamePattern } from "./facets.ts";
import { intersect } from "./intersect.ts";
import { ANYTHING, locate, type Located } from "./located.ts";
import { ALL_SHAPES, type Shape, TOPS } from "./shape.ts";
import { meet, SHAPE_LIMIT, unite } from "./unite.ts";

/** References followed, and lists nested, to find what is evaluated. */
const DEPTH_LIMIT = 8;
/** Alternatives of one `anyOf`, each of which may hold or not, and cases in all. */
const ALTERNATIVE_LIMIT = 4;
const CASE_LIMIT = 32;
/** Keywords whose evaluated members are not told apart; the validator counts some of them in a way of its own. */
const UNKNOWN = ["$dynamicRef", "if", "dependentSchemas"];

/** Values for which a schema evaluates these members. */
interface Case {
  readonly shapes: readonly Shape[];
  readonly evaluated: Evaluated;
}

/** Converts `unevaluatedProperties` beside alternatives: for each way to meet them, what members are left. */
export function toUnevaluated(located: Located, reader: Reader): readonly Shape[] | undefined {
  const { schema, root } = located;
  if (!isObject(schema)) return undefined;
  const left = [locate(schema["unevaluatedProperties"], root)];
  const cases = listCases(located, reader, 0)?.map(({ shapes: own, evaluated }) => {
    const { names, patterns, hasAllMembers } = evaluated;
    const layer = {
      properties: new Map(names.map((name) => [name, ANYTHING])),
      patterns: new Map(patterns.map((pattern) => [pattern, toNamePattern(pattern, ANYTHING, root)])),
      additional: hasAllMembers ? ANYTHING : left,
    };
    const rest: Shape = { ...TOPS.object, layers: [layer] };
    const all = ALL_SHAPES.map((shape) => (shape.type === "object" ? rest : shape));
    return meet(own, all, intersect);
  });
  if (cases?.every((shapes) => shapes !== undefined) !== true) return undefined;
  const union = unite(cases.flat());
  return union.length > SHAPE_LIMIT ? undefined : union;
}

/** Lists cases that together are all values that meet the schema; undefined where they cannot be told apart. */
function listCases(located: Located, reader: Reader, depth: number): readonly Case[] | undefined {
  const { schema, root } = located;
  if (typeof schema === "boolean") return [{ shapes: ALL_SHAPES, evaluated: NONE }];
  if (depth > DEPTH_LIMIT || UNKNOWN.some((keyword) => keyword in schema)) return undefined;
  const at = (list: unknown) => (Array.isArray(list) ? list.map((inner) => locate(inner, root)) : undefined);
  const always = listAlways(schema, located)?.map((other) => listCases(other, reader, depth + 1));
  if (always === undefined) return undefined;
  const factors = [...always, listUnions(at(schema["anyOf"]), false), listUnions(at(schema["oneOf"]), true)];
  const start: readonly Case[] = [{ shapes: ALL_SHAPES, evaluated: toOwn(schema, depth) }];
  return factors.reduce<readonly Case[] | undefined>(combine, start);

  function listUnions(branches: readonly Located[] | undefined, isOne: boolean): readonly Case[] | undefined {
    if (branches === undefined) return [{ shapes: ALL_SHAPES, evaluated: NONE }];
    const each = branches.map((branch) => listCases(branch, reader, depth + 1));
    const [first] = each.flatMap((cases) => cases ?? []);
    const isSame = each.every((cases) => cases?.every(({ evaluated }) => isEqual(evaluated, first?.evaluated)));
    if (isSame && first !== undefined) return [{ shapes: ALL_SHAPES, evaluated: first.evaluated }];
    if (branches.length > ALTERNATIVE_LIMIT) return undefined;
    const cases: Case[] = [];
    for (let set = 1; set < 1 << branches.length; set++) {
      if (isOne && (set & (set - 1)) !== 0) continue;
      const chosen = branches.map((branch, index) => {
        if ((set >> index) % 2 === 0) return [{ shapes: reader.complementOf(branch), evaluated: NONE }];
        return combine(each[index], [{ shapes: reader.shapesOf(branch), evaluated: NONE }]);
      });
      const own = chosen.reduce(combine);
      if (own === undefined) return undefined;
      cases.push(...own);
    }
    return cases.length > CASE_LIMIT ? undefined : cases;
  }
}

function combine(one: readonly Case[] | undefined, other: readonly Case[] | undefined): readonly Case[] | undefined {
  const cases = one?.flatMap((each) =>
    (other ?? []).map(({ shapes, evaluated }) => {
      const both = meet(each.shapes, shapes, intersect);
      return both && { shapes: both, evaluated: join(each.evaluated, evaluated) };
    }),
  );
  if (other === undefined || cases === undefined || cases.length > CASE_LIMIT) return undefined;
  return cases.every((each) => each !== undefined) ? cases.filter(({ shapes }) => shapes.length > 0) : undefined;
}

function isEqual(one: Evaluated, other: Evaluated | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
