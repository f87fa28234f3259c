import type { LoadedCandidate } from "./load-candidate.ts";
import { failed, type Outcome, passed } from "./outcome.ts";

/** Whether the files make a version at all. */
export function checkVersion(loaded: LoadedCandidate): Outcome {
  if (!loaded.ok) {
    const lines = loaded.problems.map(({ file, line, column, rule, message, fix }) => {
      return `${file}:${line}:${column}: ${message} (${rule}) ${fix}`;
    });
    return failed(...lines);
  }
  const { semver, servers, tools } = loaded.candidate.version;
  return passed(`The files make the version ${semver}: ${servers.size} servers, ${tools.size} tools.`);
}
