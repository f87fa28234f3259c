import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../json/types.ts";
import { createStripUndeclared } from "../../versions/manifests/schema/strip-undeclared.ts";
import type { JsonSchema } from "../../host-api.ts";
import type { Finding } from "../finding.ts";
import { findInstructingText } from "../find-instructing-text.ts";
import { findSchemaChanges, type SchemaTool } from "../find-schema-changes.ts";
import type { Reading } from "../reading.ts";
import { isSame } from "../schemas/same.ts";
import { createForeignCheck, lazily, type ReadForeignSchema } from "./foreign-schema.ts";
import { createSurfaceFinding, type SurfaceFinding, type SurfaceRule } from "./rules.ts";
import type { Definition, Definitions } from "./surface.ts";
import type { BumpRule } from "../bump-rules.ts";

type Find = (rule: BumpRule | SurfaceRule, message: string, ...path: string[]) => SurfaceFinding;
type Key = "input" | "output";

const ANY: JsonSchema = Object.freeze({});

/** Finds differences of the tools of two servers, each known by its name. */
export function* findToolDefinitionChanges(
  before: Definitions,
  after: Definitions,
  reading: Reading,
  read: ReadForeignSchema,
): Generator<SurfaceFinding> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [find(before, name), find(after, name)];
    const side = is === undefined ? "before" : "after";
    const add: Find = (rule, message, ...path) =>
      createSurfaceFinding(rule, message, side, ["tools", name, ...path], { tool: name });
    if (is === undefined) yield add("tool-removed", `The tool \`${name}\` is not there any more.`);
    else if (was === undefined) yield add("tool-added", `The tool \`${name}\` is new.`);
    else if (!isSame(was, is)) yield* findChanges(name, was, is, reading, read, add);
    const instructing = is === undefined ? undefined : findInstructingText(name, was ?? {}, is);
    if (instructing !== undefined) yield add("text-instructs", instructing.message, instructing.key);
  }
}

function* findChanges(
  name: string,
  was: Definition,
  is: Definition,
  reading: Reading,
  read: ReadForeignSchema,
  add: Find,
): Generator<SurfaceFinding> {
  yield* findHintChanges(name, was, is, add);
  yield* findTaskChanges(name, was, is, add);
  const comparable: Comparable = { was: { input: ANY, output: ANY }, is: { input: ANY, output: ANY } };
  for (const key of ["input", "output"] as const) {
    const member = `${key}Schema`;
    const [one, other] = [was[member], is[member]];
    if (isSame(one ?? null, other ?? null)) continue;
    if (key === "output" && other === undefined) {
      yield add("output-undeclared", `The output of \`${name}\` is not declared any more.`);
    } else if (key === "output" && one === undefined) {
      yield add("output-declared", `The output of \`${name}\` is declared now.`, member);
    } else {
      const [old, young] = [read(one), read(other)];
      if ("schema" in old && "schema" in young) {
        comparable.was[key] = old.schema;
        comparable.is[key] = young.schema;
        if (isSame(old.schema, young.schema)) {
          const message = `The ${key} of \`${name}\` is worded in another way, and allows the same.`;
          yield add("schema-reworded", message, member);
        }
      } else {
        const why = "refused" in young ? young.refused : "refused" in old ? `before, ${old.refused}` : "";
        const message = `The ${key} schema of \`${name}\` cannot be read (${why}), and it cannot be proven compatible.`;
        yield add(`${key}-unproven`, message, member);
      }
    }
  }
  yield* compareSchemasOf(name, comparable, reading);
  if (toTexts(was) !== toTexts(is)) {
    yield add("text-changed", `The tool \`${name}\` has another title, description or other text.`);
  }
}

interface Comparable {
  readonly was: Record<Key, JsonSchema>;
  readonly is: Record<Key, JsonSchema>;
}

function compareSchemasOf(name: string, { was, is }: Comparable, reading: Reading): readonly SurfaceFinding[] {
  try {
    return findSchemaChanges(toTool(name, was), toTool(name, is), reading).map(toOwnPlace);
  } catch (error) {
    // A schema whose validator cannot be compiled, or nests too deeply for one.
    if (!(error instanceof Error)) throw error;
    const message = `The schemas of \`${name}\` cannot be compared (${error.message.slice(0, 200)}), so they cannot be proven compatible.`;
    return [createSurfaceFinding("input-unproven", message, "after", ["tools", name], { tool: name })];
  }
}

