import { covers } from "../covers.ts";
import { surfaceDigest, toSurface } from "../surface.ts";
import type { Prompt, Server, Tool, Version } from "../version.ts";
import { linkProgram } from "./handlers/link-program.ts";
import type { Parts } from "./parts.ts";

/** Puts together the version that files without problems make; undefined when a file that every version has is not there. */
export function assembleVersion(commit: string, parts: Parts): Version | undefined {
  const { agent, parameters } = parts;
  const history = parts.history?.history;
  if (!agent || !history) return undefined;
  const tools = new Map<string, Tool>();
  const calls = parts.policies.flatMap(({ policy }) => policy.calls ?? []);
  for (const { tool, limits } of parts.tools.values()) {
    const complete = Object.freeze({ ...agent.defaults.limits, ...limits });
    const ofPolicies = calls.filter((call) => call.tools.some((entry) => covers(entry, tool.name)));
    const approvals = Object.freeze([...tool.approvals, ...ofPolicies.map(({ approval }) => approval)]);
    tools.set(tool.name, Object.freeze({ ...tool, approvals, limits: complete }));
  }
  const servers = new Map<string, Server>();
  for (const [name, { problem: _problem, saysState: _saysState, ...server }] of parts.servers) {
    const own = [...tools.values()].filter((tool) => tool.server === name);
    const interactive = own.some((tool) => tool.interactive) || server.prompts.some(asks);
    servers.set(name, Object.freeze({ ...server, tools: Object.freeze(own), interactive }));
  }
  const handlers = [...tools.values()].map(({ handler }) => handler);
  const memory = Math.max(...[...tools.values()].map(({ limits }) => limits.memory), agent.defaults.limits.memory);
  let fingerprint: string | undefined;
  const version: Version = Object.freeze({
    commit,
    semver: history.current,
    agent,
    servers,
    tools,
    parameters,
    policies: Object.freeze(parts.policies.map(({ policy }) => policy)),
    upstreams: new Map(parts.upstreams.map(({ upstream }) => [upstream.name, upstream])),
    workflows: new Map(parts.workflows.map(({ workflow }) => [workflow.name, workflow])),
    history,
    manifests: parts.manifests,
    program: linkProgram(commit, handlers, parts.modules, memory),
    fingerprint: () => (fingerprint ??= surfaceDigest(toSurface(version))),
  });
  return version;
}

function asks(prompt: Prompt): boolean {
  return prompt.arguments.some(({ ask }) => ask !== undefined);
}
