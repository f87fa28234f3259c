import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import getWeather from "../../../tools/runner/get_weather.ts";
import type { Units } from "../../../tools/_lib/weather/units.ts";
import { createFakeContext, NOW } from "../../helpers/fake-context.ts";
import { type Misbehaviour, type OpenMeteo, startOpenMeteo } from "../../stand-ins/open-meteo.ts";
import { useCheckout } from "../serve-checkout.ts";

const checkout = useCheckout();
let service: OpenMeteo;
beforeAll(async () => {
  service = await startOpenMeteo(() => NOW);
});
beforeEach(() => service.misbehave(undefined));
afterAll(() => service.close());

async function ask(input: { location: string; units?: Units; when?: string }, now = NOW, patience = 10_000) {
  const { forecast } = await getWeather(input, createFakeContext({ upstream: service.url, now, patience }));
  return forecast as Record<string, unknown> & { location: Record<string, unknown> };
}

function lastRequest(): URL {
  return service.requests.at(-1) ?? new URL("none:");
}

describe("runner.get_weather", () => {
  test("[R2] has its schemas to the letter", () => {
    const tool = checkout.version().tools.get("runner.get_weather");
    expect([tool?.session, tool?.sideEffect]).toEqual(["stateless", false]);
    expect(tool?.input).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://specs/runner.get_weather.input.json",
      type: "object",
      required: ["location"],
      properties: {
        location: { type: "string", description: "City name or 'lat,long' coordinates." },
        units: { type: "string", enum: ["metric", "imperial"], default: "metric" },
        when: { type: "string", description: "RFC3339 datetime or 'now'.", default: "now" },
      },
      additionalProperties: false,
    });
    expect(tool?.output).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://specs/runner.get_weather.output.json",
      type: "object",
      required: ["forecast", "conversation_id"],
      properties: {
        forecast: { type: "object", description: "Structured forecast payload." },
        conversation_id: { type: "string", description: "Server-generated UUID associated with this invocation." },
        logs_uri: {
          type: "string",
          format: "uri",
          description: "Optional URI for debug logs related to this invocation.",
        },
      },
      additionalProperties: false,
    });
  });

  test("keeps the promises of its examples, in an isolate", async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const examples = checkout.version().tools.get("runner.get_weather")?.examples ?? [];
    expect(examples.length).toBeGreaterThan(5);
    for (const { input, matches, error } of examples) {
      const call = checkout.call("runner.get_weather", input as object, createFakeContext({ upstream: service.url }));
      if (error !== undefined) await expect(call).rejects.toMatchObject({ name: error });
      else expect([input, ajv.validate(matches ?? false, await call)]).toEqual([input, true]);
    }
  });

  test("tells the weather now, in a sentence and in numbers", async () => {
    const forecast = await ask({ location: "Paris" });
    expect(forecast).toMatchObject({
      location: {
        name: "Paris",
        region: "Île-de-France",
        country: "France",
        latitude: 48.85341,
        longitude: 2.3488,
        timezone: "Europe/Paris",
      },
      kind: "current",
      time: "2026-07-01T14:00:00+02:00",
      units: { temperature: "°C", wind_speed: "km/h", precipitation: "mm", relative_humidity: "%" },
    });
    expect(forecast["temperature"]).toBeTypeOf("number");
    expect(forecast["summary"]).toMatch(
      /^In Paris, Île-de-France, France it is -?\d+(\.\d)? °C (and|with) [a-z ]+; it feels like .+ humidity\.$/,
    );
  });

  test("asks in the units the caller wants", async () => {
    const metric = await ask({ location: "Oslo", units: "metric" });
    const imperial = await ask({ location: "Oslo", units: "imperial" });
    expect(Object.fromEntries(lastRequest().searchParams)).toMatchObject({
      temperature_unit: "fahrenheit",
      wind_speed_unit: "mph",
      precipitation_unit: "inch",
    });
    expect(imperial["units"]).toMatchObject({ temperature: "°F", wind_speed: "mph", precipitation: "in" });
    expect(imperial["temperature"]).toBeCloseTo((metric["temperature"] as number) * 1.8 + 32, 0);
  });

  test.each([
    ["celsius", "°C", "km/h", (celsius: number) => celsius],
    ["kelvin", "K", "km/h", (celsius: number) => celsius + 273.15],
    ["fahrenheit", "°F", "mph", (celsius: number) => celsius * 1.8 + 32],
    ["rankine", "°R", "mph", (celsius: number) => (celsius + 273.15) * 1.8],
  ] as const)("knows %s, which a manifest may offer", async (units, symbol, wind, convert) => {
    const metric = await ask({ location: "Oslo" });
    const other = await ask({ location: "Oslo", units });
    expect(other["units"]).toMatchObject({ temperature: symbol, apparent_temperature: symbol, wind_speed: wind });
    for (const field of ["temperature", "apparent_temperature"]) {
      // The service rounds to a tenth in the unit that it is asked for.
      expect(Math.abs(Number(other[field]) - convert(Number(metric[field])))).toBeLessThan(0.2);
    }
    expect(other["summary"]).toContain(`${String(other["temperature"])} ${symbol}`);
  });

  test.each([
    ["48.8534,2.3488", 48.8534, 2.3488],
    [" -33.9 , 18.4 ", -33.9, 18.4],
    ["+90,-180", 90, -180],
  ])("takes the coordinates %s without asking for a name", async (location, latitude, longitude) => {
    const before = service.requests.length;
    const forecast = await ask({ location });
    expect(forecast.location).toMatchObject({ name: `${latitude},${longitude}`, latitude, longitude });
    expect(service.requests.slice(before).map(({ pathname }) => pathname)).toEqual(["/v1/forecast"]);
  });

  test.each(["90.1,0", "-91,0", "0,180.5", "0,-181"])("refuses the coordinates %s", async (location) => {
    await expect(ask({ location })).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.stringContaining("latitudes"),
    });
  });

  test("tells places of the same name apart by what follows the comma", async () => {
    expect((await ask({ location: "Paris" })).location).toMatchObject({ country: "France" });
    expect((await ask({ location: "Paris, Texas" })).location).toMatchObject({ region: "Texas" });
  });

  test("leaves out what the service does not know of a place", async () => {
    const { location } = await ask({ location: "Singapore" });
    expect(Object.keys(location)).toEqual(["name", "country", "latitude", "longitude", "timezone"]);
  });

  test("does not find a place that does not exist", async () => {
    await expect(ask({ location: "Nowhere-upon-Nothing" })).rejects.toMatchObject({
      name: "NOT_FOUND",
      message: expect.stringContaining("`Nowhere-upon-Nothing`"),
    });
  });

  test.each(["", "   ", "x".repeat(201)])("refuses the name %j", async (location) => {
    await expect(ask({ location })).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });

  test("keeps a lone surrogate from crashing the request", async () => {
    await expect(ask({ location: "a\ud800" })).rejects.toMatchObject({ name: "NOT_FOUND" });
  });
});

