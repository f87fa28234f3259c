import { describe, expect, test } from "vitest";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { withField } from "../../../../../../server/architect/planners/wishes/plain/with-field.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { groundOf } = await openAgents(["farm"]);
const places = listPlaces(groundOf("farm").version);

describe("withField", () => {
  test.each([
    [
      "profile of start_build is undocumented, describe it as 'How it is built.'",
      "Set the description of the input profile of builds.start_build to 'How it is built.'",
    ],
    [
      'builds.start_build says nothing about profile. Please describe it as "How it is built."',
      'Set the description of the input profile of builds.start_build to "How it is built."',
    ],
    [
      "profile of start_build has no description. Use: How it is built.",
      'Set the description of the input profile of builds.start_build to "How it is built."',
    ],
    ["tail in build_logs confuses everybody, get rid of it", "Get rid of the input tail of builds.build_logs"],
    [
      "The argument `tail` of build_logs just confuses people. Mark it as deprecated.",
      "Mark the input tail of builds.build_logs as deprecated",
    ],
  ])("tells which field an order is about: %s", (message, told) => {
    expect(withField(message, places)).toBe(told);
  });

  test.each([
    "If profile of start_build is of no use, remove it",
    "Ines thinks tail in build_logs confuses everybody, remove it",
    "tail in build_logs confuses everybody, so should we remove it?",
    "tail in build_logs confuses everybody, remove it from the report",
    "tail in build_logs confuses users of the tool, remove it",
    "tail in build_logs should be at most 200, describe it as 'Lines.'",
    "Check tail of build_logs, remove it",
    "lines in what build_logs returns are long, remove it",
    "tail in build_logs is fine. Use: Another builder",
  ])("leaves alone what may be about something else, or is no order: %s", (message) => {
    expect(withField(message, places)).toBe(message);
  });
});
