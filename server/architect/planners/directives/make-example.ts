import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../store/store.ts";
import type { Example } from "../../../versions/version.ts";
import type { Field } from "./find-field.ts";

/** The server's own, which examples leave out. */
const OWN: ReadonlySet<unknown> = new Set(["conversation_id", "logs_uri"]);

/**
 * An example of a new value of an input: what an example of another value gives, as far as it is certain that this one has
 * the same form. Undefined where no call is known that could be made with it.
 */
export function makeExample({ tool, name, required }: Field, value: Json): Json | undefined {
  const good = tool.examples.filter(({ error, input }) => error === undefined && isObject(input));
  const sibling = good.find(({ input }) => isObject(input) && Object.hasOwn(input, name)) ?? good[0];
  const needed: readonly unknown[] = Array.isArray(tool.input["required"]) ? tool.input["required"] : [];
  if (sibling === undefined && needed.some((one) => one !== name)) return undefined;
  const input = { ...(isObject(sibling?.input) ? sibling.input : {}), [name]: value } as Json;
  const isOnly = required && needed.length === 1;
  return {
    description: isOnly ? `It can be ${String(value)}.` : `The ${name.replaceAll("_", " ")} can be ${String(value)}.`,
    input,
    matches: toSymbols(sibling, String(value)) ?? toForm(tool.output),
  };
}

/** Replaces the sign of the other example's unit by that of this one. */
function toSymbols(sibling: Example | undefined, unit: string): Json | undefined {
  return sibling?.matches === undefined ? undefined : translate(sibling.matches, unit);
}

function translate(schema: unknown, unit: string): Json | undefined {
  if (!isObject(schema)) return undefined;
  const symbol = findSymbol(unit, schema["const"]);
  if (symbol !== undefined) return { const: symbol };
  const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const kept = properties.flatMap(([name, inner]) => {
    const translated = translate(inner, unit);
    return translated === undefined ? [] : [[name, translated] as const];
  });
  if (kept.length === 0) return undefined;
  return { type: "object", required: kept.map(([name]) => name), properties: Object.fromEntries(kept) };
}

/** Returns the common form of every output. */
function toForm(output: Readonly<Record<string, unknown>>): Json {
  const required: readonly unknown[] = Array.isArray(output["required"]) ? output["required"] : [];
  const names = required.filter((name): name is string => typeof name === "string" && !OWN.has(name));
  return { type: "object", ...(names.length === 0 ? {} : { required: names }) };
}

interface Unit {
  readonly symbol: string;
  readonly measures: string;
}

const UNITS: Readonly<Record<string, Unit>> = {
  celsius: { symbol: "°C", measures: "temperature" },
  fahrenheit: { symbol: "°F", measures: "temperature" },
  kelvin: { symbol: "K", measures: "temperature" },
  rankine: { symbol: "°R", measures: "temperature" },
  kilometers_per_hour: { symbol: "km/h", measures: "speed" },
  kmh: { symbol: "km/h", measures: "speed" },
  meters_per_second: { symbol: "m/s", measures: "speed" },
  ms: { symbol: "m/s", measures: "speed" },
  miles_per_hour: { symbol: "mph", measures: "speed" },
  mph: { symbol: "mph", measures: "speed" },
  knots: { symbol: "kn", measures: "speed" },
  millimeters: { symbol: "mm", measures: "length" },
  centimeters: { symbol: "cm", measures: "length" },
  meters: { symbol: "m", measures: "length" },
  kilometers: { symbol: "km", measures: "length" },
  inches: { symbol: "in", measures: "length" },
  feet: { symbol: "ft", measures: "length" },
  miles: { symbol: "mi", measures: "length" },
  grams: { symbol: "g", measures: "mass" },
  kilograms: { symbol: "kg", measures: "mass" },
  pounds: { symbol: "lb", measures: "mass" },
};

/** The sign of a unit that has this name, where another sign measures the same: what stands for °F stands for K in kelvin. */
function findSymbol(name: string, instead: unknown): string | undefined {
  const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  const measures = Object.values(UNITS).find(({ symbol }) => symbol === instead)?.measures;
  return unit !== undefined && unit.measures === measures ? unit.symbol : undefined;
}
