import type { Ajv2020, ErrorObject, KeywordCxt } from "ajv/dist/2020.js";
import { resolveRef, SchemaEnv } from "ajv/dist/compile/index.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import type { Fuel } from "../../../json/fuel.ts";

/** References that one check follows before it begins to remember: most checks need no table. */
const REMEMBER_FROM = 2_000;
/** Errors of a part that are repeated where another reference leads to it. */
const MAX_REPEATED = 20;
const STEPS_PER_ERROR = 20;

/** The answers that references got about the parts of one value. */
export interface Memory {
  /** Makes room for the next value. */
  forget(): void;
  /** Makes `ajv` check each part of a value once against each schema that references lead to. */
  teach(ajv: Ajv2020): void;
}

/** A function as ajv compiles it, whose members tell of its last call. */
interface Validate extends Answer {
  (data: unknown, context: Context): boolean;
}

interface Context {
  readonly instancePath: string;
}

interface Answer {
  errors: readonly ErrorObject[] | null;
  /** The members and items that were looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
  evaluated: { readonly props?: unknown; readonly items?: unknown } | undefined;
}

/** An answer with what it is about: a table finds it by the object, or by the place of a part that is none. */
interface Remembered extends Answer {
  readonly data: unknown;
}

/**
 * Alternatives that refer back to the schema around them ask about each part of a value once for every way to it, and each
 * level of the value doubles the ways. Remembered, the answer is found once. An object that stands in a value several
 * times has its errors told at the first place.
 */
export function createMemory(fuel: Fuel): Memory {
  let followed = 0;
  let tables = new Map<Validate, Map<unknown, Remembered>>();
  const guards = new WeakMap<SchemaEnv, Validate>();

  /** The function that references to the schema `target` call instead of its own. */
  function createGuard(target: SchemaEnv): Validate {
    const guard: Validate = Object.assign(
      (data: unknown, context: Context) => {
        followed += 1;
        const table = followed > REMEMBER_FROM ? tableOf(guard) : undefined;
        const part = typeof data === "object" && data !== null ? data : context.instancePath;
        const known = table?.get(part);
        // The names of an object's members all have the object's place.
        if (known !== undefined && known.data === data) return tell(toCopy(known, MAX_REPEATED));
        const validate = target.validate as unknown as Validate;
        const isValid = validate(data, context);
        tell({ errors: isValid ? null : validate.errors, evaluated: validate.evaluated });
        fuel.spend(STEPS_PER_ERROR * (guard.errors?.length ?? 0));
        table?.set(part, { data, ...toCopy(guard) });
        return isValid;
      },
      { errors: null, evaluated: undefined },
    );
    return guard;

    function tell({ errors, evaluated }: Answer): boolean {
      guard.errors = errors;
      guard.evaluated = evaluated;
      return errors === null;
    }
  }

  function tableOf(guard: Validate): Map<unknown, Remembered> {
    let table = tables.get(guard);
    if (table === undefined) tables.set(guard, (table = new Map()));
    return table;
  }

  /** Compiles a reference to a call of its target's guard; `original` compiles those that lead to `true` or `false`. */
  function write(cxt: KeywordCxt, original: (cxt: KeywordCxt) => void): void {
    const { baseId, schemaEnv, self } = cxt.it;
    const { root } = schemaEnv;
    const isRoot = cxt.schema === "#" && baseId === root.baseId;
    const target = isRoot ? root : resolveRef.call(self, root, baseId, String(cxt.schema));
    if (!(target instanceof SchemaEnv)) return original(cxt);
    const guard = guards.get(target) ?? createGuard(target);
    guards.set(target, guard);
    callRef(cxt, cxt.gen.scopeValue("validate", { ref: guard }), target);
  }

  return {
    forget() {
      followed = 0;
      if (tables.size > 0) tables = new Map();
    },
    teach(ajv) {
      const original = ajv.getKeyword("$ref");
      if (typeof original !== "object" || !("code" in original)) throw new TypeError("Ajv has no `$ref`.");
      const code = (cxt: KeywordCxt) => write(cxt, original.code);
      ajv.removeKeyword("$ref").addKeyword({ keyword: "$ref", schemaType: "string", code });
    },
  };
}

/** Ajv adds to the answers that it gets, so each gets its own. */
function toCopy({ errors, evaluated }: Answer, most?: number): Answer {
  const props = evaluated?.props;
  const isTable = typeof props === "object" && props !== null;
  return {
    errors: errors?.slice(0, most) ?? null,
    evaluated: isTable ? { ...evaluated, props: { ...props } } : evaluated && { ...evaluated },
  };
}
