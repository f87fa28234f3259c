import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

const TOOLS = 8;

/** Makes a bare repository of `size` tags with 20 files each, of which every tag changes three: the list of versions, and a tool with its code. */
export async function generateVersions(path: string, size: number): Promise<void> {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", path]);
  const importing = spawn("git", ["-C", path, "fast-import", "--quiet"], { stdio: ["pipe", "ignore", "inherit"] });
  for (let at = 0; at < size; at += 1) {
    const files = new Map([["versions.yaml", versionsYaml(`1.${at}.0`)]]);
    const tools = at === 0 ? Array.from({ length: TOOLS }, (_, tool) => tool) : [at % TOOLS];
    for (const tool of tools) {
      files.set(`manifests/runner/tool_${tool}.yaml`, toolYaml(tool, at));
      files.set(`tools/runner/tool_${tool}.ts`, toolCode(tool, at));
    }
    if (at === 0) {
      files.set("manifests/agent.yaml", 'name: bench\ndescription: An agent to measure with.\nhostApi: "1.0.0"\n');
      files.set("manifests/runner/server.yaml", "name: runner\ndescription: What there is to run.\n");
      files.set("README.md", "# Bench\n");
    }
    const commit = `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + at * 60} +0000\ndata 0\n`;
    const changes = [...files].map(
      ([name, text]) => `M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
    const more = importing.stdin.write(
      `${commit}${changes.join("")}\nreset refs/tags/v1.${at}.0\nfrom refs/heads/main\n\n`,
    );
    if (!more) await once(importing.stdin, "drain");
  }
  importing.stdin.end();
  await once(importing, "close");
}

export function versionsYaml(current: string): string {
  return `current: ${current}\nversions:\n  ${current}:\n    changes: ["Another one."]\n`;
}

function toolYaml(tool: number, revision: number): string {
  const properties = ["place", "unit", "day", "language"]
    .map((name) => `    ${name}: { type: string, maxLength: 200, description: "The ${name}." }\n`)
    .join("");
  const schema = `  type: object\n  additionalProperties: false\n  properties:\n${properties}`;
  const head = `name: tool_${tool}\nversion: 1.${revision}.0\ndescription: Does thing ${tool}, revision ${revision}.\n`;
  return `${head}input:\n${schema}output:\n${schema}`;
}

function toolCode(tool: number, revision: number): string {
  const lines = Array.from(
    { length: 30 },
    (_, line) => `  const value${line}: number = ${line} + ${tool} * ${revision};\n`,
  );
  return `export default function run(input: { place?: string }) {\n${lines.join("")}  return { place: input.place, day: String(value1) };\n}\n`;
}
