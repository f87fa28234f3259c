import { covers } from "../../versions/covers.ts";
import { createPart, type Part, toId } from "./graph.ts";
import { follow, listTexts, type Outline } from "./read-outline.ts";

/** agent.yaml: the defaults of every tool, and the host API that handlers are written for. */
export function readAgentPart(file: string, outline: Outline): Part {
  const { part, node, edge } = createPart(file);
  const agent = node("agent");
  const hostApi = follow(outline, "hostApi")?.line;
  edge(agent, "names", node("host-api", "", hostApi), hostApi);
  return part;
}

/** A parameter set, its parameters, and what its experiment learns from the tools that read it. */
export function readExperimentPart(file: string, name: string, outline: Outline, readers: readonly string[]): Part {
  const { part, node, edge } = createPart(file);
  const experiment = node("experiment", name);
  for (const [parameter, { line }] of follow(outline, "parameters")?.keys ?? []) {
    edge(experiment, "has", node("parameter", `${name}.${parameter}`, line), line);
  }
  const tuned = follow(outline, "experiment");
  if (tuned === undefined) return part;
  const evidence = node("evidence", name, tuned.line);
  edge(evidence, "was learnt by", experiment, tuned.line);
  for (const tool of readers) edge(evidence, "was learnt from", toId("tool", tool), tuned.line);
  return part;
}

/** Requests of all tools to policies. */
export interface Asked {
  readonly capabilities: readonly string[];
  /** Names of tools that name hosts. */
  readonly egress: readonly string[];
}

/** A policy, its roles, and what they grant of the capabilities that tools require. */
export function readPolicyPart(file: string, name: string, outline: Outline, asked: Asked): Part {
  const { part, node, edge } = createPart(file);
  const policy = node("policy", name);
  const known = new Set(asked.capabilities);
  for (const [roleName, grants] of follow(outline, "roles")?.keys ?? []) {
    const role = node("role", roleName, grants.line);
    edge(role, "is declared in", policy, grants.line);
    for (const { text: grant, line } of listTexts(grants)) {
      const granted = grant.endsWith("*") ? asked.capabilities.filter((one) => covers(grant, one)) : [grant];
      for (const one of granted) if (known.has(one)) edge(node("capability", one, line), "is granted by", role, line);
    }
  }
  for (const [tool, { line }] of follow(outline, "limits", "tools")?.keys ?? []) {
    edge(toId("tool", tool), "is limited by", policy, line);
  }
  const egress = follow(outline, "egress");
  if (egress !== undefined) {
    for (const tool of asked.egress) edge(toId("tool", tool), "reaches hosts allowed by", policy, egress.line);
  }
  return part;
}

/** versions.yaml: the versions that are listed, where each came from, and the labels on them. */
export function readHistoryPart(file: string, outline: Outline): Part {
  const { part, node, edge } = createPart(file);
  const versions = follow(outline, "versions")?.keys ?? new Map<string, Outline>();
  for (const [name, entry] of versions) {
    const version = node("version", name, entry.line);
    const parent = follow(entry, "parent");
    // A commit is no node.
    if (parent?.text !== undefined && versions.has(parent.text)) {
      edge(version, "was made from", toId("version", parent.text), parent.line);
    }
  }
  for (const [name, { text = "", line }] of follow(outline, "labels")?.keys ?? []) {
    const label = node("label", name, line);
    if (versions.has(text)) edge(label, "points to", toId("version", text), line);
  }
  return part;
}

/** An upstream, which tools call as their manifests say. */
export function readUpstreamPart(file: string, stem: string, outline: Outline): Part {
  const { part, node } = createPart(file);
  node("upstream", stem, follow(outline, "name")?.line);
  return part;
}

/** A workflow does its steps by calling tools. */
export function readWorkflowPart(file: string, stem: string, outline: Outline): Part {
  const { part, node, edge } = createPart(file);
  const workflow = node("workflow", stem, follow(outline, "name")?.line);
  for (const step of follow(outline, "steps")?.items ?? []) {
    const tool = follow(step, "tool");
    if (tool?.text !== undefined) edge(workflow, "calls", toId("tool", tool.text), tool.line);
  }
  return part;
}
