import { RELEASE } from "../config/optional-package.ts";
import type { SharedSettings } from "../config/shared-settings.ts";
import type { Nodes } from "../instance/nodes.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { isObject } from "../json/is-object.ts";
import type { Log } from "../log/log.ts";
import type { CheckResult, HealthCheck } from "./health.ts";

/** Answer of a node to `/nodes/hello`. */
export type Hello = {
  readonly release: string;
  /** Digest of each shared setting, by its variable. */
  readonly settings: Readonly<Record<string, string>>;
};

export interface NodesCheckOptions {
  readonly nodes: Nodes;
  /** Answer of this node itself. */
  readonly hello: () => Promise<Hello>;
}

/** Findings of one look at all nodes. */
interface Look {
  /** Says whether this node is reached at its own address. */
  readonly isReached: boolean;
  readonly others: readonly SeenNode[];
}

interface SeenNode {
  readonly label: string;
  readonly release: string;
  readonly answers: boolean;
  /** Variables of the settings that are not this node's. */
  readonly differs: readonly string[];
}

/** Milliseconds for a node to answer one who waits for the check. */
const ANSWER_MS = 500;
/** Milliseconds for a node to answer one who starts, for which nobody waits. */
const START_ANSWER_MS = 10_000;

const REPOSITORY_RISK =
  "Unless both CAIRN_REPO lead to one repository, a tag of either can take its version number away from the whole service: what the first node sees counts for all.";

/** Creates what this node answers others: its release, and digests of its settings, by which no secret can be guessed. */
export function createHello(nodes: Nodes, loadSettings: () => Promise<SharedSettings>): () => Promise<Hello> {
  return async () => {
    const settings = Object.entries(await loadSettings()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, nodes.digest(`${name}\n${canonicalJson(value)}`)]],
    );
    return { release: RELEASE, settings: Object.fromEntries(settings) };
  };
}

/** Creates the checks of all nodes: whether each is reached at the address that it gave, and has the settings of this one. */
export function createNodesChecks(options: NodesCheckOptions): readonly HealthCheck[] {
  const { nodes } = options;
  let running: Promise<Look> | undefined;
  const look = () =>
    (running ??= lookAt(options, AbortSignal.timeout(ANSWER_MS)).finally(() => {
      running = undefined;
    }));
  return [
    { name: "nodes:reachable", run: async () => judgeReached(nodes, await look()) },
    { name: "nodes:settings", run: async () => judgeSettings(await look()) },
  ];
}

/** Compares this node once with all others, after its start, and logs what is wrong. `ending` ends that without a word. */
export async function logNodes(options: NodesCheckOptions, log: Log, ending: AbortSignal): Promise<void> {
  const look = await lookAt(options, AbortSignal.any([ending, AbortSignal.timeout(START_ANSWER_MS)]));
  if (ending.aborted) return;
  if (!look.isReached) log.warn(showUnreached(options.nodes));
  for (const { differs, label } of look.others) {
    if (differs.length > 0) log.warn({ node: label, differs }, showDifferences({ differs, label }));
  }
}

async function lookAt({ nodes, hello }: NodesCheckOptions, signal: AbortSignal): Promise<Look> {
  const others = (await nodes.list()).filter(({ id, address }) => id !== nodes.self.id && address !== undefined);
  const [own, self, ...answers] = await Promise.all([
    hello(),
    ...[nodes.self, ...others].map(({ id }) => ask(nodes, id, signal)),
  ]);
  return {
    isReached: self !== undefined,
    others: others.map(({ label, release }, at) => {
      const answer = answers[at];
      return { label, release, answers: answer !== undefined, differs: compare(own.settings, answer) };
    }),
  };
}

/** Asks a node for its settings, which releases of before have none of; `undefined` where it does not answer, or another does. */
async function ask(
  nodes: Nodes,
  id: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await nodes.request(id, { method: "POST", path: "/nodes/hello", body: "null", signal });
    const said: unknown = await response.json();
    if (response.status !== 200 || !isObject(said) || typeof said["release"] !== "string") return undefined;
    return isObject(said["settings"]) ? said["settings"] : {};
  } catch {
    return undefined;
  }
}

/** Finds settings that both know and that differ. */
function compare(own: Hello["settings"], other: Readonly<Record<string, unknown>> = {}): readonly string[] {
  return Object.keys(own).filter((name) => Object.hasOwn(other, name) && own[name] !== other[name]);
}

function judgeReached(nodes: Nodes, { isReached, others }: Look): CheckResult {
  const observedValue = [
    { node: nodes.self.label, release: RELEASE, answers: isReached },
    ...others.map(({ label, release, answers }) => ({ node: label, release, answers })),
  ];
  const silent = others.filter(({ answers }) => !answers).length;
  const output = [
    ...(isReached ? [] : [showUnreached(nodes)]),
    ...(silent === 0 ? [] : [`${silent} nodes do not answer at their CAIRN_NODE_ADDRESS.`]),
  ].join(" ");
  return output === "" ? { status: "pass", observedValue } : { status: "warn", observedValue, output };
}

function judgeSettings({ others }: Look): CheckResult {
  const differing = others.filter(({ differs }) => differs.length > 0);
  if (differing.length === 0) return { status: "pass" };
  const observedValue = differing.map(({ label, differs }) => ({ node: label, differs }));
  return { status: "warn", observedValue, output: differing.map(showDifferences).join(" ") };
}

function showUnreached({ self }: Nodes): string {
  return `This node is not reached at its CAIRN_NODE_ADDRESS ${self.address ?? ""}.`;
}

function showDifferences({ label, differs }: Pick<SeenNode, "label" | "differs">): string {
  const sentence = `The node ${label} has other ${differs.join(", ")}.`;
  return differs.includes("CAIRN_REPO") ? `${sentence} ${REPOSITORY_RISK}` : sentence;
}