/** Creates the tool of a comparison. */
function toTool(name: string, { input, output }: Comparable["was"]): SchemaTool {
  const [inputs, outputs] = [createForeignCheck(input), createForeignCheck(output)];
  const stripUndeclared = lazily(() => createStripUndeclared(output));
  return {
    name,
    server: "",
    file: "",
    input,
    output,
    isForeign: true,
    withDefaults: (value) => value,
    checkInput: inputs.check,
    checkOutput: outputs.check,
    decidesInput: inputs.decides,
    decidesOutput: outputs.decides,
    stripUndeclared: (value) => stripUndeclared()(value),
  };
}

function toOwnPlace(finding: Finding): SurfaceFinding {
  const { tool = "", place } = finding;
  const [key, ...steps] = place.path;
  const { server: _server, of: _of, member: _member, ...rest } = finding;
  return { ...rest, place: { ...place, path: ["tools", tool, `${String(key)}Schema`, ...steps] } };
}

interface Hint {
  readonly key: string;
  /** Meaning of a hint that is not given (MCP, `ToolAnnotations`). */
  readonly otherwise: boolean;
  readonly gained: readonly [BumpRule | SurfaceRule, string];
  readonly lost: readonly [BumpRule | SurfaceRule, string];
}

const READ_ONLY: Hint = {
  key: "readOnlyHint",
  otherwise: false,
  gained: ["side-effect-lost", "only reads"],
  lost: ["side-effect-gained", "does not only read any more"],
};
/** Hints that mean something only where a tool does not only read. */
const WRITING: readonly Hint[] = [
  {
    key: "destructiveHint",
    otherwise: true,
    gained: ["destructive-gained", "may destroy something"],
    lost: ["destructive-lost", "destroys nothing any more"],
  },
  {
    key: "idempotentHint",
    otherwise: false,
    gained: ["idempotence-gained", "is idempotent"],
    lost: ["idempotence-lost", "is not idempotent any more"],
  },
];
const OPEN_WORLD: Hint = {
  key: "openWorldHint",
  otherwise: true,
  gained: ["open-world-gained", "reaches things outside the server"],
  lost: ["open-world-lost", "reaches nothing outside the server any more"],
};

function* findHintChanges(name: string, was: Definition, is: Definition, add: Find): Generator<SurfaceFinding> {
  const isReading = [was, is].map((definition) => readHint(definition, READ_ONLY));
  const hints = [READ_ONLY, ...(isReading.includes(true) ? [] : WRITING), OPEN_WORLD];
  for (const hint of hints) {
    const [old, young] = [readHint(was, hint), readHint(is, hint)];
    const [rule, what] = young ? hint.gained : hint.lost;
    if (old !== young) yield add(rule, `The tool \`${name}\` ${what}.`, "annotations", hint.key);
  }
}

function readHint({ annotations }: Definition, { key, otherwise }: Hint): boolean {
  const value = isObject(annotations) ? annotations[key] : undefined;
  return typeof value === "boolean" ? value : otherwise;
}

/** Finds changes of how a tool may be called: plainly, as a task, or both (MCP 2025-11-25, `execution.taskSupport`). */
function* findTaskChanges(name: string, was: Definition, is: Definition, add: Find): Generator<SurfaceFinding> {
  const [old, young] = [was, is].map(({ execution }) =>
    isObject(execution) && typeof execution["taskSupport"] === "string" ? execution["taskSupport"] : "forbidden",
  );
  if (old === young) return;
  const said = (rule: SurfaceRule, what: string) =>
    add(rule, `The tool \`${name}\` ${what}.`, "execution", "taskSupport");
  if (young === "required") yield said("task-required", "must be called as a task");
  else if (young === "forbidden") yield said("task-refused", "cannot be called as a task any more");
  else yield said("task-allowed", "can be called as a task and plainly");
}

/** Texts of a definition: all that is compared by nothing else, and hints that differ only in being said. */
function toTexts({ inputSchema: _input, outputSchema: _output, execution: _execution, ...rest }: Definition): string {
  return canonicalJson(rest);
}

function find(definitions: Definitions, name: string): Definition | undefined {
  return Object.hasOwn(definitions, name) ? (definitions[name] as Definition & Json) : undefined;
}
