import type { Field } from "../../directives/find-field.ts";
import type { Clause } from "../clause.ts";
import type { Signs } from "./signs.ts";

/** Words of a message that speaks of what a tool answers. */
const BACK =
  /\b(?:answers?|respon[ds]\w*|returns?|returned|returning|replie[sd]|reply|results?|outputs?|comes? back|came back|(?:gives?|hands?|sends?) back|spits? out|promises|declares|lists|Antwort\w*|Ergebnis\w*|Rückgabe|liefert|respuestas?|devuelve\w*|resultados?|réponses?|renvoi\w*|résultats?)\b|返回|结果|响应/i;
/** Words for a field that nothing comes of, in a message and in a description. */
const EMPTY =
  /\b(?:empty|blank|never|nothing in it|nobody|no one|unused|useless|dead|obsolete|outdated|leftover|left over|relic|legacy|old|leer|nie|nichts|niemand|alt\w*|vac[ií][oa]|nunca|nadie|vide|jamais|personne|ancien\w*)\b|没有用|空|从不|从来没有/i;
const IDLE = /\b(?:never|nobody|no one|hardly|not there yet|always empty|without effect|left over|old|before \d{4})\b/i;

/** How a message fits the side that a field is on, and the use that its description tells of. */
export function toSideSigns({ text }: Clause, { side, schema }: Field): Signs {
  const isBack = BACK.test(text);
  return {
    ...(isBack ? { back: side === "output" ? 1 : -0.4 } : {}),
    ...(EMPTY.test(text) && IDLE.test(String(schema["description"] ?? "")) ? { dead: 1 } : {}),
  };
}
