import { type ArtifactInterface, hasMethods, type Interface, type Permissions, type Use } from "./artifact.ts";
import { toYaml } from "./to-yaml.ts";

/** An artifact as it is to become part of a version. */
export interface Promotable {
  readonly name: string;
  readonly revision: number;
  readonly owner: string;
  readonly permissions: Permissions;
  /** An ES module. */
  readonly code: string;
  readonly interface?: ArtifactInterface;
  readonly uses: readonly Use[];
  readonly price: number;
}

/** Promise of a tool: the input of a call, and its output where known. */
export interface PromisedExample {
  /** Of an artifact with methods. */
  readonly method?: string;
  readonly description?: string;
  readonly input: object;
  readonly output?: unknown;
}

export interface PromotedFile {
  readonly path: string;
  readonly content: string;
}

/** Reason why an artifact cannot become part of a version. */
export interface NotPromotable {
  readonly problem: string;
}

/**
 * The files that make an artifact part of a version: for it, or for each of its methods, a manifest, a handler and a test,
 * and its code, which is kept as it is. The tools have the names under which it was listed, and its state is theirs.
 */
export function promote(
  artifact: Promotable,
  examples: readonly PromisedExample[],
): { readonly files: readonly PromotedFile[] } | NotPromotable {
  const { name, interface: spoken } = artifact;
  if (spoken === undefined) return { problem: `\`${name}\` has no interface, and a tool needs one` };
  const problem = findProblem(artifact);
  if (problem !== undefined) return { problem };
  const methods: readonly (readonly [string | undefined, Interface])[] = hasMethods(spoken)
    ? Object.entries(spoken.methods)
    : [[undefined, spoken]];
  const files: PromotedFile[] = [{ path: `tools/_lib/promoted/${name}.ts`, content: writeModule(artifact) }];
  for (const [method, one] of methods) {
    const own = examples.filter((example) => example.method === method);
    if (own.length === 0) return { problem: `there is no example of \`${toToolName(name, method)}\`` };
    const stem = toToolName(name, method);
    files.push(
      { path: `manifests/artifacts/${stem}.yaml`, content: writeManifest(artifact, method, one, own) },
      { path: `tools/artifacts/${stem}.ts`, content: writeHandler(artifact, method, one) },
      { path: `test/tools/artifacts/${stem}.test.ts`, content: writeTest(stem) },
    );
  }
  return { files };
}

/** A tool has neither a price nor an owner, and is for all who may use tools of its kind. */
function findProblem({ name, uses, price, permissions }: Promotable): string | undefined {
  if (uses.includes("invoke")) return `\`${name}\` invokes artifacts, which may change while a version may not`;
  if (price > 0) return `\`${name}\` has a price, which tools have not`;
  if (!permissions.invoke.includes("*")) return `\`${name}\` is not for everybody to invoke, as a tool would be`;
  return undefined;
}

function writeModule({ name, revision, owner, code }: Promotable): string {
  const origin = `Revision ${revision} of the artifact \`${name}\` of \`${oneLine(owner)}\`, as it was written.`;
  return `// ${origin}\n// @ts-nocheck: artifacts are not held to the types of a repository.\n${code.trimEnd()}\n`;
}

function writeManifest(
  { name, uses }: Promotable,
  method: string | undefined,
  one: Interface,
  examples: readonly PromisedExample[],
): string {
  const mutates = uses.includes("state.write");
  const yaml = toYaml({
    name: toToolName(name, method),
    version: "1.0.0",
    description: one.description,
    input: one.inputSchema,
    output: toOutput(one),
    sideEffect: mutates,
    ...(mutates ? { idempotent: false } : {}),
    // Whoever might invoke the artifact may use the tool.
    requiredCapabilities: ["tool:artifact_invoke"],
    uses: ["principal", ...uses],
    examples: examples.map(({ method: _method, description, input, output }) => ({
      ...(description === undefined ? {} : { description }),
      input,
      ...(output === undefined
        ? { matches: { type: "object" } }
        : { output: isWrapped(one) ? { result: output } : output }),
    })),
  });
  return `# yaml-language-server: $schema=../../schemas/tool.schema.json\n${yaml}`;
}

/** The output of a tool is an object; what an artifact returns need be none. */
function isWrapped({ outputSchema }: Interface): boolean {
  return outputSchema?.["type"] !== "object";
}

function toOutput(one: Interface): object {
  const { outputSchema = {} } = one;
  if (!isWrapped(one)) return outputSchema;
  const { $defs, $id: _id, $schema: _schema, ...result } = outputSchema;
  const definitions = $defs === undefined ? {} : { $defs };
  return {
    type: "object",
    required: ["result"],
    properties: { result },
    additionalProperties: false,
    ...definitions,
  };
}

function writeHandler({ name, revision, owner }: Promotable, method: string | undefined, one: Interface): string {
  const facts = [
    `  artifact: { name: ${JSON.stringify(name)}, revision: ${revision}, owner: ${JSON.stringify(owner)} },`,
    ...(method === undefined ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(isWrapped(one) ? ["  isWrapped: true,"] : []),
  ];
  return `import { createPromoted } from "../_lib/artifacts/run-promoted.ts";
import * as module from "../_lib/promoted/${name}.ts";

export default createPromoted(module, {
${facts.join("\n")}
});
`;
}

function writeTest(stem: string): string {
  return `import { describe, test } from "vitest";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();

describe("${stem}", () => {
  test("keeps the promises of its examples", () => keepPromises(checkout, "${stem}"));
});
`;
}

function toToolName(name: string, method: string | undefined): string {
  return method === undefined ? name : `${name}.${method}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{C}|\p{Z}/gu, " ");
}
