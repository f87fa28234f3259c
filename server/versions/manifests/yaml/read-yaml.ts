import { type Document, parseDocument, isMap, isScalar, isSeq } from "yaml";
import { isObject } from "../../../json/is-object.ts";
import type { Problem } from "../../problem.ts";
import { createProblem } from "../create-problem.ts";
import { limitProblems } from "../limit-problems.ts";
import { createPositions, type Position } from "../position.ts";
import { checkKeys, findUnwanted } from "./find-faults.ts";
import type { Finding } from "./finding.ts";
import { type Locate, locate, offsetOf } from "./locate.ts";
import { constructValue, parseToEvents } from "./parse-to-events.ts";

/** Content of a manifest with its positions; or all its faults as YAML. */
export type YamlRead =
  | { readonly ok: true; readonly value: unknown; readonly position: Locate }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Reads one manifest with two independent readers. js-yaml goes first, because it meets hostile input in linear time;
 * `yaml` then says where things are, and both must have understood the same.
 */
export function readYaml(file: string, text: string): YamlRead {
  const toPosition = createPositions(text);
  const read = parse(text, toPosition);
  if (!("value" in read)) {
    const toProblem = ({ offset, rule, message, fix }: Finding) =>
      createProblem(file, toPosition(offset), rule, message, fix);
    return { ok: false, problems: limitProblems(read, toProblem) };
  }
  // The syntax tree is many times larger than the text, and needed only to show problems: it is made again for them.
  let kept: WeakRef<Document> | undefined;
  const position: Locate = (path, part = "value") => {
    const document = kept?.deref() ?? parseDocument(text, YAML_OPTIONS);
    kept = new WeakRef(document);
    return toPosition(locate(document.contents, path, part));
  };
  return { ok: true, value: read.value, position };
}

function parse(
  text: string,
  toPosition: (offset: number) => Position,
): { readonly value: unknown } | readonly Finding[] {
  const events = parseToEvents(text);
  if ("rule" in events) return [events];
  const unwanted = findUnwanted(text, events);
  if (unwanted.length > 0) return unwanted;
  try {
    const { contents, errors } = parseDocument(text, YAML_OPTIONS);
    const [error] = errors;
    if (error?.code === "MULTIPLE_DOCS") return [differs(error.pos[0], "only yaml sees a second document")];
    if (error) return [differs(error.pos[0], `js-yaml takes this, yaml does not: ${error.message}`)];
    const wrongKeys = checkKeys(contents, toPosition);
    if (wrongKeys.length > 0) return wrongKeys;
    const value = constructValue(text, events);
    const difference = findDifference(value, contents);
    return difference ? [differs(difference.offset, difference.message)] : { value };
  } catch (error) {
    return [differs(0, `only one of them fails: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

// `prettyErrors` and `uniqueKeys` cost time that grows with the square of the input.
const YAML_OPTIONS = {
  logLevel: "error",
  merge: false,
  prettyErrors: false,
  resolveKnownTags: false,
  schema: "core",
  uniqueKeys: false,
  version: "1.2",
} as const;

function differs(offset: number, message: string): Finding {
  return {
    offset,
    rule: "ambiguous-yaml",
    message: `Two YAML readers disagree here: ${message.split("\n", 1).join("").slice(0, 200).trimEnd()}`,
    fix: "Write it so that nobody can read it differently: indent with two spaces, and put texts in quotes.",
  };
}

interface Difference {
  readonly offset: number;
  readonly message: string;
}

/** The first place where js-yaml's `value` and the tree of `yaml` do not say the same. */
function findDifference(value: unknown, node: unknown): Difference | undefined {
  if (Array.isArray(value) && isSeq(node) && value.length === node.items.length) {
    return first(node.items, (item, index) => findDifference(value[index], item));
  }
  if (isObject(value) && isMap(node) && Object.keys(value).length === node.items.length) {
    return first(node.items, ({ key, value: item }) => {
      const name = isScalar(key) ? String(key.value) : "";
      if (!Object.hasOwn(value, name)) return { offset: offsetOf(key), message: `is \`${name}\` a key?` };
      return findDifference(value[name], item);
    });
  }
  const other = isScalar(node) ? node.value : node === null ? null : undefined;
  if (value === other) return undefined;
  return { offset: offsetOf(node), message: `is it ${show(value)} or ${show(other, node)}?` };
}

function first<T>(items: readonly T[], find: (item: T, index: number) => Difference | undefined) {
  for (const [index, item] of items.entries()) {
    const difference = find(item, index);
    if (difference) return difference;
  }
  return undefined;
}

function show(value: unknown, node?: unknown): string {
  if (isSeq(node) || Array.isArray(value)) return "a list";
  if (isMap(node) || isObject(value)) return "a mapping";
  return typeof value === "string" ? `the text ${JSON.stringify(value.slice(0, 40))}` : `\`${String(value)}\``;
}
