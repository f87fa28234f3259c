/** A unit of temperature, made from one that Open-Meteo answers in. */
interface Temperature {
  /** Unit in the request to Open-Meteo from which this one is made. */
  readonly asked: "celsius" | "fahrenheit";
  readonly symbol: string;
  /** Absent: it is what Open-Meteo answers. */
  readonly from?: (value: number) => number;
}

/** Every unit that this code can give temperatures in. */
const TEMPERATURES = {
  celsius: { asked: "celsius", symbol: "°C" },
  fahrenheit: { asked: "fahrenheit", symbol: "°F" },
  kelvin: { asked: "celsius", symbol: "K", from: (celsius) => celsius + 273.15 },
  rankine: { asked: "fahrenheit", symbol: "°R", from: (fahrenheit) => fahrenheit + 459.67 },
} as const satisfies Readonly<Record<string, Temperature>>;

/** Quantities with the units that belong together. */
const SYSTEMS = {
  metric: { temperature: "celsius", wind: "kmh", precipitation: "mm" },
  imperial: { temperature: "fahrenheit", wind: "mph", precipitation: "inch" },
} as const;

const SYMBOLS = { kmh: "km/h", mph: "mph", mm: "mm", inch: "in" } as const;
/** Names of the units in Open-Meteo's answer (`mp/h` is correct). */
const ANSWERED: Readonly<Record<string, string>> = {
  celsius: "°C",
  fahrenheit: "°F",
  kmh: "km/h",
  mph: "mp/h",
  mm: "mm",
  inch: "inch",
};

/** A system of units, or a unit of temperature beside what goes with it; manifests say which of them callers may choose. */
export type Units = keyof typeof SYSTEMS | keyof typeof TEMPERATURES;

export interface RequestedUnits {
  /** Unit in the request to Open-Meteo, and its name in the answer. */
  readonly query: string;
  readonly answer: Readonly<Record<string, string>>;
  /** A temperature of its answer in the unit that was wanted. */
  readonly toTemperature: (value: number) => number;
}

export function toRequestedUnits(units: Units): RequestedUnits {
  const { temperature, wind, precipitation } = toSystem(units);
  const { asked, from }: Temperature = TEMPERATURES[temperature];
  return {
    query: `temperature_unit=${asked}&wind_speed_unit=${wind}&precipitation_unit=${precipitation}`,
    answer: {
      temperature_2m: ANSWERED[asked] ?? "",
      wind_speed_10m: ANSWERED[wind] ?? "",
      precipitation: ANSWERED[precipitation] ?? "",
    },
    // Sums of decimal fractions have more digits than were measured.
    toTemperature: (value) => (from === undefined ? value : Math.round(from(value) * 100) / 100),
  };
}

export interface UnitNames {
  readonly temperature: string;
  readonly apparent_temperature: string;
  readonly relative_humidity: string;
  readonly precipitation: string;
  readonly wind_speed: string;
  readonly wind_direction: string;
  readonly cloud_cover: string;
}

export function toUnitNames(units: Units): UnitNames {
  const { temperature, wind, precipitation } = toSystem(units);
  const { symbol } = TEMPERATURES[temperature];
  return {
    temperature: symbol,
    apparent_temperature: symbol,
    relative_humidity: "%",
    precipitation: SYMBOLS[precipitation],
    wind_speed: SYMBOLS[wind],
    wind_direction: "°",
    cloud_cover: "%",
  };
}

function toSystem(units: Units) {
  if (units === "metric" || units === "imperial") return SYSTEMS[units];
  return { ...SYSTEMS[TEMPERATURES[units].asked === "celsius" ? "metric" : "imperial"], temperature: units };
}
