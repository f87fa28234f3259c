import { surfaceDigest, toSurface } from "../../server/versions/surface.ts";
import type { Upstream } from "../../server/versions/upstream.ts";
import type { Server, Tool, Version } from "../../server/versions/version.ts";

/** A tool with every property set to its plainest value. */
export function createTestTool(overrides: Partial<Tool> & Pick<Tool, "name" | "server">): Tool {
  return {
    version: "1.0.0",
    description: `What ${overrides.name} does.`,
    input: { type: "object" },
    output: { type: "object" },
    deterministic: false,
    sideEffect: false,
    idempotent: true,
    cost: { units: 0 },
    requiredCapabilities: [],
    approvals: [],
    tenantScoped: true,
    session: "stateless",
    interactive: false,
    uses: new Set(),
    egress: [],
    upstreams: [],
    secrets: [],
    parameters: [],
    limits: { time: 10_000, cpu: 1000, memory: 64, payload: 1024 * 1024 },
    redact: [],
    record: false,
    tape: false,
    examples: [],
    checkInput: () => [],
    checkOutput: () => [],
    withDefaults: (input) => input,
    stripUndeclared: (output) => output,
    file: `manifests/${overrides.server}/${overrides.name}.yaml`,
    handler: `tools/${overrides.server}/${overrides.name}.ts`,
    ...overrides,
  };
}

export interface TestVersionOptions {
  readonly commit?: string;
  readonly semver?: string;
  readonly tools?: readonly (Partial<Tool> & Pick<Tool, "name" | "server">)[];
  readonly servers?: readonly (Partial<Server> & Pick<Server, "name">)[];
  readonly modules?: Readonly<Record<string, string>>;
  readonly upstreams?: readonly Upstream[];
}

/** A version made in memory, for tests of what is above the loader. */
export function createTestVersion(options: TestVersionOptions = {}): Version {
  const { commit = "c".repeat(40), semver = "1.0.0" } = options;
  const tools = (options.tools ?? []).map(createTestTool);
  const names = new Set([...(options.servers ?? []).map(({ name }) => name), ...tools.map(({ server }) => server)]);
  const servers = [...names].map((name): [string, Server] => [
    name,
    {
      name,
      description: `The ${name} server.`,
      errors: "tool",
      tools: tools.filter(({ server }) => server === name),
      resources: [],
      resourceTemplates: [],
      prompts: [],
      interactive: tools.some((tool) => tool.server === name && tool.interactive),
      file: `manifests/${name}/server.yaml`,
      ...options.servers?.find((server) => server.name === name),
    },
  ]);
  const version: Version = {
    commit,
    semver,
    agent: {
      name: "test-agent",
      description: "An agent for tests.",
      hostApi: "1.0.0",
      defaults: { limits: { time: 10_000, cpu: 1000, memory: 64, payload: 1024 * 1024 } },
      checks: [],
    },
    servers: new Map(servers),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    parameters: new Map(),
    policies: [],
    upstreams: new Map(options.upstreams?.map((upstream) => [upstream.name, upstream])),
    workflows: new Map(),
    history: { current: semver, labels: new Map(), versions: new Map([[semver, { changes: ["First."] }]]) },
    manifests: new Map(),
    program: { key: commit, modules: new Map(Object.entries(options.modules ?? {})), memory: 64 },
    fingerprint: () => surfaceDigest(toSurface(version)),
  };
  return version;
}
