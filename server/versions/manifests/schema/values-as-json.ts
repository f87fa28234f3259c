import { _, type Ajv2020, type KeywordCxt } from "ajv/dist/2020.js";
import { canonicalJson } from "../../../json/canonical-json.ts";

/**
 * Lets `const` and `enum` compare lists and objects as JSON. Ajv's own comparison asks the values themselves, so that a
 * caller's object with a member `toString` would end a call with a TypeError, and one with `constructor` is like no other.
 */
export function compareValuesAsJson(ajv: Ajv2020): void {
  for (const keyword of ["const", "enum"]) {
    const definition = ajv.getKeyword(keyword);
    if (typeof definition !== "object" || !("code" in definition)) continue;
    const { code } = definition;
    ajv.removeKeyword(keyword).addKeyword({
      ...definition,
      code: (context: KeywordCxt, ruleType?: string) => {
        const values: readonly unknown[] = keyword === "const" ? [context.schema] : (context.schema as unknown[]);
        if (!values.some((value) => typeof value === "object" && value !== null)) return code(context, ruleType);
        const texts = new Set(values.map((value) => canonicalJson(value)));
        const isAmong = context.gen.scopeValue("func", { ref: (data: unknown) => texts.has(canonicalJson(data)) });
        context.fail(_`!${isAmong}(${context.data})`);
      },
    });
  }
}
