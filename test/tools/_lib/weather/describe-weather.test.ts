import { describe, expect, test } from "vitest";
import { describeWeather, toCompassPoint } from "../../../../tools/_lib/weather/describe-weather.ts";
import { toUnitNames } from "../../../../tools/_lib/weather/units.ts";

const OSLO = { name: "Oslo", region: "Oslo", country: "Norway", latitude: 59.9, longitude: 10.7 };
const SEEN = {
  instant: Date.UTC(2026, 6, 1, 12),
  offset: 120,
  timezone: "Europe/Oslo",
  temperature: 12.3,
  apparent_temperature: 11,
  relative_humidity: 81,
  precipitation: 0,
  wind_speed: 12,
  wind_direction: 225,
  cloud_cover: 90,
  weather_code: 3,
};

describe("describeWeather", () => {
  test("says what is now", () => {
    expect(describeWeather("current", OSLO, SEEN, toUnitNames("metric"))).toBe(
      "In Oslo, Norway it is 12.3 °C and overcast; it feels like 11 °C, with a wind of 12 km/h from the south-west and 81 % humidity.",
    );
  });

  test("says what will be, when, and how much falls", () => {
    const seen = { ...SEEN, precipitation: 0.4, weather_code: 61 };
    expect(describeWeather("forecast", { ...OSLO, region: "Viken" }, seen, toUnitNames("imperial"))).toBe(
      "In Oslo, Viken, Norway on Wednesday 1 July 2026 at 14:00 (UTC+02:00) it will be 12.3 °F with light rain; it will feel like " +
        "11 °F, with a wind of 12 mph from the south-west, 0.4 in of precipitation and 81 % humidity.",
    );
  });

  test("says what was, at a place with nothing but a name", () => {
    const place = { name: "1,2", latitude: 1, longitude: 2 };
    expect(describeWeather("history", place, { ...SEEN, offset: 0 }, toUnitNames("metric"))).toMatch(
      /^In 1,2 on Wednesday 1 July 2026 at 12:00 \(UTC\) it was 12\.3 °C and overcast; it felt like 11 °C, /,
    );
  });

  test.each([
    [0, "north"],
    [22, "north"],
    [23, "north-east"],
    [180, "south"],
    [337, "north-west"],
    [360, "north"],
    [-90, "west"],
  ])("calls %d degrees %s", (degrees, point) => {
    expect(toCompassPoint(degrees)).toBe(point);
  });
});
