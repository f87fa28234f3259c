import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { findTimezone, searchCities } from "./open-meteo-places.ts";

/** What can go wrong with the real services, on demand. */
export type Misbehaviour =
  | "bad-request"
  | "rate-limit"
  | "server-error"
  | "html"
  | "truncated"
  | "slow"
  | "reset"
  | "nulls"
  | "no-data"
  | "other-units";

export interface OpenMeteo {
  /** `http://127.0.0.1:<port>`; it serves the paths of all three hosts. */
  readonly url: string;
  /** What was asked for, oldest first. */
  readonly requests: readonly URL[];
  /** From now on requests whose path starts with `path` go wrong; `undefined` makes all well again. */
  misbehave(how: Misbehaviour | undefined, path?: string): void;
  close(): Promise<void>;
}

const DAY = 86_400;
const UNITS: Readonly<Record<string, readonly [parameter: string, Readonly<Record<string, string>>]>> = {
  temperature_2m: ["temperature_unit", { celsius: "°C", fahrenheit: "°F" }],
  apparent_temperature: ["temperature_unit", { celsius: "°C", fahrenheit: "°F" }],
  wind_speed_10m: ["wind_speed_unit", { kmh: "km/h", ms: "m/s", mph: "mp/h", kn: "kn" }],
  precipitation: ["precipitation_unit", { mm: "mm", inch: "inch" }],
  relative_humidity_2m: ["", { "": "%" }],
  cloud_cover: ["", { "": "%" }],
  wind_direction_10m: ["", { "": "°" }],
  weather_code: ["", { "": "wmo code" }],
};
const DEFAULT_UNITS: Readonly<Record<string, string>> = {
  temperature_unit: "celsius",
  wind_speed_unit: "kmh",
  precipitation_unit: "mm",
  "": "",
};
const [RAIN, SNOW] = [61, 71];
const CODES = [0, 1, 2, 3, 45, 51, RAIN, 63, SNOW, 80, 95];

