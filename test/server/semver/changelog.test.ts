import { expect, test } from "vitest";
import { formatChanges, listChanges } from "../../../server/semver/changelog.ts";
import { createFinding, placeIn } from "../../../server/semver/finding.ts";

const PLACE = placeIn("after", "a.yaml");
const narrowed = createFinding("input-narrowed", "Input of `a`: `day` must be there now.", PLACE, {
  tool: "a",
  member: "day",
  value: {},
});

test("findings become sentences by heading, with the smallest example and a hint for clients", () => {
  const findings = [
    createFinding("handler-changed", "`a.ts` has other code.", PLACE),
    createFinding("experiment-changed", "The parameters of `p` are tuned in another way.", PLACE),
    createFinding("input-widened", "Input of `a`: `x` is new, and may be given.", PLACE, { value: { x: 1 } }),
    createFinding("tool-removed", "The tool `b` is not there any more.", PLACE, { tool: "b" }),
    { ...narrowed, accepted: { reason: "All send it.", by: "Ada" } },
    createFinding("text-changed", 'The title of the tool `a` is "B", and was "A".', PLACE),
    createFinding("text-instructs", 'A text of the tool `a` reads like an instruction to a model: "B".', PLACE),
  ];
  expect(listChanges([...findings, ...findings])).toEqual([
    "Breaking: The tool `b` is not there any more. Call another tool, or stay on the version before.",
    "Breaking: Input of `a`: `day` must be there now. Before: a call with `{}` was accepted; after: it is refused. Send it. Accepted by Ada: All send it.",
    'Added: Input of `a`: `x` is new, and may be given. For example `{"x":1}` is taken now.',
    "Fixed: `a.ts` has other code.",
    'Reworded: The title of the tool `a` is `"B"`, and was `"A"`.',
    "Tuning: The parameters of `p` are tuned in another way.",
  ]);
});

test("a changelog has what people wrote as it stands, and the rest under headings in their order", () => {
  const changes = ["Tuning: Slower.", "By hand: as it was.", "Breaking: Gone.", "Breaking: Away."];
  expect(formatChanges(changes, 3)).toEqual([
    "- By hand: as it was.",
    "",
    "### Breaking",
    "",
    "- Gone.",
    "- Away.",
    "",
    "### Tuning",
    "",
    "- Slower.",
  ]);
  expect(formatChanges(["Fixed: One."], 2)).toEqual(["## Fixed", "", "- One."]);
  expect(formatChanges([], 2)).toEqual([]);
});
