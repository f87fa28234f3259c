import { canonicalJson } from "../../../json/canonical-json.ts";
import { ARCHITECT_CHAT } from "../../../principal.ts";
import type { AgentCheck } from "../../../versions/agent-check.ts";
import { covers } from "../../../versions/covers.ts";
import type { Version } from "../../../versions/version.ts";

/** Tools by which people approve what waits for them use it. */
const APPROVE = "work.approve";

/**
 * Lists what a person should see before a change lands, though it may be intended: checks that it adds, alters or removes, the loss of
 * the last person who may ask for changes or approve them, and tools that ask less of callers or reach more hosts.
 */
export function findConcerns(before: Version, after: Version): readonly string[] {
  return [
    ...compareChecks(before.agent.checks, after.agent.checks),
    ...findLockouts(before, after),
    ...findOpenings(before, after),
  ];
}

/** A capability that is no longer asked for lets others call, and a host more is told what calls say, though policies stay as they are. */
function findOpenings(before: Version, after: Version): readonly string[] {
  return [...after.tools.values()].flatMap(({ name, requiredCapabilities, egress }) => {
    const was = before.tools.get(name);
    if (was === undefined) return [];
    const dropped = was.requiredCapabilities.filter((one) => !requiredCapabilities.includes(one));
    const hosts = egress.filter((host) => !was.egress.includes(host));
    return [
      ...dropped.map((one) => `Callers of \`${name}\` would not need \`${one}\` any more.`),
      ...hosts.map((host) => `\`${name}\` could reach \`${host}\`.`),
    ];
  });
}

function compareChecks(before: readonly AgentCheck[], after: readonly AgentCheck[]): readonly string[] {
  const show = ({ name, command }: AgentCheck) => `the check \`${name}\` (\`${command.join(" ").slice(0, 200)}\`)`;
  const old = new Map(before.map((check) => [check.name, check]));
  const gone = before.filter(({ name }) => !after.some((check) => check.name === name));
  return [
    ...after.flatMap((check) => {
      const was = old.get(check.name);
      if (was === undefined) return [`It adds ${show(check)}, which every change after it has to pass.`];
      if (canonicalJson(was) === canonicalJson(check)) return [];
      return [`It alters ${show(was)}, which changes had to pass, to \`${check.command.join(" ").slice(0, 200)}\`.`];
    }),
    ...gone.map((check) => `It takes out ${show(check)}, which changes had to pass.`),
  ];
}

/**
 * Callers with the role `*` hold everything whatever policies say, but there need not be any. What a tool requires, some role
 * grants: every version is held to that.
 */
function findLockouts(before: Version, after: Version): readonly string[] {
  return [
    ...(hasSenders(before) && !hasSenders(after)
      ? [
          `After it, no role may send feedback (\`${ARCHITECT_CHAT}\`): nobody but callers with the role \`*\` could ask to take it back.`,
        ]
      : []),
    ...(hasApproval(before) && !hasApproval(after)
      ? [`After it, no tool approves changes (\`${APPROVE}\`): what needs an approval could not land any more.`]
      : []),
  ];
}

function hasSenders({ policies }: Version): boolean {
  return policies.some(({ roles }) => [...roles.values()].flat().some((grant) => covers(grant, ARCHITECT_CHAT)));
}

function hasApproval({ tools }: Version): boolean {
  return [...tools.values()].some(({ uses }) => uses.has(APPROVE));
}
