import { isObject } from "../../json/is-object.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Json } from "../../json/types.ts";
import type { Limits } from "../../versions/version.ts";
import { findExampleOverreach } from "./find-example-overreach.ts";
import { listItems, listTexts, memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Manifest, Overreach, OverreachGround, OverreachRule } from "./overreach.ts";

/** What one rule finds in a changed tool. The message has to name the tool beside the `words`. */
interface Finding {
  readonly rule: OverreachRule;
  readonly message: string;
  readonly sentence: string;
  readonly words: readonly (readonly string[])[];
}

/** A tool as it was and as it would be. */
interface ChangedTool extends Pick<OverreachGround, "limits" | "requiresCapabilities"> {
  readonly name: string;
  /** Its name in backquotes. */
  readonly tool: string;
  /** Undefined: it is new. */
  readonly before: Manifest | undefined;
  readonly after: Manifest;
}

/** Each finds one kind of thing that a tool would be allowed that it is not now. */
const RULES: readonly ((changed: ChangedTool) => readonly Finding[])[] = [
  ({ tool, before, after }) =>
    missing(after["egress"], before?.["egress"]).map((host) =>
      find(
        "egress",
        `${tool} could reach \`${host}\`.`,
        `Add \`${host}\` to the egress of ${tool}.`,
        ["egress"],
        [host],
      ),
    ),
  findCredentials,
  ({ tool, before, after }) =>
    missing(after["uses"], before?.["uses"]).map((syscall) =>
      find(
        "uses",
        `The handler of ${tool} could use \`${syscall}\`.`,
        `Add \`${syscall}\` to the uses of ${tool}.`,
        ["uses", "syscall", "syscalls"],
        [syscall],
      ),
    ),
  findFewerCapabilities,
  ({ tool, before, after }) => {
    const had = before?.["approval"];
    if (had === undefined || canonicalJson(had as Json) === canonicalJson((after["approval"] ?? null) as Json))
      return [];
    const message = `Other calls of ${tool} could run without a second person.`;
    return [find("approvals", message, `Change the approval of ${tool}.`, ["approval"])];
  },
  ({ tool, before, after }) => {
    if ((before?.["tenantScoped"] ?? true) === false || after["tenantScoped"] !== false) return [];
    const message = `${tool} would not keep tenants apart (\`tenantScoped: false\`).`;
    return [find("tenancy", message, `Set tenantScoped of ${tool} to false.`, ["tenantScoped"], ["false"])];
  },
  ({ name, before, after, limits }) => findHigherLimits(name, before?.["limits"], after["limits"], limits),
  ({ tool, before, after }) =>
    missing(before?.["redact"], after["redact"]).map((pointer) =>
      find(
        "redaction",
        `The value at \`${pointer}\` of ${tool} would show in logs and records.`,
        `Remove \`${pointer}\` from redact of ${tool}.`,
        ["redact"],
        [pointer],
      ),
    ),
  ({ tool, before, after }) => {
    const [had, has] = [toRecording(before?.["record"]), toRecording(after["record"])];
    if (has.tape && !had.tape) {
      const message = `What the handler of ${tool} is answered could be kept, with its inputs and outputs.`;
      return [
        find("recording", message, `Set record.tape of ${tool} to true.`, ["record.tape", "record", "tape"], ["true"]),
      ];
    }
    if (has.days > had.days && had.isKept) {
      const message = `Inputs and outputs of ${tool} could be kept for longer.`;
      return [
        find(
          "recording",
          message,
          `Set record.days of ${tool} to ${has.days}.`,
          ["record", "days"],
          [String(has.days)],
        ),
      ];
    }
    if (had.isKept || !has.isKept) return [];
    const message = `Inputs and outputs of ${tool} could be kept.`;
    return [find("recording", message, `Set record of ${tool} to true.`, ["record"], ["true"])];
  },
  ({ tool, before, after }) => {
    const [old, young] = [before, after].map((manifest) => memberOf(manifest?.["deprecated"], "sunset"));
    if (before === undefined || typeof young !== "string" || (typeof old === "string" && young >= old)) return [];
    const message = `Calls of ${tool} would end on ${young}.`;
    return [find("retirement", message, `Set the sunset of ${tool} to ${young}.`, ["sunset"], [young])];
  },
  ({ tool, before, after }) => {
    const [had, has] = [before?.["sideEffect"] ?? false, after["sideEffect"] ?? false];
    if (before === undefined || typeof had !== "boolean" || has !== !had) return [];
    const message = `${tool} would ${has ? "have side effects" : "claim to have no side effects"}.`;
    return [
      find("side-effect", message, `Set sideEffect of ${tool} to ${String(has)}.`, ["sideEffect"], [String(has)]),
    ];
  },
  ({ tool, before, after }) => {
    if (before === undefined || unitsOf(after) >= unitsOf(before)) return [];
    const message = `A call of ${tool} would count ${unitsOf(after)} units, and counts ${unitsOf(before)}.`;
    const sentence = `Lower the cost of ${tool} to ${unitsOf(after)} units.`;
    return [find("cost", message, sentence, ["cost"], [String(unitsOf(after))])];
  },
  ({ tool, before, after }) => {
    if (before === undefined || after["name"] === before["name"]) return [];
    const name = String(after["name"]);
    return [
      find("renamed", `${tool} would be called \`${name}\`.`, `Rename ${tool} to \`${name}\`.`, ["rename"], [name]),
    ];
  },
];

