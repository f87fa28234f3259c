import type { Context } from "../../../server/host-api.ts";
import { fetchJson, isObject } from "./fetch-json.ts";

export interface Place {
  readonly name: string;
  readonly region?: string;
  readonly country?: string;
  readonly latitude: number;
  readonly longitude: number;
}

const SERVICE = "Open-Meteo's geocoding service";
const SEARCH = "https://geocoding-api.open-meteo.com/v1/search";
const NAME_LIMIT = 200;

/** The place that `location` means: coordinates as they are, a name by asking the geocoding service. */
export async function findPlace(ctx: Context, location: string): Promise<Place> {
  const coordinates = readCoordinates(location);
  if (coordinates === "out-of-range") {
    throw ctx.fail(
      "BAD_REQUEST",
      `\`location\` is \`${location.trim()}\`, but latitudes go from -90 to 90 and longitudes from -180 to 180.`,
    );
  }
  if (coordinates) return { name: `${coordinates.latitude},${coordinates.longitude}`, ...coordinates };

  const name = location.trim();
  if (name === "" || name.length > NAME_LIMIT) {
    throw ctx.fail("BAD_REQUEST", `\`location\` must be the name of a place, of 1 to ${NAME_LIMIT} characters.`);
  }
  const url = `${SEARCH}?name=${encodeURIComponent(name.toWellFormed())}&count=1&language=en&format=json`;
  const { results = [] } = await fetchJson(ctx, SERVICE, url);
  if (!Array.isArray(results)) throw ctx.fail("UPSTREAM_ERROR", `${SERVICE} answered without a list of places.`);
  if (results.length === 0) {
    throw ctx.fail(
      "NOT_FOUND",
      `No place is called \`${name}\`. Check the spelling, add a country or region after a comma, or give \`lat,long\`.`,
    );
  }
  return readPlace(ctx, results[0]);
}

function readPlace(ctx: Context, result: unknown): Place {
  const { name, admin1, country, latitude, longitude } = isObject(result) ? result : {};
  if (typeof name !== "string" || typeof latitude !== "number" || typeof longitude !== "number") {
    throw ctx.fail("UPSTREAM_ERROR", `${SERVICE} named a place without name or coordinates.`);
  }
  return {
    name,
    ...(typeof admin1 === "string" && admin1 !== "" ? { region: admin1 } : {}),
    ...(typeof country === "string" && country !== "" ? { country } : {}),
    latitude,
    longitude,
  };
}

export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

const PAIR = /^\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*$/;

/** Reads `lat,long` in degrees. `undefined`: not two numbers, so it may be a name; `"out-of-range"`: nowhere on Earth. */
export function readCoordinates(text: string): Coordinates | "out-of-range" | undefined {
  const match = PAIR.exec(text);
  if (!match) return undefined;
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : "out-of-range";
}