describe("runner.get_weather at a time", () => {
  test.each([
    ["the hour that holds it", "2026-07-03T15:59:59Z", "forecast", "2026-07-03T17:00:00+02:00"],
    ["an offset", "2026-07-03T15:30:00-05:00", "forecast", "2026-07-03T22:00:00+02:00"],
    ["this hour", "2026-07-01T12:30:00Z", "forecast", "2026-07-01T14:00:00+02:00"],
    ["an hour ago", "2026-07-01T11:59:00Z", "history", "2026-07-01T13:00:00+02:00"],
    ["the last day there is", "2026-07-16T10:00:00Z", "forecast", "2026-07-16T12:00:00+02:00"],
    ["three months ago", "2026-04-03T00:00:00Z", "history", "2026-04-03T02:00:00+02:00"],
  ])("takes %s", async (_, when, kind, time) => {
    expect(await ask({ location: "Paris", when })).toMatchObject({ kind, time });
    expect(lastRequest().pathname).toBe("/v1/forecast");
  });

  test.each([
    ["2026-04-01T23:00:00Z", "2026-04-02T01:00:00+02:00"],
    ["1940-01-01T00:00:00Z", "1940-01-01T02:00:00+02:00"],
    ["1999-12-31T23:00:00Z", "2000-01-01T01:00:00+02:00"],
  ])("looks %s up in the archive", async (when, time) => {
    expect(await ask({ location: "Paris", when })).toMatchObject({ kind: "history", time });
    expect(lastRequest().pathname).toBe("/v1/archive");
  });

  test.each([
    ["Kathmandu", "2026-07-03T09:20:00Z", "2026-07-03T15:00:00+05:45"],
    ["Auckland", "2026-07-03T13:00:00Z", "2026-07-04T01:00:00+12:00"],
    ["Honolulu", "2026-07-03T03:00:00Z", "2026-07-02T17:00:00-10:00"],
  ])("finds the hour on the clocks of %s", async (location, when, time) => {
    expect(await ask({ location, when })).toMatchObject({ time });
  });

  test("says the time in the sentence, and its offset", async () => {
    const { summary } = await ask({ location: "London", when: "2026-07-03T15:00:00Z" });
    expect(summary).toMatch(
      /^In London, England, United Kingdom on Friday 3 July 2026 at 16:00 \(UTC\+01:00\) it will be /,
    );
  });

  test.each([
    "2026-07-17T00:00:00Z",
    "1939-12-31T23:59:59Z",
    "9999-01-01T00:00:00Z",
    // Still today in UTC, but beyond the last day at the place itself.
    "2026-07-16T23:30:00Z",
  ])("says how far the weather is known when asked for %s", async (when) => {
    await expect(ask({ location: "Tokyo", when })).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.stringContaining("1940-01-01 and 2026-07-16"),
    });
  });

  test.each(["tomorrow", "2026-07-01", "2026-02-30T00:00:00Z", "2016-12-31T23:59:60Z", "2026-07-01T12:00:00", ""])(
    "refuses the time %j",
    async (when) => {
      await expect(ask({ location: "Paris", when })).rejects.toMatchObject({
        name: "BAD_REQUEST",
        message: expect.stringContaining("RFC 3339"),
      });
    },
  );

  test("takes `now` in any case", async () => {
    expect(await ask({ location: "Paris", when: " NOW " })).toMatchObject({ kind: "current" });
  });
});

