import type { Json } from "../../../../../store/store.ts";
import type { ParameterSet } from "../../../../../versions/version.ts";
import { UNUSED } from "../../../directives/knows-value.ts";
import type { Clause } from "../../clause.ts";
import type { Places, Thing } from "../../places/places.ts";
import type { Guess } from "../guess-value.ts";
import type { Mood } from "../mood.ts";
import { findWritten, isTyped, NEEDED, type NewField } from "./new-field.ts";

/** Another parameter of a set, where a message gives its name, its type, and its bounds or its values. */
export function guessNewParameters(clause: Clause, { set }: Thing, mood: Mood, places: Places): readonly Guess[] {
  const isAdded = mood.isField || mood.isNew || NEEDED.test(clause.text);
  if (set === undefined || !isAdded) return [];
  const found = findWritten(clause, new Set(set.parameters.keys()), places, isAdded);
  return found.flatMap(({ name, schema, words, at }) => {
    const parameter = toParameter(schema);
    if (parameter === undefined || at === undefined || !isTyped(clause, at)) return [];
    return [
      {
        name: `add ${name} to set ${set.name}`,
        signs: { addField: 1, defined: 1, marked: 1, ...(mood.isNew ? { verb: 1 } : { noVerb: 1 }) },
        words: [...words, ...(clause.actions.get("add") ?? []), ...clause.nouns.keys()],
        core: [at],
        deed: addParameter(set, name, parameter),
      },
    ];
  });
}

/** The schema of a field as a parameter, which has to have a default, and bounds or values; undefined where one is missing. */
function toParameter(schema: NewField["schema"]): Readonly<Record<string, Json>> | undefined {
  const { type, minimum: min, maximum: max, default: usual } = schema;
  if (usual === undefined) return undefined;
  if (type === "boolean") return { type: "categorical", values: [false, true], default: usual };
  const values = schema["enum"];
  if (values !== undefined) return { type: "categorical", values, default: usual };
  const isNumber = type === "integer" || type === "number";
  if (!isNumber || min === undefined || max === undefined) return undefined;
  return { type: type === "integer" ? "int" : "float", min, max, default: usual };
}

function addParameter(
  { file, name: set }: ParameterSet,
  name: string,
  parameter: Readonly<Record<string, Json>>,
): Guess["deed"] {
  return async (bench) => {
    await bench.set(file, ["parameters", name], { ...parameter });
    bench.say(`There is a parameter \`${set}.${name}\`${UNUSED}`);
    bench.need("minor");
  };
}
