import type { JsonSchema } from "../../server/host-api.ts";
import type { FakeTool } from "../helpers/fake-context.ts";

function object(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

function tool(name: string, description: string, input: JsonSchema, more: Partial<FakeTool> = {}): FakeTool {
  const server = name.slice(0, name.indexOf("."));
  const run = (given: unknown) => ({ summary: `${name} got ${JSON.stringify(given)}.` });
  return {
    server,
    name,
    description,
    input,
    output: { type: "object" },
    sideEffect: false,
    examples: [],
    run,
    ...more,
  };
}

const LENGTHS = ["mm", "cm", "m", "km", "inch", "foot", "mile"];

/** Tools as different from each other as the chat may meet them. */
export const FIXTURE_TOOLS: readonly FakeTool[] = [
  tool(
    "runner.get_weather",
    "Current weather, forecast or past weather at a place: temperature, rain, snow, wind, clouds and humidity. Says whether it is hot or cold, sunny or rainy.",
    object(
      {
        location: { type: "string", description: "City name or 'lat,long' coordinates." },
        units: { type: "string", enum: ["metric", "imperial"], default: "metric" },
        when: { type: "string", description: "RFC3339 datetime or 'now'.", default: "now" },
      },
      ["location"],
    ),
    { examples: [{ description: "Will I need an umbrella?", input: { location: "Paris" } }] },
  ),
  tool(
    "money.convert_currency",
    "Converts an amount of money from one currency to another at today's exchange rate.",
    object(
      {
        amount: { type: "number", description: "How much money.", minimum: 0 },
        from: { type: "string", enum: ["USD", "EUR", "GBP", "JPY"] },
        to: { type: "string", enum: ["USD", "EUR", "GBP", "JPY"] },
      },
      ["amount", "from", "to"],
    ),
  ),
  tool(
    "units.convert_length",
    "Converts a length or distance between units such as miles and kilometres.",
    object(
      {
        value: { type: "number", description: "The length." },
        from: { type: "string", enum: LENGTHS },
        to: { type: "string", enum: LENGTHS },
      },
      ["value", "from", "to"],
    ),
  ),
  tool(
    "text.translate",
    "Translates a text into another language.",
    object(
      {
        text: { type: "string", description: "The text to translate." },
        language: { type: "string", enum: ["en", "de", "fr", "es", "it"], description: "Language to translate into." },
      },
      ["text", "language"],
    ),
  ),
  tool(
    "docs.search",
    "Searches the documentation and returns the pages that fit.",
    object(
      {
        query: { type: "string", description: "What to look for." },
        limit: {
          type: "integer",
          description: "Maximum number of results or pages.",
          minimum: 1,
          maximum: 50,
          default: 10,
        },
        include_archived: { type: "boolean", default: false },
      },
      ["query"],
    ),
  ),
  tool(
    "tickets.create_ticket",
    "Creates a ticket in the issue tracker.",
    object(
      {
        title: { type: "string", description: "What the ticket is about.", maxLength: 200 },
        priority: { type: "string", enum: ["low", "normal", "high"], default: "normal" },
        due: { type: "string", format: "date", description: "Day by which it has to be done." },
        labels: { type: "array", items: { type: "string", enum: ["bug", "feature", "docs"] } },
      },
      ["title"],
    ),
    { sideEffect: true },
  ),
  tool(
    "tickets.get_ticket",
    "Shows the status of a ticket of the issue tracker.",
    object({ id: { type: "string", pattern: "^[A-Z]{2,5}-\\d+$", description: "Ticket number such as OPS-12." } }, [
      "id",
    ]),
  ),
  tool(
    "notes.add",
    "Adds a note to the notebook.",
    object({ text: { type: "string", description: "What the note says." }, pinned: { type: "boolean" } }, ["text"]),
    { sideEffect: true },
  ),
  tool(
    "calendar.list_events",
    "Lists the events and meetings in the calendar between two points in time.",
    object({
      from: { type: "string", format: "date-time" },
      until: { type: "string", format: "date-time" },
      attendee: { type: "string", format: "email" },
    }),
  ),
  tool(
    "dice.roll",
    "Rolls dice and tells the sum.",
    object(
      {
        count: { type: "integer", description: "How many dice.", minimum: 1, maximum: 100 },
        sides: { type: "integer", description: "Sides of each die.", minimum: 2, default: 6 },
      },
      ["count"],
    ),
  ),
  tool(
    "maps.find_route",
    "Finds a route and the travel time between two places by car, train or bicycle.",
    object(
      {
        origin: { type: "string", description: "Place to start from." },
        destination: { type: "string", description: "Place to go to." },
        mode: {
          type: "string",
          enum: ["car", "train", "bicycle"],
          description: "car (drive, driving), train (rail), bicycle (bike, cycling)",
        },
        departure: { type: "string", format: "date-time" },
      },
      ["origin", "destination"],
    ),
  ),
  tool(
    "stocks.quote",
    "Price of a share on the stock market.",
    object({ symbol: { type: "string", pattern: "^[A-Z]{1,5}$", description: "Ticker symbol such as AAPL." } }, [
      "symbol",
    ]),
  ),
];
