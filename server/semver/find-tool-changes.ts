import type { Limits, Tool, Version } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { findApprovalChanges } from "./find-approval-changes.ts";
import { findInstructingText } from "./find-instructing-text.ts";
import { findSchemaChanges } from "./find-schema-changes.ts";
import { differs, findTextChanges } from "./find-text-changes.ts";
import { createReach } from "./declared/handler-reach.ts";
import type { Reading } from "./reading.ts";
import { createFinding, type Finding, placeIn, type Step } from "./finding.ts";

/** Finds differences of a tool, apart from its handler's code. One of the two may be absent. */
export function findToolChanges(was: Tool | undefined, is: Tool | undefined, reading: Reading): readonly Finding[] {
  if (is === undefined) return was === undefined ? [] : [toLifeFinding("tool-removed", was, "before")];
  if (was === undefined) return [toLifeFinding("tool-added", is, "after"), ...findInstruction(undefined, is)];
  const { name, server, file } = is;
  const find = (rule: BumpRule, message: string, ...path: Step[]) =>
    createFinding(rule, message, placeIn("after", file, ...path), { server, tool: name });
  const findOne = (member: string, rule: BumpRule, message: string, ...path: Step[]) =>
    createFinding(rule, message, placeIn("after", file, ...path), { server, tool: name, member });
  return [
    ...findFlagChanges(was, is, find),
    ...findCapabilityChanges(was, is, findOne),
    ...findApprovalChanges(was, is),
    ...findSecretChanges(was, is, findOne),
    ...findLimitChanges(was, is, findOne),
    ...findSchemaChanges(was, is, reading),
    ...findTapeChange(was, is, find),
    ...findWordingChanges(was, is, find, reading),
    ...findInstruction(was, is),
  ];
}

type Find = (rule: BumpRule, message: string, ...path: Step[]) => Finding;
type FindOne = (member: string, ...about: Parameters<Find>) => Finding;

function toLifeFinding(rule: "tool-removed" | "tool-added", { name, server, file }: Tool, side: "before" | "after") {
  const message = `The tool \`${name}\` is ${rule === "tool-added" ? "new" : "not there any more"}.`;
  return createFinding(rule, message, placeIn(side, file, "name"), { server, tool: name });
}

function findInstruction(was: Tool | undefined, is: Tool): readonly Finding[] {
  const found = findInstructingText(is.name, was === undefined ? {} : toTexts(was), toTexts(is));
  if (found === undefined) return [];
  const place = placeIn("after", is.file, found.key);
  return [createFinding("text-instructs", found.message, place, { server: is.server, tool: is.name })];
}

function toTexts({ title, description, input, output, examples }: Tool): object {
  return { title, description, input, output, examples };
}

interface Flag {
  readonly key: "deterministic" | "idempotent" | "sideEffect" | "interactive";
  readonly gained: readonly [BumpRule, string];
  readonly lost: readonly [BumpRule, string];
}

const FLAGS: readonly Flag[] = [
  {
    key: "deterministic",
    gained: ["determinism-gained", "is deterministic"],
    lost: ["determinism-lost", "is not deterministic any more"],
  },
  {
    key: "idempotent",
    gained: ["idempotence-gained", "is idempotent"],
    lost: ["idempotence-lost", "is not idempotent any more"],
  },
  {
    key: "sideEffect",
    gained: ["side-effect-gained", "has side effects"],
    lost: ["side-effect-lost", "has no side effects any more"],
  },
  {
    key: "interactive",
    gained: ["interactive-gained", "may ask its caller something"],
    lost: ["interactive-lost", "asks its caller nothing any more"],
  },
];

function* findFlagChanges(was: Tool, is: Tool, find: Find): Generator<Finding> {
  for (const { key, gained, lost } of FLAGS) {
    const [rule, what] = is[key] ? gained : lost;
    if (was[key] !== is[key]) yield find(rule, `The tool \`${is.name}\` ${what}.`, key);
  }
  if (was.session !== is.session) {
    yield find("session-changed", `The tool \`${is.name}\` is ${is.session}, and was ${was.session}.`, "session");
  }
  if (was.tenantScoped !== is.tenantScoped) {
    const what = is.tenantScoped ? "keeps tenants apart" : "does not keep tenants apart any more";
    yield find("tenancy-changed", `The tool \`${is.name}\` ${what}.`, "tenantScoped");
  }
  const [old, young] = [was.cost.units, is.cost.units];
  if (old !== young) {
    const rule = young > old ? "cost-raised" : "cost-lowered";
    yield find(rule, `A call of \`${is.name}\` costs ${young} units, and cost ${old}.`, "cost", "units");
  }
}

function* findCapabilityChanges(was: Tool, is: Tool, find: FindOne): Generator<Finding> {
  for (const capability of is.requiredCapabilities.filter((one) => !was.requiredCapabilities.includes(one))) {
    yield find(
      capability,
      "capability-added",
      `Callers of \`${is.name}\` need \`${capability}\`.`,
      "requiredCapabilities",
    );
  }
  for (const capability of was.requiredCapabilities.filter((one) => !is.requiredCapabilities.includes(one))) {
    const message = `Callers of \`${is.name}\` do not need \`${capability}\` any more.`;
    yield find(capability, "capability-removed", message, "requiredCapabilities");
  }
}

