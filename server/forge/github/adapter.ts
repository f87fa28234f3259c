import { loadOptional } from "../../config/optional-package.ts";
import type { ForgeAdapter } from "../adapter.ts";

const OCTOKIT = { feature: "A repository on GitHub", packages: ["octokit"] };

/** A repository on GitHub, or on a server with GitHub's interface, which pull requests change. */
export const GITHUB_ADAPTER: ForgeAdapter = Object.freeze({
  kind: "github",
  delivers: true,
  proposals: "refs/pull/*/head",
  connect: async ({ forge, forgeHost }, time) => {
    if (forgeHost?.kind !== "github") return undefined;
    const { connectGitHub } = await loadOptional(OCTOKIT, () => import("./connect-github.ts"));
    return connectGitHub(forgeHost, forge, time);
  },
} satisfies ForgeAdapter);
