import type { Handler } from "../../server/host-api.ts";
import { toRfc3339 } from "../_lib/time/to-rfc3339.ts";
import { toConditions } from "../_lib/weather/conditions.ts";
import { describeWeather, type Kind } from "../_lib/weather/describe-weather.ts";
import { findPlace } from "../_lib/weather/find-place.ts";
import { observe } from "../_lib/weather/observe.ts";
import { readWhen } from "../_lib/weather/read-when.ts";
import { toUnitNames, type Units } from "../_lib/weather/units.ts";

interface Input {
  readonly location: string;
  readonly units?: Units;
  readonly when?: string;
}

const HOUR = 3_600_000;

/** Weather at a place, from Open-Meteo: now, in an hour up to 16 days ahead, or in any hour back to 1940. */
const getWeather: Handler<Input, { forecast: object }> = async (input, ctx) => {
  const { location, units = "metric", when: wanted = "now" } = input;
  const when = readWhen(ctx, wanted);
  const place = await findPlace(ctx, location);
  const { instant, offset, timezone, ...values } = await observe(ctx, place, when, units);

  const kind: Kind = when.service === "current" ? "current" : instant + HOUR > ctx.now() ? "forecast" : "history";
  const names = toUnitNames(units);
  const detail = ctx.params["weather"]?.["detail"] === "brief" ? "brief" : "full";
  return {
    forecast: {
      summary: describeWeather(kind, place, { instant, offset, timezone, ...values }, names, detail),
      location: { ...place, timezone },
      time: toRfc3339(instant, offset),
      kind,
      ...values,
      conditions: toConditions(values.weather_code),
      units: names,
    },
  };
};

export default getWeather;
