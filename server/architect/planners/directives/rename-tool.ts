import type { Tool, Version } from "../../../versions/version.ts";
import { refuse, toList } from "../../guard/refuse.ts";
import { editYaml } from "../../edit/edit-yaml.ts";
import type { Bench } from "./bench.ts";
import type { Deed } from "./phrase.ts";

/**
 * Gives a tool another name within its server, with its manifest, its handler, its test and its recordings, and with what
 * policies say of it. Refuses where something else of this version calls it by its name.
 */
export function renameTool(version: Version, tool: Tool, name: string): Deed {
  const [server, stem, ...rest] = name.split(".");
  if (server !== tool.server || stem === undefined || rest.length > 0 || !/^[a-z][a-z0-9_]{0,63}$/.test(stem))
    throw refuse(
      `\`${name.slice(0, 100)}\` is no name for a tool of the server \`${tool.server}\`.`,
      `Say "${tool.server}." and a name in small letters.`,
    );
  if (version.tools.has(name)) throw refuse(`There is a tool \`${name}\` already.`, "Give it another name.");
  refuseCallers(version, tool);
  return async (bench) => {
    const old = tool.name.slice(tool.server.length + 1);
    const move = async (path: string, change: (text: string) => string) => {
      const text = await bench.read(path);
      if (text === undefined) return;
      await bench.write(path.replace(new RegExp(`(?<=/)${old}(?=\\.[^/]*$)`), stem), change(text));
      await bench.write(path, null);
    };
    await move(tool.file, (text) => toRenamed(text, tool, name));
    const folder = tool.handler.slice(0, tool.handler.lastIndexOf("/") + 1);
    const beside = bench.ground.files.filter(
      (path) => path.startsWith(`${folder}${old}.`) || path.startsWith(`test/${folder}${old}.`),
    );
    for (const path of beside)
      await move(path, (text) => text.replaceAll(tool.name, name).replaceAll(`/${old}.ts`, `/${stem}.ts`));
    await followInPolicies(bench, tool, name);
    bench.say(`The tool \`${tool.name}\` is called \`${name}\`.`);
    bench.need("major");
  };
}

function refuseCallers(version: Version, tool: Tool): void {
  const workflows = [...version.workflows.values()].filter(({ steps }) =>
    steps.some((step) => step.tool === tool.name),
  );
  const tools = [...version.tools.values()].filter(
    (other) => other !== tool && version.program.modules.get(other.handler)?.includes(tool.name) === true,
  );
  const users = [...workflows, ...tools].map((one) => one.name);
  if (users.length > 0)
    throw refuse(`\`${tool.name}\` is named by ${toList(users)}.`, "Attach a diff that changes these as well.");
}

/** The text of a tool's manifest under its other name. */
function toRenamed(text: string, tool: Tool, name: string): string {
  return editYaml(text, { kind: "set", path: ["name"], value: name }).replaceAll(`tool:${tool.name}`, `tool:${name}`);
}

/** Grants and limits that name the tool name it anew. */
async function followInPolicies(bench: Bench, tool: Tool, name: string): Promise<void> {
  const right = `tool:${tool.name}`;
  for (const { file, roles, limits } of bench.ground.version.policies) {
    const own = limits.tools?.[tool.name];
    if (own !== undefined) {
      await bench.remove(file, ["limits", "tools", tool.name]);
      await bench.set(file, ["limits", "tools", name], { ...own });
    }
    for (const [role, capabilities] of roles) {
      if (!capabilities.includes(right)) continue;
      const at = capabilities.indexOf(right);
      await bench.adapt(file, { kind: "set", path: ["roles", role, at], value: `tool:${name}` });
    }
  }
}
