import { toFileLine } from "../file-line.ts";
import { parse } from "yaml";
import { canonicalJson } from "../../../json/canonical-json.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../store/store.ts";
import { findIn, type Path } from "../../edit/edit-json.ts";
import { editYaml } from "../../edit/edit-yaml.ts";
import { refuse } from "../../guard/refuse.ts";
import type { Bench } from "./bench.ts";
import { readPointer } from "../../../json/pointer.ts";

const OPERATIONS: ReadonlySet<unknown> = new Set(["add", "remove", "replace", "move", "copy", "test"]);
const LIMIT = 200;

/** Checks that a value has the form of a JSON Patch (RFC 6902). */
export function isJsonPatch(value: unknown): value is readonly Readonly<Record<string, Json>>[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isObject(one) && OPERATIONS.has(one["op"]) && typeof one["path"] === "string")
  );
}

/** Applies a JSON Patch to what a YAML file says; its comments stay. */
export async function applyJsonPatch(
  bench: Bench,
  file: string,
  patch: readonly Readonly<Record<string, Json>>[],
): Promise<void> {
  if (!/\.ya?ml$/.test(file))
    throw refuse(`A JSON Patch changes YAML files, and \`${file}\` is none.`, "Send a unified diff.");
  if (patch.length > LIMIT) throw refuse(`The JSON Patch has more than ${LIMIT} operations.`, "Send a unified diff.");
  const old = await bench.read(file);
  if (old === undefined) throw refuse(`There is no file \`${file}\`.`, "Name a file of this version.");
  let text = old;
  for (const [at, operation] of patch.entries())
    text = applyOne(text, operation, `Operation ${at + 1} of the JSON Patch`);
  await bench.write(file, text);
  bench.say(toFileLine("modified", file));
}

function applyOne(text: string, operation: Readonly<Record<string, Json>>, label: string): string {
  const { op, value } = operation;
  const data = parse(text) as Json;
  const path = toPath(data, operation["path"], label);
  const isItem = typeof path.at(-1) === "number";
  const put = (into: string, what: Json) => editYaml(into, { kind: isItem ? "insert" : "set", path, value: what });
  if (op === "remove") return editYaml(text, { kind: "remove", path: present(data, path, label) });
  if (op === "add" || op === "replace" || op === "test") {
    if (value === undefined) throw refuse(`${label} has no \`value\`.`, RFC);
    if (op === "add") return put(text, value);
    const found = findIn(data, present(data, path, label));
    if (op === "replace") return editYaml(text, { kind: "set", path, value });
    if (canonicalJson(found) === canonicalJson(value)) return text;
    throw refuse(
      `${label} expects another value at \`${String(operation["path"])}\`.`,
      "Make the patch against this version.",
    );
  }
  const from = present(data, toPath(data, operation["from"], label), label);
  const moved = findIn(data, from) ?? null;
  return put(op === "move" ? editYaml(text, { kind: "remove", path: from }) : text, moved);
}

const RFC = "RFC 6902 says what a JSON Patch looks like.";

/** Positions where the value has a list, names elsewhere. */
function toPath(data: Json, pointer: Json | undefined, label: string): Path {
  if (typeof pointer !== "string" || !pointer.startsWith("/")) {
    throw refuse(`${label} has no JSON Pointer to a place inside the file.`, RFC);
  }
  const path: (string | number)[] = [];
  for (const step of readPointer(pointer)) {
    const list = findIn(data, path);
    if (!Array.isArray(list)) path.push(step);
    else if (step === "-") path.push(list.length);
    else if (/^(?:0|[1-9]\d{0,8})$/.test(step)) path.push(Number(step));
    else throw refuse(`${label}: \`${step.slice(0, 50)}\` is no position in a list.`, RFC);
  }
  return path;
}

function present(data: Json, path: Path, label: string): Path {
  if (findIn(data, path) !== undefined) return path;
  throw refuse(`${label} names a place that there is not.`, "Make the patch against this version.");
}
