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
export function findSymbol(name: string, instead: unknown): string | undefined {
  const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  const measures = Object.values(UNITS).find(({ symbol }) => symbol === instead)?.measures;
  return unit !== undefined && unit.measures === measures ? unit.symbol : undefined;
}
