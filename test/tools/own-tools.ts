import type { Tool, Version } from "../../server/versions/version.ts";
import getWeather from "../../tools/runner/get_weather.ts";
import { createFakeContext, type FakeTool } from "../helpers/fake-context.ts";

/** The real `runner.get_weather` as the chat finds it: its manifest, and its handler against a stand-in of Open-Meteo. */
export function createWeatherTool(version: Version, upstream: string, now?: number): FakeTool {
  const tool = version.tools.get("runner.get_weather");
  if (!tool) throw new Error("the version has no runner.get_weather");
  const ctx = createFakeContext({ upstream, ...(now === undefined ? {} : { now }) });
  return { ...toInfo(tool), run: async (input) => getWeather(tool.withDefaults(input) as { location: string }, ctx) };
}

function toInfo({ server, name, description, input, output, sideEffect, examples }: Tool): Omit<FakeTool, "run"> {
  return { server, name, description, input, output, sideEffect, examples };
}