function* findSecretChanges(was: Tool, is: Tool, find: FindOne): Generator<Finding> {
  for (const [index, { name, of, hosts }] of is.secrets.entries()) {
    const old = was.secrets.find((secret) => secret.name === name);
    if (old === undefined) {
      const message = `Calls of \`${is.name}\` need the secret \`${name}\` of the ${of}.`;
      yield find(name, "secret-added", message, "secrets", index);
      continue;
    }
    if (old.of !== of) {
      const message = `The secret \`${name}\` of \`${is.name}\` is the ${of}'s, and was the ${old.of}'s.`;
      yield find(name, "secret-owner-changed", message, "secrets", index, "of");
    }
    for (const host of hosts.filter((one) => !old.hosts.includes(one))) {
      const message = `\`${host}\` gets the secret \`${name}\` of \`${is.name}\`.`;
      yield find(`${name} ${host}`, "secret-host-added", message, "secrets", index, "hosts");
    }
  }
  for (const { name } of was.secrets.filter((old) => !is.secrets.some((secret) => secret.name === old.name))) {
    yield find(name, "secret-removed", `\`${is.name}\` has no secret \`${name}\` any more.`, "secrets");
  }
}

/** Memory is the whole version's, whichever tool asks for it. */
const LIMITS: readonly (readonly [Exclude<keyof Limits, "memory">, string])[] = [
  ["time", "milliseconds from start to answer"],
  ["cpu", "milliseconds of computing"],
  ["payload", "bytes of input or output"],
];

function* findLimitChanges(was: Tool, is: Tool, find: FindOne): Generator<Finding> {
  for (const [key, unit] of LIMITS) {
    const [old, young] = [was.limits[key], is.limits[key]];
    if (old === young) continue;
    const message = `A call of \`${is.name}\` may take ${young} ${unit}, and might take ${old}.`;
    yield find(key, young < old ? "limit-lowered" : "limit-raised", message, "limits", key);
  }
}

function* findTapeChange(was: Tool, is: Tool, find: Find): Generator<Finding> {
  if (was.tape || !is.tape) return;
  const message = `What the handler of \`${is.name}\` is answered is kept with its calls: state, other tools, hosts and models.`;
  yield find("tape-gained", message, "record", "tape");
}

function* findWordingChanges(was: Tool, is: Tool, find: Find, reading: Reading): Generator<Finding> {
  if (was.version !== is.version) {
    const message = `The tool \`${is.name}\` is version ${is.version}, and was ${was.version}.`;
    yield find("tool-version-changed", message, "version");
  }
  yield* findTextChanges(`the tool \`${is.name}\``, was, is, ["title", "description", "examples"], (message, key) =>
    find("text-changed", message, key),
  );
  if (differs(was.deprecated, is.deprecated)) {
    const message = `\`${is.name}\` ${is.deprecated === undefined ? "is no longer deprecated" : "announces that it ends, or announces it otherwise"}.`;
    yield find("deprecation-changed", message, ...(is.deprecated === undefined ? [] : ["deprecated"]));
  }
  if (differs(toDeclarations(was, reading), toDeclarations(is, reading))) {
    yield find(
      "declaration-changed",
      `The handler of \`${is.name}\` may use other things, or other values are kept secret${showHosts(was, is)}.`,
    );
  }
}

/** Names the hosts that a handler may ask now and might not before: what callers send may go there. */
function showHosts(was: Tool, is: Tool): string {
  const added = is.egress.filter((host) => !was.egress.includes(host)).map((host) => `\`${host}\``);
  return added.length === 0 ? "" : `: it may ask ${added.join(", ")} now`;
}

function toDeclarations(
  { uses, egress, upstreams, secrets, parameters, redact, limits, record, tape, recordDays }: Tool,
  reading: Reading,
) {
  const carried = secrets.map(({ name, hosts, header, query, format }) => [
    name,
    hosts.toSorted(),
    header,
    query,
    format,
  ]);
  const lists = [[...uses].sort(), egress.toSorted(), parameters.toSorted(), redact.toSorted()];
  const inner = [limits.memory, ...lists, ...carried.sort()];
  return reading === "plain" ? inner : [...inner, record, tape, recordDays ?? null, upstreams.toSorted()];
}

/** Finds tools that both trees have whose handlers, or something they import, have other code. */
export function findHandlerChanges(before: Version, after: Version): readonly Finding[] {
  const [old, young] = [before.program.modules, after.program.modules];
  const paths = new Set([...old.keys(), ...young.keys()]);
  const changed = new Set([...paths].filter((path) => old.get(path) !== young.get(path)));
  if (changed.size === 0) return [];
  const [reachedBefore, reachedAfter] = [createReach(before.program), createReach(after.program)];
  return [...after.tools.values()].flatMap((tool) => {
    const known = before.tools.get(tool.name);
    if (known === undefined) return [];
    const reached = new Set([...reachedBefore(known.handler), ...reachedAfter(tool.handler)]);
    const [first, ...others] = [...reached].filter((path) => changed.has(path));
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    const message = `\`${first}\`${more} has other code.`;
    const place = young.has(first) ? placeIn("after", first) : placeIn("after", tool.handler);
    return [createFinding("handler-changed", message, place, { server: tool.server, tool: tool.name })];
  });
}
