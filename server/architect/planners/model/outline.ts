import { readFileSync } from "node:fs";
import { isObject } from "../../../json/is-object.ts";
import type { Version } from "../../../versions/version.ts";

/** Characters of a title, fewer where there is no room for all tools otherwise. */
export const TITLE_LENGTHS = [80, 60, 45, 30, 20, 10, 0] as const;
/** Characters of what a schema says of one key. */
const SAID = 110;
/** Levels of a schema that an outline shows. */
const DEPTH = 2;

/** Outlines a version in lines: its tools with their titles, its experiments with parameters and arms, and its labels. */
export function outlineVersion({ agent, semver, tools, parameters, history }: Version, titleLength: number): string {
  const lines = [...tools.values()].map(({ name, title, description }) => {
    return titleLength === 0 ? name : `${name}: ${clip(title ?? description, titleLength)}`;
  });
  const experiments = [...parameters.values()].map(({ name, parameters: values, experiment }) => {
    const arms =
      experiment === undefined ? "" : `; arms ${experiment.arms.map((arm) => arm.name).join(", ") || "none"}`;
    return `${name}: ${[...values.keys()].join(", ")}${arms}`;
  });
  const labels = [...history.labels].map(([label, target]) => `${label} is ${String(target)}`);
  return [
    `${agent.name} ${semver} has these tools, each in \`manifests/<server>/<tool>.yaml\` and \`tools/<server>/<tool>.ts\`:`,
    ...lines,
    ...(experiments.length === 0
      ? []
      : ["Parameters and experiments, in `manifests/parameters/<name>.yaml`:", ...experiments]),
    ...(labels.length === 0 ? [] : [`Labels: ${labels.join(", ")}`]),
  ].join("\n");
}

/** Manifests by their place, and the schema that each is held to. */
const SCHEMAS: readonly (readonly [RegExp, string])[] = [
  [/^manifests\/parameters\//, "parameters"],
  [/^manifests\/policies\//, "policy"],
  [/^manifests\/upstreams\//, "upstream"],
  [/^manifests\/workflows\//, "workflow"],
  [/^manifests\/agent\.yaml$/, "agent"],
  [/\/server\.yaml$/, "server"],
  [/^manifests\//, "tool"],
];

/** Outlines the schemas that manifests are held to: keys with their types, and the first sentence about each. */
export function outlineSchemas(manifests: readonly string[]): readonly (readonly [kind: string, text: string])[] {
  const kinds = manifests.flatMap((path) => SCHEMAS.find(([place]) => place.test(path))?.[1] ?? []);
  return [...new Set(kinds)].map((kind) => [kind, outlineKeys(readSchema(kind), 0).join("\n")]);
}

function readSchema(kind: string): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL(`../../../../schemas/${kind}.schema.json`, import.meta.url), "utf8");
  const schema: unknown = JSON.parse(text);
  return isObject(schema) ? schema : {};
}

function outlineKeys(schema: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).flatMap(([key, value]): readonly string[] => {
    if (!isObject(value)) return [];
    const { type, enum: values, description } = value;
    const kind = Array.isArray(values) ? values.join(" | ") : typeof type === "string" ? type : "";
    const said = typeof description === "string" ? clip(description.split(". ")[0] ?? "", SAID) : "";
    const must = required.includes(key) ? ", required" : "";
    const line = `${"  ".repeat(depth)}${key}${kind === "" && must === "" ? "" : ` (${kind}${must})`}: ${said}`;
    return [line, ...(depth + 1 < DEPTH ? outlineKeys(value, depth + 1) : [])];
  });
}

function clip(text: string, characters: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= characters ? line : `${line.slice(0, characters - 1).toWellFormed()}…`;
}
