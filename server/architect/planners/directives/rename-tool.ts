import { covers } from "../../../versions/covers.ts";
import type { Tool, Version } from "../../../versions/version.ts";
import { refuse, toList } from "../../guard/refuse.ts";
import { editYaml } from "../../edit/edit-yaml.ts";
import type { Bench } from "./bench.ts";
import type { Deed } from "./phrase.ts";

const PART = /^[a-z][a-z0-9_]{0,63}$/;
const STEM = /^[a-z][a-z0-9_]{0,63}(?:\.[a-z][a-z0-9_]{0,63})?$/;

/**
 * Gives a tool another name within its server, with its manifest, its handler, its test and its recordings, and with what
 * policies say of it. Refuses where something else of this version calls it by its name.
 */
export function renameTool(version: Version, tool: Tool, name: string): Deed {
  // Names of tools may do without their server's.
  const prefix = tool.name.startsWith(`${tool.server}.`) ? `${tool.server}.` : "";
  const stem = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  if (!(prefix === "" ? STEM : PART).test(stem))
    throw refuse(
      `\`${name.slice(0, 100)}\` is no name for a tool of the server \`${tool.server}\`.`,
      `Say ${prefix === "" ? "" : `"${prefix}" and `}a name in small letters.`,
    );
  if (version.tools.has(name)) throw refuse(`There is a tool \`${name}\` already.`, "Give it another name.");
  refuseCallers(version, tool);
  return async (bench) => {
    const old = tool.name.slice(prefix.length);
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
  const [right, renamed] = [`tool:${tool.name}`, `tool:${name}`];
  for (const { file, roles, limits, calls = [] } of bench.ground.version.policies) {
    const own = limits.tools?.[tool.name];
    if (own !== undefined) {
      await bench.remove(file, ["limits", "tools", tool.name]);
      await bench.set(file, ["limits", "tools", name], { ...own });
    }
    for (const [role, capabilities] of roles) {
      const at = capabilities.indexOf(right);
      if (at >= 0) await bench.adapt(file, { kind: "set", path: ["roles", role, at], value: renamed });
      else if (capabilities.some((one) => covers(one, right)) && !capabilities.some((one) => covers(one, renamed)))
        await bench.addItem(file, ["roles", role], renamed);
    }
    for (const [index, { tools }] of calls.entries()) {
      const at = tools.indexOf(tool.name);
      if (at >= 0)
        await bench.adapt(file, { kind: "set", path: ["approvals", "calls", index, "tools", at], value: name });
    }
  }
}
