import type { Limits } from "../../versions/version.ts";
import { findExampleOverreach } from "./find-example-overreach.ts";
import { listTexts, memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Manifest, Overreach, OverreachGround, OverreachRule } from "./overreach.ts";

/** What a tool would be allowed that it is not now, or what it would not keep to any more. */
export function findToolOverreach(
  { path, before, after }: ChangedManifest,
  { limits, requiresCapabilities }: OverreachGround,
): readonly Overreach[] {
  // That its file goes is a finding already.
  if (after === undefined) return [];
  const old = before ?? {};
  const name = String(before?.["name"] ?? after["name"] ?? path);
  const names = [name, name.slice(name.indexOf(".") + 1)];
  const find = (
    rule: OverreachRule,
    message: string,
    sentence: string,
    ...words: readonly (readonly string[])[]
  ): Overreach => ({ rule, path, message, ask: { sentence, words: [names, ...words] } });
  const tool = `\`${name}\``;
  const gained = (key: string) => listTexts(after[key]).filter((item) => !listTexts(old[key]).includes(item));
  const lost = (key: string) => listTexts(old[key]).filter((item) => !listTexts(after[key]).includes(item));
  const turns = (key: string, from: boolean, byDefault: boolean) =>
    before !== undefined && (old[key] ?? byDefault) === from && (after[key] ?? byDefault) === !from;

  return [
    ...gained("egress").map((host) =>
      find(
        "egress",
        `${tool} could reach \`${host}\`.`,
        `Add \`${host}\` to the egress of ${tool}.`,
        ["egress"],
        [host],
      ),
    ),
    ...gained("uses").map((syscall) =>
      find(
        "uses",
        `The handler of ${tool} could use \`${syscall}\`.`,
        `Add \`${syscall}\` to the uses of ${tool}.`,
        ["uses", "syscall", "syscalls"],
        [syscall],
      ),
    ),
    ...lost("requiredCapabilities").map((capability) =>
      find(
        "capability",
        `Callers of ${tool} would not need \`${capability}\` any more.`,
        `Remove \`${capability}\` from the requiredCapabilities of ${tool}.`,
        ["requiredCapabilities", "capability", "capabilities"],
        [capability],
      ),
    ),
    ...(before === undefined && requiresCapabilities && listTexts(after["requiredCapabilities"]).length === 0
      ? [
          find(
            "capability",
            `The new tool ${tool} would require no capability, as others of this version do.`,
            `Leave the requiredCapabilities of ${tool} empty.`,
            ["requiredCapabilities", "capability", "capabilities"],
            ["empty"],
          ),
        ]
      : []),
    ...((old["tenantScoped"] ?? true) !== false && after["tenantScoped"] === false
      ? [
          find(
            "tenancy",
            `${tool} would not keep tenants apart (\`tenantScoped: false\`).`,
            `Set tenantScoped of ${tool} to false.`,
            ["tenantScoped"],
            ["false"],
          ),
        ]
      : []),
    ...findLimitOverreach(name, path, old["limits"], after["limits"], limits),
    ...lost("redact").map((pointer) =>
      find(
        "redaction",
        `The value at \`${pointer}\` of ${tool} would show in logs and records.`,
        `Remove \`${pointer}\` from redact of ${tool}.`,
        ["redact"],
        [pointer],
      ),
    ),
    ...(old["record"] !== true && after["record"] === true
      ? [
          find(
            "recording",
            `Inputs and outputs of ${tool} could be kept.`,
            `Set record of ${tool} to true.`,
            ["record"],
            ["true"],
          ),
        ]
      : []),
    ...(turns("sideEffect", false, false) || turns("sideEffect", true, false)
      ? [
          find(
            "side-effect",
            `${tool} would ${after["sideEffect"] === true ? "have side effects" : "claim to have no side effects"}.`,
            `Set sideEffect of ${tool} to ${String(after["sideEffect"] === true)}.`,
            ["sideEffect"],
            [String(after["sideEffect"] === true)],
          ),
        ]
      : []),
    ...(before !== undefined && unitsOf(after) < unitsOf(before)
      ? [
          find(
            "cost",
            `A call of ${tool} would count ${unitsOf(after)} units, and counts ${unitsOf(before)}.`,
            `Lower the cost of ${tool} to ${unitsOf(after)} units.`,
            ["cost"],
            [String(unitsOf(after))],
          ),
        ]
      : []),
    ...(before !== undefined && after["name"] !== before["name"]
      ? [
          find(
            "renamed",
            `${tool} would be called \`${String(after["name"])}\`.`,
            `Rename ${tool} to \`${String(after["name"])}\`.`,
            ["rename"],
            [String(after["name"])],
          ),
        ]
      : []),
    ...findExampleOverreach(name, { path, before, after }),
  ];
}

/** Limits that would be higher than they are, what is not said being `defaults`. */
export function findLimitOverreach(
  name: string,
  path: string,
  before: unknown,
  after: unknown,
  defaults: Limits,
): readonly Overreach[] {
  const keys: readonly (keyof Limits)[] = ["time", "cpu", "memory", "payload"];
  return keys.flatMap((key) => {
    const [old, young] = [limitOf(before, key, defaults), limitOf(after, key, defaults)];
    if (young <= old) return [];
    const message = `The limit \`${key}\` of \`${name}\` would be ${young}, and is ${old}.`;
    const sentence = `Raise the limit \`${key}\` of \`${name}\` to ${young}.`;
    const names = [name, name.slice(name.indexOf(".") + 1)];
    const words = [names, ["limit", "limits"], [key], [String(young)]];
    return [{ rule: "limit", path, message, ask: { sentence, words } }];
  });
}

function limitOf(limits: unknown, key: keyof Limits, defaults: Limits): number {
  const value = memberOf(limits, key);
  return typeof value === "number" ? value : defaults[key];
}

function unitsOf(tool: Manifest): number {
  const units = memberOf(tool["cost"], "units");
  return typeof units === "number" ? units : 0;
}
