import type { ToolChoice } from "../../server/versions/registry/tools/tool-catalogue.ts";
import type { ToolDirectory } from "../../server/versions/registry/tools/tool-directory.ts";
import { readVersionName } from "../../server/versions/version-name.ts";
import type { Version } from "../../server/versions/version.ts";

/** A directory of the tools of one version, which is all there is; `open` fails with `fail` if that is given. */
export function createSingleDirectory(version: Version, unverified = 0, fail?: unknown): ToolDirectory {
  const name = readVersionName(version.semver);
  if (name === undefined) throw new Error(`${version.semver} is no version`);
  const { commit } = version;
  const tag = `v${version.semver}`;
  const carrier = { ...name, tag, commit, createdAt: 0, releasedAt: 0, deleted: false, wasServed: false };
  const choices: ToolChoice[] = [...version.tools.values()].map((tool) => ({ ...tool, carrier }));
  const record = {
    commit,
    tag,
    prerelease: false,
    createdAt: "1970-01-01T00:00:00.000Z",
    state: "served" as const,
    problems: [],
    alarms: [],
    labels: [],
    claim: "first" as const,
    servers: [],
  };
  return {
    list: async () => ({ choices, unverified }),
    find: async (wanted, range) => choices.find((one) => one.name === wanted && range?.test(one.version) !== false),
    versionsOf: (wanted) => choices.filter((one) => one.name === wanted).map((one) => one.version),
    open: async () => {
      if (fail !== undefined) throw fail;
      return { version, record, immutable: true };
    },
  };
}
