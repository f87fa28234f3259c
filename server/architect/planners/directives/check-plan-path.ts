import { findPathFault } from "../../../capabilities/workspace/check-path.ts";
import { refuse, toList } from "../../guard/refuse.ts";

const FOLDERS = ["manifests", "tools", "schemas", "test", "docs"];

/** Refuses what no directive may change: whatever has a part in how changes are checked, built and released. */
export function checkPlanPath(path: string): void {
  const fault = findPathFault(path);
  if (fault !== undefined) throw refuse(`A file cannot be called \`${path.slice(0, 100)}\`: ${fault}.`, ACCEPTED);
  const [folder = "", ...rest] = path.split("/");
  if (path === "versions.yaml" || (FOLDERS.includes(folder) && rest.length > 0)) return;
  throw refuse(`\`${path.slice(0, 100)}\` cannot be changed by feedback.`, ACCEPTED);
}

const ACCEPTED = `Changes of versions.yaml and of files below ${toList(FOLDERS)}; other files are changed by people, in pull requests of their own.`;