describe("runner.get_weather when a service fails", () => {
  const cases: readonly [Misbehaviour, string, RegExp][] = [
    ["bad-request", "UPSTREAM_ERROR", /refused the request \(HTTP 400\): Latitude must be/],
    ["rate-limit", "UPSTREAM_ERROR", /takes no more requests for now \(HTTP 429\): Minutely API request limit/],
    ["server-error", "UPSTREAM_ERROR", /\(HTTP 502\)\.$/],
    ["html", "UPSTREAM_ERROR", /not JSON \(text\/html\)/],
    ["truncated", "UPSTREAM_ERROR", /not JSON/],
    ["slow", "UPSTREAM_TIMEOUT", /did not answer in time/],
    ["reset", "UPSTREAM_ERROR", /could not be reached/],
  ];

  test.each(cases)("tells of %s while looking for a place", async (how, name, message) => {
    service.misbehave(how, "/v1/search");
    const asked = ask({ location: "Paris" }, NOW, how === "slow" ? 200 : undefined);
    await expect(asked).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });

  test.each(cases)("tells of %s while asking for the weather", async (how, name, message) => {
    service.misbehave(how, "/v1/forecast");
    const asked = ask({ location: "Paris" }, NOW, how === "slow" ? 200 : undefined);
    await expect(asked).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });

  test.each([
    ["nulls", /has no `temperature_2m` for this place and time/],
    ["no-data", /.+/],
    ["other-units", /units it was asked for \(`temperature_2m` in °C\)/],
  ] as const)("does not make up a number out of %s", async (how, message) => {
    service.misbehave(how);
    for (const when of ["now", "2026-07-02T00:00:00Z", "2000-01-01T00:00:00Z"]) {
      await expect(ask({ location: "1,1", when })).rejects.toMatchObject({
        name: "UPSTREAM_ERROR",
        message: expect.stringMatching(message),
      });
    }
  });
});
