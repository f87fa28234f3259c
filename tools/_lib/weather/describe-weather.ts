import { MONTHS, WEEKDAYS } from "../time/calendar.ts";
import { toOffsetName } from "../time/to-rfc3339.ts";
import { toConditionsPhrase } from "./conditions.ts";
import type { Place } from "./find-place.ts";
import type { Observation } from "./observe.ts";
import type { UnitNames } from "./units.ts";

export type Kind = "current" | "forecast" | "history";

const POINTS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const VERBS = {
  current: { be: "it is", feel: "it feels" },
  forecast: { be: "it will be", feel: "it will feel" },
  history: { be: "it was", feel: "it felt" },
} as const;

/** Detail of a summary; the parameter set `weather` holds the value. */
export type Detail = "full" | "brief";

/** One sentence that says it all, for people and for models; a brief one leaves what few ask for to the numbers. */
export function describeWeather(
  kind: Kind,
  place: Place,
  seen: Observation,
  units: UnitNames,
  detail: Detail = "full",
): string {
  const { be, feel } = VERBS[kind];
  const when = kind === "current" ? "" : ` on ${toDateWords(seen)}`;
  const rain = seen.precipitation > 0 ? `, ${seen.precipitation} ${units.precipitation} of precipitation` : "";
  const start = `In ${toPlaceName(place)}${when} ${be} ${seen.temperature} ${units.temperature} ${toConditionsPhrase(seen.weather_code)}`;
  if (detail === "brief") return `${start}${rain}, with a wind of ${seen.wind_speed} ${units.wind_speed}.`;
  return (
    `${start}; ` +
    `${feel} like ${seen.apparent_temperature} ${units.apparent_temperature}, with a wind of ${seen.wind_speed} ${units.wind_speed} ` +
    `from the ${toCompassPoint(seen.wind_direction)}${rain} and ${seen.relative_humidity} % humidity.`
  );
}

/** Degrees clockwise from north, as one of eight directions. */
export function toCompassPoint(degrees: number): string {
  const index = ((Math.round(degrees / 45) % 8) + 8) % 8;
  return POINTS[index] ?? "north";
}

function toPlaceName({ name, region, country }: Place): string {
  return [name, region === name ? undefined : region, country === name ? undefined : country]
    .filter((part) => part !== undefined)
    .join(", ");
}

function toDateWords({ instant, offset }: Observation): string {
  const local = new Date(instant + offset * 60_000);
  const time = local.toISOString().slice(11, 16);
  const date = `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}`;
  return `${WEEKDAYS[local.getUTCDay()]} ${date} at ${time} (UTC${offset === 0 ? "" : toOffsetName(offset)})`;
}
