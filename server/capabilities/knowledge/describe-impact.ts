import type { GraphEdge, GraphNode, NodeKind } from "./graph.ts";

/** Names of one kind in a sentence; more are counted. */
const MAX_NAMES = 8;

/** A reached node and the edges from it to what is changed. */
export interface Dependent {
  readonly node: GraphNode;
  readonly chain: readonly GraphEdge[];
}

/**
 * Describes the reach of a change in a sentence: "Changing `tools/_lib/units.ts` affects `runner.get_weather`, 3 examples
 * and experiment `weather`." `subjects` are the changed parts, as the caller named them; `mentions` counts the nodes that
 * only name them.
 */
export function describeImpact(
  subjects: readonly string[],
  dependents: readonly Dependent[],
  mentions: number,
): string {
  const changing = `Changing ${joinWords(nameSome(subjects.map(quote), "other file"))}`;
  const phrases = KINDS.flatMap(([kind, one, many, isNamed]) => {
    const found = dependents.filter(({ node }) => node.kind === kind);
    if (found.length === 0) return [];
    if (kind === "tool") return nameSome(found.map(toToolPhrase), "other tool");
    if (!isNamed) return [`${found.length} ${found.length === 1 ? one : many}`];
    const names = nameSome(
      found.map(({ node }) => quote(node.name)),
      "more",
    );
    return [`${found.length === 1 ? one : many} ${joinWords(names)}`];
  });
  const affects = `${changing} affects ${phrases.length === 0 ? "nothing else" : joinWords(phrases)}.`;
  if (mentions === 0) return affects;
  return `${affects} ${mentions} more only ${mentions === 1 ? "names it, uses its types or has" : "name it, use its types or have"} its form.`;
}

/** Each step of a chain as a clause: "`tool:runner.chat` is handled by `handler:tools/runner/chat.ts`". */
export function describeChain(chain: readonly GraphEdge[]): string {
  return chain
    .map(({ from, why, to }, index) =>
      index === 0 ? `${quote(from)} ${why} ${quote(to)}` : `which ${why} ${quote(to)}`,
    )
    .join(", ");
}

/** In the order of the sentence: what a kind is called, in the plural, and whether by name or only counted. */
const KINDS: readonly (readonly [NodeKind, string, string, boolean])[] = [
  ["tool", "tool", "tools", true],
  ["agent", "the agent", "the agent", false],
  ["server", "server", "servers", true],
  ["handler", "handler", "handlers", false],
  ["module", "module", "modules", false],
  ["resource", "resource", "resources", false],
  ["prompt", "prompt", "prompts", false],
  ["example", "example", "examples", false],
  ["test", "test file", "test files", false],
  ["page", "page", "pages", true],
  ["schema", "schema", "schemas", false],
  ["policy", "policy", "policies", true],
  ["role", "role", "roles", true],
  ["capability", "capability", "capabilities", true],
  ["parameter", "parameter", "parameters", true],
  ["experiment", "experiment", "experiments", true],
  ["evidence", "what is learnt by experiment", "what is learnt by experiments", true],
  ["version", "version", "versions", true],
  ["label", "label", "labels", true],
];

/** A tool that is reached through another one says so. */
function toToolPhrase({ node, chain }: Dependent): string {
  const call = chain.find(({ why }) => why === "calls" || why === "includes");
  if (call === undefined) return quote(node.name);
  const callee = call.to.replace(/^tool:/, "");
  return `${quote(node.name)} (${call.why === "calls" ? "calls" : "may call"} ${quote(callee)})`;
}

function nameSome(names: readonly string[], rest: string): readonly string[] {
  if (names.length <= MAX_NAMES) return names;
  const left = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), `${left} ${rest}${left === 1 || rest === "more" ? "" : "s"}`];
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "nothing";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

function quote(text: string): string {
  return `\`${text}\``;
}
