import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { boundAt } from "../words/bounds.ts";
import { UNITS } from "../words/units.ts";

/** The keys of what is bounded, from the name of a change of one of them. */
const OF_FIELD = /^(\S+#\S+)\/(?:default|minimum|maximum|minItems|maxItems|minLength|maxLength)=(-?[\d.]+)$/;

/**
 * Makes a check whether a clause says a bound that the changes of some names neither set nor leave as it is: "photos: at least one, and
 * 4 unless told otherwise".
 */
export function toLeavesBounds(clause: Clause, { named }: Places): (parts: readonly string[]) => boolean {
  const bounds = clause.amounts.flatMap(({ value, unit, role, tokens }) => {
    const isPlain = unit === undefined || UNITS[unit]?.of === "plain";
    const side = isPlain && role === "to" ? boundAt(clause.tokens, tokens[0] ?? 0, tokens.at(-1) ?? 0) : undefined;
    return side === undefined ? [] : [{ value, side }];
  });
  return (parts) => {
    const set = parts.flatMap((part) => {
      const [, field = "", value] = OF_FIELD.exec(part) ?? [];
      return value === undefined ? [] : [{ field, value: Number(value) }];
    });
    if (set.length < parts.length) return false;
    const isSo = ({ value, side }: (typeof bounds)[number]) =>
      set.some(({ field }) => ENDS.some((end) => named.get(`${field}/${side}${end}`)?.now === value));
    return bounds.some((bound) => !set.some(({ value }) => value === bound.value) && !isSo(bound));
  };
}

const ENDS = ["imum", "Items", "Length"] as const;
