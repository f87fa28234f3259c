import { canonicalJson } from "../../../json/canonical-json.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../json/types.ts";
import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import { showValues } from "../schema/show.ts";
import type { Path } from "../yaml/locate.ts";
import type { ToolContent } from "./tool-content.ts";

/** Keys of schemas under which there is data. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Finds what a tool can be served with, and nobody can have meant: rules that came after versions were tagged. */
export function findOversights({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const { uses = [], egress = [], secrets = [], input, output } = content;
  const found = [...findDefaults(input, ["input"]), ...findDefaults(output, ["output"])].map(({ path, allowed }) => {
    const message = "The default is none of the values that the schema allows.";
    return problem("default-value", path, message, `Write one of ${showValues(allowed)}, or remove the default.`);
  });
  const at = uses.indexOf("fetch");
  if (at < 0 || egress.length > 0 || secrets.length > 0) return found;
  const message = "The tool may use `fetch`, but names no host that it may reach.";
  const fix = "Add the hosts under `egress`, such as `egress: [api.example.com]`, or remove `fetch`.";
  return [...found, problem("fetch-nowhere", ["uses", at], message, fix)];
}

function findDefaults(
  node: unknown,
  path: Path,
): readonly { readonly path: Path; readonly allowed: readonly unknown[] }[] {
  if (Array.isArray(node)) return node.flatMap((item, at) => findDefaults(item, [...path, at]));
  if (!isObject(node)) return [];
  const below = Object.entries(node).flatMap(([key, child]) =>
    DATA.has(key) && !isObject(child) ? [] : findDefaults(child, [...path, key]),
  );
  const { default: value, enum: allowed } = node;
  if (value === undefined || !Array.isArray(allowed) || isOneOf(value, allowed)) return below;
  return [{ path: [...path, "default"], allowed }, ...below];
}

function isOneOf(value: unknown, allowed: readonly unknown[]): boolean {
  const text = canonicalJson(value as Json);
  return allowed.some((one) => canonicalJson(one as Json) === text);
}
