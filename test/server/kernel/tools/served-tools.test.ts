import type { Range } from "semver";
import { describe, expect, test } from "vitest";
import type { ToolDirectory } from "../../../../server/versions/registry/tools/tool-directory.ts";
import { findServedTool } from "../../../../server/kernel/tools/served-tools.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

/** Version 2 of the tool may be used by fewer than version 1. */
const VERSIONS = new Map(
  [
    { version: "2.0.0", requiredCapabilities: ["new"] },
    { version: "1.0.0", requiredCapabilities: [] },
  ].map((tool) => [tool.version, createTestVersion({ tools: [{ name: "s.t", server: "s", ...tool }] })]),
);

const directory = {
  list: async () => ({ choices: [], unverified: 0 }),
  find: async (name: string, range?: Range) => {
    const version = [...VERSIONS.keys()].find((candidate) => range?.test(candidate));
    return version === undefined ? undefined : { name, version };
  },
  versionsOf: () => [...VERSIONS.keys()],
  open: async ({ version }: { version: string }) => ({ version: VERSIONS.get(version) }),
} as unknown as ToolDirectory;

describe("whoever asks for a version of a tool that there is not", () => {
  test.each([
    [["new"], "there are 2.0.0, 1.0.0."],
    [[], "there are 1.0.0."],
  ])("is told of those that they may use: with %j", async (held, told) => {
    const capabilities = new Set<string>(held);
    const found = findServedTool(directory, "s.t", "^3", ({ tool }) =>
      tool.requiredCapabilities.every((capability) => capabilities.has(capability)),
    );
    await expect(found).rejects.toMatchObject({ name: "INVALID_TOOL", message: expect.stringContaining(told) });
  });

  test("is told of none when they may use none", async () => {
    await expect(findServedTool(directory, "s.t", "^3", () => false)).rejects.toMatchObject({
      message: "There is no tool `s.t`.",
    });
  });
});
