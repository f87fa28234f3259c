import { type Ajv2020, type KeywordCxt, Name } from "ajv/dist/2020.js";
import { mergeEvaluated } from "ajv/dist/compile/util.js";

const BEFORE = "x-before-patterns";
const AFTER = "x-after-patterns";

/** Keywords that a schema with `patternProperties` needs for `addPatternNotes`. */
export const PATTERN_NOTES: Readonly<Record<string, unknown>> = Object.freeze({ [BEFORE]: true, [AFTER]: true });

/**
 * Ajv 8 notes the members that patterns match in what alternatives have noted before; after one that fails, or that
 * allows all members, that is no object, and checking a value throws. So patterns get an object of their own, and what was
 * known before joins it behind them.
 */
export function addPatternNotes(ajv: Ajv2020): void {
  const known = new WeakMap<KeywordCxt["it"], Name>();
  ajv.addKeyword({
    keyword: BEFORE,
    type: "object",
    before: "patternProperties",
    code({ it }) {
      if (!(it.props instanceof Name)) return;
      known.set(it, it.props);
      it.props = {};
    },
  });
  ajv.addKeyword({
    keyword: AFTER,
    type: "object",
    before: "unevaluatedProperties",
    code({ it, gen }) {
      const props = known.get(it);
      if (props !== undefined && it.props instanceof Name) it.props = mergeEvaluated.props(gen, props, it.props, Name);
    },
  });
}
