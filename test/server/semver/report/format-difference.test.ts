import { describe, expect, test } from "vitest";
import { formatDifference } from "../../../../server/semver/report/format-difference.ts";
import { compareTrees } from "../compare-trees.ts";
import { TREE_CHANGES } from "../tree-changes.ts";

const changes = new Map(TREE_CHANGES);

async function compare(title: string) {
  const [before, after] = changes.get(title) ?? [{}, {}];
  return compareTrees(before, after);
}

describe("[V2] the difference of two versions", () => {
  test("begins with the verdict in annotations and markdown, and names lines of manifests", async () => {
    const difference = await compare("a value less of an input");
    const [verdict, finding] = formatDifference(difference, "github").split("\n");
    expect(verdict).toMatch(/^::error file=versions\.yaml::The change needs a major bump, and /);
    expect(finding).toMatch(
      /^::error file=manifests\/runner\/get_weather\.yaml,line=\d+,col=\d+,title=major%3A input-narrowed::/,
    );
    const [first, ...rest] = formatDifference(difference, "markdown").split("\n");
    expect(first).toMatch(/^The change needs a major bump, and /);
    expect(rest).toContain("### Major");
  });

  test("is SARIF with the places of what is there, and at versions.yaml for what is gone", async () => {
    const difference = await compare("a tool that is gone");
    const sarif = JSON.parse(formatDifference(difference, "sarif"));
    const [result] = sarif.runs[0].results;
    expect(result).toMatchObject({
      ruleId: "tool-removed",
      level: "error",
      locations: [{ physicalLocation: { artifactLocation: { uri: "versions.yaml" }, region: { startLine: 1 } } }],
    });
    const changed = JSON.parse(formatDifference(await compare("a value less of an input"), "sarif"));
    expect(changed.runs[0].results[0].locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: "manifests/runner/get_weather.yaml" },
    });
  });

  test("takes other sentences as its verdict, where another version is what it is measured against", async () => {
    const difference = { ...(await compare("a tool that is gone")), claims: [] };
    expect(formatDifference(difference, "markdown", ["1.0.1 says too little."]).split("\n")[0]).toBe(
      "1.0.1 says too little.",
    );
  });
});
