import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { DESCRIPTION, INPUT_SCHEMA, OUTPUT_SCHEMA, add, toToolName } from "./contract.ts";

/** The tool that adds like the others, and also keeps the sum under the call's label. */
export const KEEPING_TOOL = "add_and_keep";

const HANDLER = `${add}\nexport default add;\n`;
const KEEPING_HANDLER = `${add}
export default async function addAndKeep(input, ctx) {
  const output = add(input);
  await ctx.state.set([input.label], output.sum);
  return output;
}
`;

/**
 * Makes a bare repository of an agent with that many tools, and as many versions: tags from v1.0.0 on, in each of which the
 * first tool's handler is another text.
 */
export async function createAgentRepository(path: string, tools: number, versions: number): Promise<void> {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", path]);
  const importing = spawn("git", ["-C", path, "fast-import", "--quiet"], { stdio: ["pipe", "ignore", "inherit"] });
  for (let at = 0; at < versions; at += 1) {
    const files = at === 0 ? toFiles(tools) : { "tools/runner/add_0.ts": `// Revision ${at}.\n${HANDLER}` };
    importing.stdin.write(toCommit(at, { ...files, "versions.yaml": toVersionsYaml(toVersion(at)) }));
  }
  importing.stdin.end();
  const [code] = (await once(importing, "close")) as [number | null];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
}

export function toVersion(index: number): string {
  return `1.0.${index}`;
}

function toFiles(tools: number): Record<string, string> {
  const names = Array.from({ length: tools }, (_, index) => toToolName(index));
  return {
    "manifests/agent.yaml": "name: bench\ndescription: An agent to measure with.\nhostApi: 1.0.0\n",
    "manifests/runner/server.yaml": "name: runner\ndescription: What there is to run.\n",
    "manifests/keeper/server.yaml": "name: keeper\ndescription: What there is to keep.\n",
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`manifests/runner/${name}.yaml`, toManifest(name)],
        [`tools/runner/${name}.ts`, HANDLER],
      ]),
    ),
    // On a server of its own, so that its neighbours' list is as long as everybody else's.
    [`manifests/keeper/${KEEPING_TOOL}.yaml`]: toManifest(KEEPING_TOOL, {
      sideEffect: true,
      uses: ["state.read", "state.write"],
    }),
    [`tools/keeper/${KEEPING_TOOL}.ts`]: KEEPING_HANDLER,
  };
}

/** JSON is YAML too. */
function toManifest(name: string, more: object = {}): string {
  const tool = { name, version: "1.0.0", description: DESCRIPTION, input: INPUT_SCHEMA, output: OUTPUT_SCHEMA };
  return `${JSON.stringify({ ...tool, ...more }, undefined, 2)}\n`;
}

function toVersionsYaml(current: string): string {
  return `current: ${current}\nversions:\n  ${current}:\n    changes: ["Another one."]\n`;
}

function toCommit(at: number, files: Readonly<Record<string, string>>): string {
  const changes = Object.entries(files).map(
    ([name, text]) => `M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const head = `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + at * 60} +0000\ndata 0\n`;
  return `${head}${changes.join("")}\nreset refs/tags/v${toVersion(at)}\nfrom refs/heads/main\n\n`;
}
