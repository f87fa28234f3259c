import type { Tool, Version } from "../../../../versions/version.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import type { Bench } from "../bench.ts";
import { findTool, findWholeTool, requireTool } from "../find-tool.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { NOTE, retireTool, toReason } from "../retire-tool.ts";
import { TAKE, toPhrase } from "../to-phrase.ts";

const FLAGS: ReadonlyMap<string, string> = new Map(
  ["deterministic", "sideEffect", "idempotent", "tenantScoped", "interactive", "record"].map((flag) => [
    flag.toLowerCase(),
    flag,
  ]),
);
const FLAG = "deterministic|side ?effects?|idempotent|tenant[ -]?scoped|interactive|record(?:ed)?";
const WHY = String.raw`,?(?: (?:because|since(?! *\d)|as(?! (?:of|from)\b)|for the reason that) {reason})?`;
/** What is said of the end of a tool besides why: wishes in other words have it. */
const ENDING = /\d{4}-\d{2}-\d{2}|\b(?:sunset|successor|replacement|instead|in favou?r of)\b/i;

/** Whole tools: whether they are there, how long they will be, and what they promise. */
export const TOOL_PHRASES: readonly Phrase[] = [
  toPhrase(`deprecate (?:the tool )?{tool} (?:in favou?r of|for|and use|use) {instead}(?: instead)?${WHY}`, deprecate),
  toPhrase(`deprecate (?:the tool )?{tool}${WHY}`, deprecate),
  toPhrase(`(?:mark|flag|declare) (?:the tool )?{tool} (?:as )?deprecated${WHY}`, deprecate),
  toPhrase(`(?:undeprecate|un-deprecate) (?:the tool )?{tool}`, undeprecate),
  toPhrase(`${TAKE} (?:the )?tool {tool}`, remove),
  toPhrase(`${TAKE} {tool}`, remove),
  toPhrase(`(?:add|create) (?:a |an |the )?(?:new )?tool(?: {rest})?`, add),
  toPhrase(`(?:mark|declare|make) {tool} (?:as )?(?<not>not )?(?:as )?(?<flag>${FLAG})`, setFlag),
  toPhrase(`(?:set|change) (?:the )?(?:flag )?(?<flag>${FLAG}) (?:of|for) {tool} to (?<state>true|false)`, setFlag),
];

function deprecate(said: Said): Deed | undefined {
  const { version } = said.ground;
  const tool = findWholeTool(version, said.name("tool"));
  if (tool === undefined || ENDING.test(said.name("reason"))) return undefined;
  const successor = said.name("instead") === "" ? undefined : requireTool(version, said.name("instead")).name;
  return retireTool(tool, { successor, reason: toReason(said.name("reason")) });
}

function undeprecate(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  return tool && undeprecateTool(tool);
}

/** Takes back that a tool is deprecated. */
export function undeprecateTool(tool: Tool): Deed {
  const { description, deprecated } = tool;
  if (deprecated !== undefined)
    return async (bench) => {
      if (await bench.remove(tool.file, ["deprecated"])) bench.say(`\`${tool.name}\` is no longer deprecated.`);
      bench.need("patch");
    };
  const end = description.search(/(?:removes it|instead)\. /);
  if (!description.startsWith(NOTE) || end < 0) {
    throw refuse(`\`${tool.name}\` is not deprecated.`, "Name a tool that is deprecated.");
  }
  return async (bench) => {
    const isChanged = await bench.set(
      tool.file,
      ["description"],
      description.slice(description.indexOf(". ", end) + 2),
    );
    if (isChanged) bench.say(`\`${tool.name}\` is no longer deprecated.`);
    bench.need("patch");
  };
}

function remove(said: Said): Deed | undefined {
  const tool = findWholeTool(said.ground.version, said.name("tool"));
  return tool && removeTool(said.ground.version, tool);
}

/** Takes away the manifest, the handler and the test of a tool, and what policies say of it alone. Refuses where something could not do without it. */
export function removeTool(version: Version, tool: Tool): Deed {
  refuseNeeded(version, tool);
  return async (bench) => {
    await bench.write(tool.file, null);
    await bench.write(tool.handler, null);
    const test = `test/${tool.handler.replace(/\.ts$/, ".test.ts")}`;
    if (bench.ground.files.includes(test)) await bench.write(test, null);
    for (const { file, roles, limits } of version.policies) {
      if (Object.hasOwn(limits.tools ?? {}, tool.name)) await bench.remove(file, ["limits", "tools", tool.name]);
      for (const [role, capabilities] of roles)
        if (capabilities.includes(`tool:${tool.name}`))
          await bench.removeItem(file, ["roles", role], `tool:${tool.name}`);
    }
    bench.say(`The tool \`${tool.name}\` is removed.`);
    bench.need("major");
  };
}

function refuseNeeded(version: Version, tool: Tool): void {
  const workflows = [...version.workflows.values()].filter(({ steps }) =>
    steps.some((step) => step.tool === tool.name),
  );
  const users = workflows.map(({ name }) => name);
  if (users.length > 0) {
    throw refuse(
      `\`${tool.name}\` is named by ${toList(users)}, which could not do without it.`,
      "Attach a diff that changes these as well.",
    );
  }
  if (version.servers.get(tool.server)?.tools.length === 1) {
    throw refuse(
      `\`${tool.name}\` is the only tool of the server \`${tool.server}\`.`,
      "Attach a diff that removes the server with it.",
    );
  }
}

function add(): never {
  const accepted =
    'Attach a unified diff with its manifest, its handler and its test, or say "add the file <path>:" with the text in a fenced block below, for each of them.';
  throw refuse("A tool is added with its code, which cannot be made out of a sentence.", accepted);
}

function setFlag(said: Said): Deed | undefined {
  const tool = findTool(said.ground.version, said.name("tool"));
  const words = said
    .name("flag")
    .toLowerCase()
    .replaceAll(/[ -]/g, "")
    .replace("recorded", "record")
    .replace(/effects$/, "effect");
  const flag = FLAGS.get(words);
  if (tool === undefined || flag === undefined) return undefined;
  const state = said.name("state") === "" ? said.name("not") === "" : said.name("state").toLowerCase() === "true";
  return async (bench: Bench) => {
    const isChanged = await bench.set(tool.file, [flag], state);
    if (isChanged) bench.say(`\`${tool.name}\` says \`${flag}: ${state}\`.`);
  };
}
