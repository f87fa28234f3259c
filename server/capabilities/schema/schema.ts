import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { LRUCache } from "lru-cache";
import { canonicalJson } from "../../json/canonical-json.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../store/store.ts";
import { checkSchema } from "../../versions/manifests/schema/check-schema.ts";
import { compileSchema } from "../../versions/manifests/schema/compile-schema.ts";
import { countParts } from "../../versions/manifests/schema/count-parts.ts";
import { explainErrors, toViolation } from "../../versions/manifests/schema/explain-errors.ts";
import { addOlderDrafts, metaSchemaOf } from "../../versions/manifests/schema/meta-schemas.ts";
import { toPointer } from "../../json/pointer.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";
import type { Check } from "../../json/types.ts";
import type { Violation } from "../../json/types.ts";

/** Characters of one schema, and of all that are kept compiled. */
const MAX_SCHEMA = 65_536;
const MAX_KEPT = 2 ** 20;
/** Parts of the schema times parts of the value: so long takes a check that compares each with each. */
const MAX_WORK = 10_000_000;
const MAX_TOLD = 20;

const problemsArguments = createMemberCheck<{ schema: Json }>("schema.problems", ["schema"], { schema: {} });
const checkArguments = createMemberCheck<{ schema: Json; value: Json }>("schema.check", ["schema", "value"], {
  schema: {},
  value: {},
});

/** Result of reading a schema: a check, or the faults that prevent one. */
type Read = { readonly check: Check; readonly parts: number } | { readonly problems: readonly Violation[] };

/**
 * `ctx.schema`: schemas that come in at run time, under the rules for those of manifests, which bound what it costs to
 * compile them and to check a value, patterns and references included.
 */
export function createSchemaSyscalls() {
  const kept = new LRUCache<string, Read>({ maxSize: MAX_KEPT, sizeCalculation: (_, text) => text.length + 1 });
  const findFormErrors = createFormCheck();

  function read(schema: Json): Read {
    const text = canonicalJson(schema);
    if (text.length > MAX_SCHEMA) return refuse(`the schema has ${text.length} characters; its limit is ${MAX_SCHEMA}`);
    let known = kept.get(text);
    if (known === undefined) kept.set(text, (known = compile(schema)));
    return known;
  }

  function compile(schema: Json): Read {
    if (!isObject(schema)) return refuse("the schema must be an object");
    const wrong = findFormErrors(schema);
    if (wrong.length > 0) return { problems: wrong.slice(0, MAX_TOLD) };
    const findings = checkSchema(schema);
    if (findings.length > 0) {
      const told = findings.map(({ path, message, fix }) => ({ path: toPointer(path), message: `${message} ${fix}` }));
      return { problems: told.slice(0, MAX_TOLD) };
    }
    try {
      return { check: compileSchema(schema), parts: countParts(schema) };
    } catch (error) {
      return refuse(`the schema does not compile: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return defineSyscalls({
    "schema.problems"(_, args) {
      const found = read(problemsArguments(args).schema);
      return "problems" in found ? found.problems.map(toJson) : [];
    },
    "schema.check"(_, args) {
      const { schema, value } = checkArguments(args);
      const found = read(schema);
      if ("problems" in found) {
        const [first] = found.problems;
        throw new CairnError("BAD_REQUEST", `\`ctx.schema.check\`: the schema cannot be used: ${first?.message}.`);
      }
      // Refuses what nests deeper than anything here could walk through.
      canonicalJson(value);
      if (countParts(value) * found.parts > MAX_WORK) {
        throw new CairnError("BAD_REQUEST", "`ctx.schema.check`: schema and value are too large together.");
      }
      return found.check(value).map(toJson);
    },
  });
}

/** Creates the check of a schema's form against the meta-schema. */
function createFormCheck(): (schema: object) => readonly Violation[] {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    if (ajv === undefined) {
      ajv = new Ajv2020({ allErrors: false, logger: false, ownProperties: true, verbose: true });
      addFormats.default(ajv);
      addOlderDrafts(ajv);
    }
    const validate = ajv.getSchema(metaSchemaOf(schema));
    if (validate === undefined) throw new TypeError("Ajv has lost its meta-schema.");
    return validate(schema) === true ? [] : explainErrors(validate.errors ?? [], {}).map(toViolation);
  };
}

function refuse(message: string): Read {
  return { problems: [{ path: "", message }] };
}

function toJson({ path, message }: Violation): Json {
  return { path, message };
}