/** What is kept of calls; anything but `false` keeps something, whatever it says. */
function toRecording(record: unknown) {
  const { tape, days }: Manifest = isObject(record) ? record : {};
  return {
    isKept: record !== undefined && record !== false,
    tape: tape !== undefined && tape !== false,
    days: typeof days === "number" ? days : Number.POSITIVE_INFINITY,
  };
}

/** Finds what a tool would be allowed that it is not now, or what it would not keep to any more. */
export function findToolOverreach(
  { path, before, after }: ChangedManifest,
  { limits, requiresCapabilities }: OverreachGround,
): readonly Overreach[] {
  // That its file goes is a finding already.
  if (after === undefined) return [];
  const name = String(before?.["name"] ?? after["name"] ?? path);
  const changed = { name, tool: `\`${name}\``, before, after, limits, requiresCapabilities };
  const findings = RULES.flatMap((rule) => rule(changed));
  return [...toOverreach(name, path, findings), ...findExampleOverreach(name, { path, before, after })];
}

/** Finds limits that would be higher than they are; one that is not given is that of `defaults`. */
export function findLimitOverreach(
  name: string,
  path: string,
  before: unknown,
  after: unknown,
  defaults: Limits,
): readonly Overreach[] {
  return toOverreach(name, path, findHigherLimits(name, before, after, defaults));
}

function toOverreach(name: string, path: string, findings: readonly Finding[]): readonly Overreach[] {
  // A message may call a tool by its name with its server, or without.
  const names = [name, name.slice(name.indexOf(".") + 1)];
  return findings.map(({ rule, message, sentence, words }) => ({
    rule,
    path,
    message,
    ask: { sentence, words: [names, ...words] },
  }));
}

function find(
  rule: OverreachRule,
  message: string,
  sentence: string,
  ...words: readonly (readonly string[])[]
): Finding {
  return { rule, message, sentence, words };
}

/** Finds secrets that a tool would be given, or that would go elsewhere or be somebody else's than now. */
function findCredentials({ tool, before, after }: ChangedTool): readonly Finding[] {
  const known = new Set(listItems(before?.["secrets"]).map(canonicalJson));
  return listItems(after["secrets"]).flatMap((secret) => {
    if (known.has(canonicalJson(secret))) return [];
    const [name, owner] = [String(memberOf(secret, "name")), String(memberOf(secret, "of") ?? "service")];
    const hosts = listTexts(memberOf(secret, "hosts"));
    const shown = hosts.map((host) => `\`${host}\``).join(", ");
    const message = `${tool} would send the secret \`${name}\` of the ${owner} to ${shown}.`;
    const sentence = `Add the secret \`${name}\` of the ${owner} for ${shown} to ${tool}.`;
    return [
      find("credential", message, sentence, ["secret", "secrets"], [name], [owner], ...hosts.map((host) => [host])),
    ];
  });
}

function findFewerCapabilities({ tool, before, after, requiresCapabilities }: ChangedTool): readonly Finding[] {
  const words = ["requiredCapabilities", "capability", "capabilities"];
  const required = after["requiredCapabilities"];
  if (before === undefined) {
    if (!requiresCapabilities || listTexts(required).length > 0) return [];
    const message = `The new tool ${tool} would require no capability, as others of this version do.`;
    return [find("capability", message, `Leave the requiredCapabilities of ${tool} empty.`, words, ["empty"])];
  }
  return missing(before["requiredCapabilities"], required).map((capability) =>
    find(
      "capability",
      `Callers of ${tool} would not need \`${capability}\` any more.`,
      `Remove \`${capability}\` from the requiredCapabilities of ${tool}.`,
      words,
      [capability],
    ),
  );
}

/** Lists the texts of one list that another lacks. */
function missing(of: unknown, from: unknown): readonly string[] {
  return listTexts(of).filter((item) => !listTexts(from).includes(item));
}

function findHigherLimits(name: string, before: unknown, after: unknown, defaults: Limits): readonly Finding[] {
  const keys: readonly (keyof Limits)[] = ["time", "cpu", "memory", "payload"];
  return keys.flatMap((key) => {
    const [old, young] = [limitOf(before, key, defaults), limitOf(after, key, defaults)];
    if (young <= old) return [];
    const message = `The limit \`${key}\` of \`${name}\` would be ${young}, and is ${old}.`;
    const sentence = `Raise the limit \`${key}\` of \`${name}\` to ${young}.`;
    return [find("limit", message, sentence, ["limit", "limits"], [key], [String(young)])];
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
