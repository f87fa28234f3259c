import { readYaml } from "../versions/manifests/yaml/read-yaml.ts";
import { type Position, START } from "../versions/manifests/position.ts";
import { isObject } from "../json/is-object.ts";
import type { Finding, Place, Step } from "./finding.ts";

/** A finding with its place in a file. */
export interface LocatedFinding extends Finding {
  readonly position: Position;
}

/** The text of a file of one of the two trees; undefined where it cannot be had. */
export type ReadText = (side: Place["side"], file: string) => Promise<string | undefined>;

/** Finds lines and columns, which versions do not keep, in the manifests themselves. Each file is read once. */
export async function locateFindings<Placed extends Pick<Finding, "place">>(
  findings: readonly Placed[],
  readText: ReadText,
): Promise<readonly (Placed & Pick<LocatedFinding, "position">)[]> {
  const files = new Map<string, Promise<FindPosition>>();
  return Promise.all(
    findings.map(async (finding) => {
      const { side, file, path } = finding.place;
      const key = `${side} ${file}`;
      const opened = files.get(key) ?? readText(side, file).then((text) => createFind(file, text));
      files.set(key, opened);
      return { ...finding, position: (await opened)(path) };
    }),
  );
}

type FindPosition = (path: readonly Step[]) => Position;

function createFind(file: string, text: string | undefined): FindPosition {
  const read = text === undefined || !file.endsWith(".yaml") ? undefined : readYaml(file, text);
  return (path) => (read?.ok === true ? read.position(toPath(read.value, path), "key") : START);
}

/** With items of lists by their number, as far as the path can be followed. */
function toPath(root: unknown, steps: readonly Step[]): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let node = root;
  for (const step of steps) {
    const key = typeof step === "object" ? findItem(node, step) : step;
    if (key === -1) break;
    path.push(key);
    node = Array.isArray(node) ? (node as readonly unknown[])[Number(key)] : isObject(node) ? node[key] : undefined;
  }
  return path;
}

function findItem(list: unknown, wanted: Readonly<Record<string, string>>): number {
  if (!Array.isArray(list)) return -1;
  return list.findIndex(
    (item) => isObject(item) && Object.entries(wanted).every(([name, value]) => item[name] === value),
  );
}
