import { isObject } from "../../json/is-object.ts";
import { readPointer } from "../../json/pointer.ts";

/** A JSON object of a document, whose members are checked where they are read. */
export type Node = Readonly<Record<string, unknown>>;

/** An OpenAPI document of version 3. */
export interface OpenApiDocument {
  readonly root: Node;
  /** Title of the API. */
  readonly title: string;
  /** Follows references until there is none. Returns undefined where one leads nowhere or outside the document. */
  readonly resolve: (value: unknown) => Node | undefined;
}

/** References in a row; more are a circle. */
const MAX_HOPS = 50;

/** Creates a document of its parsed form. */
export function createDocument(root: Node): OpenApiDocument {
  const known = new Map<string, unknown>();
  const resolve = (value: unknown): Node | undefined => {
    let node = value;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (!isObject(node)) return undefined;
      const reference = node["$ref"];
      if (typeof reference !== "string") return node;
      if (!known.has(reference)) known.set(reference, find(root, reference));
      node = known.get(reference);
    }
    return undefined;
  };
  const title = textOf(nodeOf(root["info"])["title"]) ?? "API";
  return Object.freeze({ root, title, resolve });
}

/** Finds the target of a reference such as `#/components/schemas/Pet`. */
function find(root: Node, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let value: unknown = root;
  for (const step of readPointer(reference.slice(1))) {
    const key = step.includes("%") ? decode(step) : step;
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Returns a value as an object; anything else is an empty one. */
export function nodeOf(value: unknown): Node {
  return isObject(value) ? value : {};
}

/** Returns a value as a list; anything else is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text that says something; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
