import type { Context } from "../../../server/host-api.ts";
import { fetchJson, isObject, type JsonObject } from "./fetch-json.ts";
import type { Place } from "./find-place.ts";
import { outOfRange, toDates, type When } from "./read-when.ts";
import { toRequestedUnits, type Units } from "./units.ts";

/** The weather at one place in one hour, or now. */
export interface Observation {
  /** Milliseconds since 1970: the start of the hour, or of the quarter of an hour that is now. */
  readonly instant: number;
  /** Minutes east of UTC on the place's clocks today, which is what Open-Meteo goes by for every date. */
  readonly offset: number;
  readonly timezone: string;
  readonly temperature: number;
  readonly apparent_temperature: number;
  readonly relative_humidity: number;
  readonly precipitation: number;
  readonly wind_speed: number;
  readonly wind_direction: number;
  readonly cloud_cover: number;
  readonly weather_code: number;
}

const FIELDS = {
  temperature: "temperature_2m",
  apparent_temperature: "apparent_temperature",
  relative_humidity: "relative_humidity_2m",
  precipitation: "precipitation",
  wind_speed: "wind_speed_10m",
  wind_direction: "wind_direction_10m",
  cloud_cover: "cloud_cover",
  weather_code: "weather_code",
} as const;

const SERVICES = {
  current: { name: "Open-Meteo's forecast service", url: "https://api.open-meteo.com/v1/forecast" },
  forecast: { name: "Open-Meteo's forecast service", url: "https://api.open-meteo.com/v1/forecast" },
  archive: { name: "Open-Meteo's archive", url: "https://archive-api.open-meteo.com/v1/archive" },
} as const;

const HOUR_SECONDS = 3600;

/** Asks Open-Meteo for the weather at `place` when `when` says, in `units`. */
export async function observe(ctx: Context, place: Place, when: When, units: Units): Promise<Observation> {
  const { name, url } = SERVICES[when.service];
  const requested = toRequestedUnits(units);
  const variables = Object.values(FIELDS).join(",");
  const query = [
    `latitude=${place.latitude}&longitude=${place.longitude}`,
    "timezone=auto&timeformat=unixtime",
    requested.query,
    when.service === "current" ? `current=${variables}` : `hourly=${variables}&${toRange(toDates(ctx, when))}`,
  ].join("&");
  const body = await fetchJson(ctx, name, `${url}?${query}`);

  const section = when.service === "current" ? "current" : "hourly";
  checkUnits(ctx, name, body[`${section}_units`], requested.answer);
  const { utc_offset_seconds: offset, timezone, [section]: data } = body;
  if (typeof offset !== "number" || typeof timezone !== "string" || !isObject(data)) {
    throw ctx.fail(
      "UPSTREAM_ERROR",
      `${name} answered without \`utc_offset_seconds\`, \`timezone\` or \`${section}\`.`,
    );
  }
  const { time, values } =
    when.service === "current" ? readNow(ctx, name, data) : readHour(ctx, name, data, when.instant);
  return {
    instant: time * 1000,
    offset: Math.round(offset / 60),
    timezone,
    ...values,
    temperature: requested.toTemperature(values.temperature),
    apparent_temperature: requested.toTemperature(values.apparent_temperature),
  };
}

type Values = Record<keyof typeof FIELDS, number>;

function toRange([first, last]: readonly [string, string]): string {
  return `start_date=${first}&end_date=${last}`;
}

function readNow(ctx: Context, service: string, data: JsonObject): { time: number; values: Values } {
  const { time } = data;
  if (typeof time !== "number") throw ctx.fail("UPSTREAM_ERROR", `${service} answered without a time.`);
  return { time, values: readValues(ctx, service, (field) => data[field]) };
}

function readHour(ctx: Context, service: string, data: JsonObject, instant: number): { time: number; values: Values } {
  const { time: times } = data;
  if (!Array.isArray(times)) throw ctx.fail("UPSTREAM_ERROR", `${service} answered without times.`);
  const seconds = instant / 1000;
  const index = times.findIndex(
    (start) => typeof start === "number" && start <= seconds && seconds < start + HOUR_SECONDS,
  );
  if (index < 0) throw outOfRange(ctx);
  const values = readValues(ctx, service, (field) => {
    const column = data[field];
    return Array.isArray(column) ? column[index] : undefined;
  });
  return { time: Number(times[index]), values };
}

function readValues(ctx: Context, service: string, read: (field: string) => unknown): Values {
  const entries = Object.entries(FIELDS).map(([key, field]) => {
    const value = read(field);
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw ctx.fail("UPSTREAM_ERROR", `${service} has no \`${field}\` for this place and time.`);
    }
    return [key, value];
  });
  return Object.fromEntries(entries) as Values;
}

/** A number in another unit than the one that was asked for would be a plausible lie. */
function checkUnits(ctx: Context, service: string, given: unknown, wanted: Readonly<Record<string, string>>): void {
  for (const [field, unit] of Object.entries(wanted)) {
    if (!isObject(given) || given[field] !== unit) {
      throw ctx.fail(
        "UPSTREAM_ERROR",
        `${service} did not answer in the units it was asked for (\`${field}\` in ${unit}).`,
      );
    }
  }
}