/** Speaks Open-Meteo's geocoding, forecast and archive interfaces; the weather is made up from place and hour, always alike. */
export async function startOpenMeteo(now: () => number = Date.now): Promise<OpenMeteo> {
  const requests: URL[] = [];
  let fault: { how: Misbehaviour; path: string } | undefined;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://open-meteo.test");
    requests.push(url);
    const how = fault && url.pathname.startsWith(fault.path) ? fault.how : undefined;
    if (how && failOutright(response, how)) return;
    const [status, body] = answer(url, Math.floor(now() / 1000), how);
    const text = JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(how === "truncated" ? text.slice(0, text.length / 2) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    misbehave(how, path = "/") {
      fault = how && { how, path };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function failOutright(response: ServerResponse, how: Misbehaviour): boolean {
  const json = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
  switch (how) {
    case "bad-request":
      json(400, { error: true, reason: "Latitude must be in range of -90 to 90°. Given: 91.0." });
      return true;
    case "rate-limit":
      json(429, { error: true, reason: "Minutely API request limit exceeded. Please try again in one minute." });
      return true;
    case "server-error":
      response.writeHead(502, { "content-type": "text/html" }).end("<html><h1>502 Bad Gateway</h1></html>");
      return true;
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in to the hotel's network</html>");
      return true;
    case "slow":
      // Never answers: whoever asked has to lose patience.
      return true;
    case "reset":
      response.socket?.resetAndDestroy();
      return true;
    default:
      return false;
  }
}

function answer(url: URL, now: number, how: Misbehaviour | undefined): [status: number, body: object] {
  if (url.pathname === "/v1/search") return [200, search(url.searchParams)];
  if (url.pathname === "/v1/forecast") return weather(url.searchParams, now, [-93, 15], how);
  if (url.pathname === "/v1/archive")
    return weather(url.searchParams, now, [Date.UTC(1940, 0, 1) / 1000 / DAY - Math.floor(now / DAY), 0], how);
  return [404, { error: true, reason: "Not Found" }];
}

function search(query: URLSearchParams): object {
  const found = searchCities(query.get("name") ?? "").slice(0, Number(query.get("count") ?? 10));
  const results = found.map(({ code, ...city }, index) => ({ id: 1_000 + index, ...city, country_code: code }));
  return { ...(results.length === 0 ? {} : { results }), generationtime_ms: 0.5 };
}

function weather(
  query: URLSearchParams,
  now: number,
  [daysBack, daysAhead]: readonly [number, number],
  how: Misbehaviour | undefined,
): [number, object] {
  const [latitude, longitude] = [Number(query.get("latitude")), Number(query.get("longitude"))];
  if (!(Math.abs(latitude) <= 90)) return refuse(`Latitude must be in range of -90 to 90°. Given: ${latitude}.`);
  const timezone = query.get("timezone") === "auto" ? findTimezone(latitude, longitude) : "GMT";
  const offset = toOffsetSeconds(timezone, now);
  const head = { latitude, longitude, generationtime_ms: 0.1, utc_offset_seconds: offset, timezone, elevation: 38 };
  const at = (field: string, time: number) =>
    how === "nulls" ? null : toValue(field, latitude, longitude, time, query);

  const current = query.get("current")?.split(",");
  if (current) {
    const time = now - (now % 900);
    const values = Object.fromEntries(current.map((field) => [field, at(field, time)]));
    const units = { time: "unixtime", interval: "seconds", ...toUnits(current, query, how) };
    return [
      200,
      { ...head, ...(how === "no-data" ? {} : { current_units: units, current: { time, interval: 900, ...values } }) },
    ];
  }

  const today = Math.floor(now / DAY);
  const days = ["start_date", "end_date"].map((name) => ({
    name,
    day: Date.parse(query.get(name) ?? "") / 1000 / DAY,
  }));
  for (const { name, day } of days) {
    if (!(day >= today + daysBack && day <= today + daysAhead)) {
      return refuse(
        `Parameter '${name}' is out of allowed range from ${toDate(today + daysBack)} to ${toDate(today + daysAhead)}`,
      );
    }
  }
  const [first = 0, last = 0] = days.map(({ day }) => day);
  const time = Array.from({ length: (last - first + 1) * 24 }, (_, hour) => first * DAY + hour * 3600 - offset);
  const hourly = (query.get("hourly") ?? "").split(",");
  const columns = Object.fromEntries(hourly.map((field) => [field, time.map((second) => at(field, second))]));
  const hourly_units = { time: "unixtime", ...toUnits(hourly, query, how) };
  return [200, { ...head, hourly_units, hourly: how === "no-data" ? { time } : { time, ...columns } }];
}

function refuse(reason: string): [number, object] {
  return [400, { error: true, reason }];
}

function toUnits(fields: readonly string[], query: URLSearchParams, how: Misbehaviour | undefined) {
  const name = (field: string) => {
    const [parameter, names] = UNITS[field] ?? ["", { "": "" }];
    return how === "other-units" ? "K" : names[query.get(parameter) ?? DEFAULT_UNITS[parameter] ?? ""];
  };
  return Object.fromEntries(fields.map((field) => [field, name(field)]));
}

/** Made-up weather: colder away from the equator, warmer in the afternoon, different every hour and everywhere. */
function toValue(field: string, latitude: number, longitude: number, time: number, query: URLSearchParams): number {
  const wave = Math.sin(latitude * 7 + longitude * 3 + time / 20_000);
  const celsius =
    28 -
    Math.abs(latitude) / 3 +
    5 * Math.sin((((time / 3600 + longitude / 15) % 24) / 24) * 2 * Math.PI - 2) +
    3 * wave;
  const [warmth, speed, rain] = [
    query.get("temperature_unit") === "fahrenheit"
      ? (degrees: number) => degrees * 1.8 + 32
      : (degrees: number) => degrees,
    query.get("wind_speed_unit") === "mph" ? 0.621371 : 1,
    query.get("precipitation_unit") === "inch" ? 1 / 25.4 : 1,
  ];
  const drawn = CODES[Math.floor(((wave + 1) / 2) * (CODES.length - 0.001))] ?? 0;
  const code = drawn === SNOW && celsius > 2 ? RAIN : drawn;
  switch (field) {
    case "temperature_2m":
      return round(warmth(celsius), 1);
    case "apparent_temperature":
      return round(warmth(celsius - 1.5), 1);
    case "relative_humidity_2m":
      return Math.round(60 + 30 * wave);
    case "precipitation":
      return code >= 51 ? round((1 + wave) * 2 * rain, 2) : 0;
    case "wind_speed_10m":
      return round((15 + 10 * wave) * speed, 1);
    case "wind_direction_10m":
      return Math.round(180 + 179 * wave);
    case "cloud_cover":
      return Math.round(50 + 50 * wave);
    case "weather_code":
      return code;
    default:
      return Number.NaN;
  }
}

/** What the zone's clocks are ahead of UTC now; the real service, too, applies today's offset to every date. */
function toOffsetSeconds(timezone: string, now: number): number {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" }).formatToParts(
    now * 1000,
  );
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours = "0", minutes = "0"] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

function toDate(day: number): string {
  return new Date(day * DAY * 1000).toISOString().slice(0, 10);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
