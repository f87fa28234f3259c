/** One tool for a test agent: the parts of its manifest that are not the plainest, and its handler's code. */
export interface AgentTool {
  readonly handler: string;
  readonly version?: string;
  readonly description?: string;
  /** More lines for the manifest, as YAML. */
  readonly manifest?: string;
}

export interface AgentOptions {
  readonly version: string;
  readonly tools: Readonly<Record<string, AgentTool>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly parent?: string;
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The files of an agent whose `runner` server has the tools given by their names without `runner.`. */
export function agentFiles({ version, tools, labels = {}, parent, files = {} }: AgentOptions): Record<string, string> {
  const labelLines = Object.entries(labels).map(([label, target]) => `  ${label}: ${target}\n`);
  return {
    "manifests/agent.yaml": "name: test-agent\ndescription: An agent for tests.\nhostApi: 1.0.0\n",
    "manifests/runner/server.yaml": RUNNER,
    "versions.yaml": [
      `current: ${version}\n`,
      labelLines.length === 0 ? "" : `labels:\n${labelLines.join("")}`,
      `versions:\n  ${version}:\n`,
      parent === undefined ? "" : `    parent: ${parent}\n`,
      `    changes:\n      - Changes of ${version}.\n`,
      ...[...new Set([...Object.values(labels), ...(parent === undefined ? [] : [parent])])]
        .filter((other) => other !== version)
        .map((other) => `  ${other}:\n    changes: []\n`),
    ].join(""),
    ...Object.fromEntries(
      Object.entries(tools).flatMap(([name, tool]) => [
        [`manifests/runner/${name}.yaml`, toManifest(name, tool)],
        [`tools/runner/${name}.ts`, tool.handler],
      ]),
    ),
    ...files,
  };
}

function toManifest(name: string, { version = "1.0.0", description = `Does ${name}.`, manifest }: AgentTool): string {
  const lines = [`name: runner.${name}`, `version: ${version}`, `description: ${description}`];
  if (!manifest?.includes("input:")) lines.push("input: { type: object }");
  if (!manifest?.includes("output:")) lines.push("output: { type: object }");
  return `${[...lines, ...(manifest === undefined ? [] : [manifest])].join("\n")}\n`;
}

/** The manifest of the `runner` server. */
export const RUNNER = `name: runner
description: The tools for tests.
instructions: Use them.
resources:
  - { uri: "state://active", name: Active, mimeType: application/json, provider: state.active }
  - { uri: "state://assets", name: Assets, mimeType: application/json, provider: state.assets }
  - { uri: "session://index", name: Sessions, mimeType: application/json, provider: session.index }
  - { uri: "logs://recent", name: Logs, mimeType: application/json, provider: logs.recent }
  - { uri: "compat://manifest", name: Surface, mimeType: application/json, provider: compat.manifest }
  - { uri: "s3://bucket/model.bin", name: Model, mimeType: application/octet-stream, link: true }
  - { uriTemplate: "session://index{?limit,before}", name: Pages of sessions, mimeType: application/json, provider: session.index }
  - { uriTemplate: "session://{conversation_id}", name: Session, mimeType: application/json, provider: session.read }
  - { uriTemplate: "logs://recent{?limit,before}", name: Pages of logs, mimeType: application/json, provider: logs.recent }
  - { uriTemplate: "logs://{conversation_id}", name: Logs of one, mimeType: application/json, provider: logs.read }
prompts:
  - name: greet
    description: Greets someone.
    arguments: [{ name: who, description: Whom, required: true }]
    messages: [{ role: user, text: "Say hello to {{who}}." }]
`;
