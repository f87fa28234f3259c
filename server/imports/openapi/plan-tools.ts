import { type BaseUrl, findBaseUrl } from "./base-url.ts";
import { type Convertible, createConvertible } from "./convert-schema.ts";
import { type Node, nodeOf, type OpenApiDocument } from "./document.ts";
import type { Operation } from "./list-operations.ts";
import { type InputPlan, planInput, type Refusal } from "./plan-input.ts";
import { type OutputPlan, planOutput } from "./plan-output.ts";
import {
  type Credential,
  findCredentials,
  type GivenAuth,
  findFree,
  nameSecrets,
  type SecretNeed,
} from "./security.ts";
import { isObject } from "../../json/is-object.ts";

/** Everything about one tool that its files are written from. */
export interface ToolPlan {
  readonly operation: Operation;
  /** Name of its files. */
  readonly stem: string;
  readonly server: string;
  readonly input: InputPlan;
  readonly output: OutputPlan;
  readonly base: BaseUrl;
  readonly secrets: readonly SecretNeed[];
}

export interface RefusedOperation {
  readonly operation: Operation;
  /** Obstacle, to follow "has". */
  readonly reason: string;
}

export interface PlanOptions {
  readonly server: string;
  /** File or address of the document. */
  readonly source: string;
  readonly baseUrl: string | undefined;
  readonly auth: GivenAuth;
  /** Name of the secret, where there is one; else what their names begin with. */
  readonly secret: string;
  /** Names of secrets that an earlier import gave, by name of the scheme. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Names of secrets that others have. */
  readonly taken: ReadonlySet<string>;
  /** True where there was an import before, whose names stay. */
  readonly isAgain: boolean;
}

export interface PlannedTools {
  readonly plans: readonly ToolPlan[];
  readonly refused: readonly RefusedOperation[];
  /** Names of all secrets so far, by name of the scheme. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** A tool whose secrets have no names yet. */
type Draft = Omit<ToolPlan, "secrets"> & { readonly credentials: readonly Credential[] };

/** Stands for credentials that a person has named, among the names of schemes. */
const GIVEN = "";
/** Name of a member that changes what an object inherits, as JSON has it; in a text its quotes would be escaped. */
const PROTOTYPE = '"__proto__":';

/** Plans a tool for each operation, or says why there can be none. */
export function planTools(
  names: ReadonlyMap<Operation, string>,
  document: OpenApiDocument,
  options: PlanOptions,
): PlannedTools {
  const convertible = createConvertible(document);
  const findLost = createFindLost(document);
  const drafts: Draft[] = [];
  const refused: RefusedOperation[] = [];
  for (const [operation, stem] of names) {
    const plan = planTool(operation, stem, convertible, { ...options, findLost });
    if ("refused" in plan) refused.push({ operation, reason: plan.refused });
    else drafts.push(plan);
  }
  const schemes = new Set(drafts.flatMap(({ credentials }) => credentials.flatMap(({ scheme }) => scheme ?? [])));
  const { taken } = options;
  const secrets = nameSecrets(schemes, { prefix: options.secret, known: options.secrets, taken });
  const given = options.secrets.get(GIVEN) ?? (options.isAgain ? options.secret : findFree(options.secret, taken));
  const toNeed = (one: Credential) => ({
    ...one,
    name: one.scheme === undefined ? given : (secrets.get(one.scheme) ?? given),
  });
  const isGiven = drafts.some(({ credentials }) => credentials.some(({ scheme }) => scheme === undefined));
  const plans = drafts.map(({ credentials, ...draft }) => ({ ...draft, secrets: credentials.map(toNeed) }));
  const kept = isGiven && given !== options.secret ? new Map([...secrets, [GIVEN, given] as const]) : secrets;
  return { plans, refused, secrets: kept };
}

function planTool(
  operation: Operation,
  stem: string,
  document: Convertible<OpenApiDocument>,
  { findLost, ...options }: PlanOptions & { readonly findLost: ReturnType<typeof createFindLost> },
): Draft | Refusal {
  const { method, path, parameters, body, responses, servers } = operation;
  // A path is written behind the host: a value that begins it would be part of the host's name.
  if (!path.startsWith("/")) return { refused: "a path that does not begin with `/`" };
  if (method === "OPTIONS" || method === "TRACE") return { refused: `the method ${method}, which tools cannot send` };
  const lost = [...new Set([...operation.lost, ...findLost([parameters, body, responses])])];
  if (lost.length > 0)
    return { refused: `references that lead nowhere in the document (${lost.slice(0, 3).join(", ")})` };
  const base = findBaseUrl(servers, options.source, options.baseUrl);
  if ("refused" in base) return base;
  const credentials = findCredentials(operation, document, options.auth);
  if ("refused" in credentials) return credentials;
  const input = planInput(operation, document);
  if ("refused" in input) return input;
  const output = planOutput(operation, input.fields, document);
  if ("refused" in output) return output;
  if ([input, output].some(({ schema }) => JSON.stringify(schema).includes(PROTOTYPE)))
    return { refused: "a member `__proto__`, which no manifest declares" };
  return { operation, stem, server: options.server, input, output, base, ...credentials };
}

/** Members of a document that hold values of callers, in which `$ref` is a name like any other. */
const DATA = new Set(["const", "default", "enum", "example", "examples", "value"]);
/** Members whose own members have names that people chose. */
const NAMED = new Set(["properties", "patternProperties", "content", "headers", "responses"]);

/**
 * Creates the search for references below a part of a document that lead nowhere or outside it. Parts in which all lead somewhere
 * are remembered: operations share most of theirs.
 */
function createFindLost({ resolve }: Pick<OpenApiDocument, "resolve">): (part: unknown) => readonly string[] {
  const whole = new Set<unknown>();
  return (part) => {
    const lost = new Set<string>();
    const seen = new Set<unknown>();
    const waiting: unknown[] = [part];
    while (waiting.length > 0) {
      const next = waiting.pop();
      if (whole.has(next) || seen.has(next)) continue;
      seen.add(next);
      if (Array.isArray(next)) waiting.push(...next);
      else if (isObject(next)) waiting.push(...listInner(next));
      const reference = nodeOf(next)["$ref"];
      if (typeof reference !== "string") continue;
      const target = resolve(next);
      if (target === undefined) lost.add(reference);
      else waiting.push(target);
    }
    if (lost.size === 0) for (const one of seen) whole.add(one);
    return [...lost];
  };
}

function listInner(node: Node): readonly unknown[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (DATA.has(key) || key.startsWith("x-")) return [];
    const inner = NAMED.has(key) && isObject(value) ? Object.values(value) : [value];
    return inner.filter((one) => typeof one === "object" && one !== null);
  });
}
