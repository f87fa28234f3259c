export type Units = "metric" | "imperial";

/** How Open-Meteo is asked for the units, and what it calls them in its answer (`mp/h` is not a slip). */
export const REQUESTED: Readonly<
  Record<Units, { readonly query: string; readonly answer: Readonly<Record<string, string>> }>
> = {
  metric: {
    query: "temperature_unit=celsius&wind_speed_unit=kmh&precipitation_unit=mm",
    answer: { temperature_2m: "°C", wind_speed_10m: "km/h", precipitation: "mm" },
  },
  imperial: {
    query: "temperature_unit=fahrenheit&wind_speed_unit=mph&precipitation_unit=inch",
    answer: { temperature_2m: "°F", wind_speed_10m: "mp/h", precipitation: "inch" },
  },
};

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
  const [temperature, wind, precipitation] = units === "metric" ? ["°C", "km/h", "mm"] : ["°F", "mph", "in"];
  return {
    temperature,
    apparent_temperature: temperature,
    relative_humidity: "%",
    precipitation,
    wind_speed: wind,
    wind_direction: "°",
    cloud_cover: "%",
  };
}
