import { type BaseUrl, findBaseUrl } from "./base-url.ts";
import { type Convertible, createConvertible } from "./convert-schema.ts";
import type { OpenApiDocument } from "./document.ts";
import type { Operation } from "./list-operations.ts";
import { type InputPlan, planInput, type Refusal } from "./plan-input.ts";
import { type OutputPlan, planOutput } from "./plan-output.ts";
import { findSecrets, type GivenAuth, type SecretNeed } from "./security.ts";

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
  /** Name of the secret, where there is one. */
  readonly secret: string;
}

/** Plans a tool for each operation, or says why there can be none. */
export function planTools(
  names: ReadonlyMap<Operation, string>,
  document: OpenApiDocument,
  options: PlanOptions,
): { readonly plans: readonly ToolPlan[]; readonly refused: readonly RefusedOperation[] } {
  const convertible = createConvertible(document);
  const plans: ToolPlan[] = [];
  const refused: RefusedOperation[] = [];
  for (const [operation, stem] of names) {
    const plan = planTool(operation, stem, convertible, options);
    if ("refused" in plan) refused.push({ operation, reason: plan.refused });
    else plans.push(plan);
  }
  return { plans, refused };
}

function planTool(
  operation: Operation,
  stem: string,
  document: Convertible<OpenApiDocument>,
  options: PlanOptions,
): ToolPlan | Refusal {
  const { method, path, lost, servers } = operation;
  // A path is written behind the host: a value that begins it would be part of the host's name.
  if (!path.startsWith("/")) return { refused: "a path that does not begin with `/`" };
  if (method === "OPTIONS" || method === "TRACE") return { refused: `the method ${method}, which tools cannot send` };
  if (lost.length > 0)
    return { refused: `references that lead nowhere in the document (${lost.slice(0, 3).join(", ")})` };
  const base = findBaseUrl(servers, options.source, options.baseUrl);
  if ("refused" in base) return base;
  const credentials = findSecrets(operation, document, { prefix: options.secret, auth: options.auth });
  if ("refused" in credentials) return credentials;
  const input = planInput(operation, document);
  if ("refused" in input) return input;
  const output = planOutput(operation, input.fields, document);
  if ("refused" in output) return output;
  return { operation, stem, server: options.server, input, output, base, secrets: credentials.secrets };
}
