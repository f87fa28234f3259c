import { chooseExample, type ToolExample } from "./choose-example.ts";
import { toPackageImports } from "../../text/to-package-imports.ts";
import type { ToolPlan } from "./plan-tools.ts";
import { writeHandler } from "./write-handler.ts";
import { writeManifest, writeYaml } from "./write-manifest.ts";

/** Files of an import, by their paths, and the examples that its tools have, by name of the tool. */
export interface WrittenFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly examples: ReadonlyMap<string, ToolExample>;
}

export interface FilesOptions {
  readonly name: string;
  readonly server: string;
  readonly title: string;
  /** Source of the functions that send requests, which each import has a copy of. */
  readonly library: string;
}

const BASE_URL = /^const BASE_URL = .*$/m;

/** Writes the files of an import: two for each tool, the functions that they share, and the server's own manifest. */
export function writeFiles(plans: readonly ToolPlan[], { name, server, title, library }: FilesOptions): WrittenFiles {
  const baseUrl = findCommon(plans.map(({ base }) => base.url));
  const shared = toLibraryName(name);
  const examples = new Map<string, ToolExample>();
  const files = new Map([
    [
      `manifests/${server}/server.yaml`,
      `# yaml-language-server: $schema=../../schemas/server.schema.json\n${writeYaml({ name: server, title, description: `Tools of ${title}.` })}`,
    ],
    [
      `tools/_lib/${shared}`,
      toPackageImports(library).replace(BASE_URL, () => `const BASE_URL = ${JSON.stringify(baseUrl)};`),
    ],
  ]);
  for (const plan of plans) {
    const example = chooseExample(plan);
    if (example !== undefined) examples.set(`${server}.${plan.stem}`, example);
    files.set(`manifests/${server}/${plan.stem}.yaml`, writeManifest(plan, example));
    files.set(`tools/${server}/${plan.stem}.ts`, writeHandler(plan, { library: shared, baseUrl }));
  }
  return { files, examples };
}

function toLibraryName(name: string): string {
  return `${name}-api.ts`;
}

/** Finds the most frequent of some texts. */
function findCommon(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].sort(([, a], [, b]) => b.length - a.length);
  return counts[0]?.[0] ?? "";
}
