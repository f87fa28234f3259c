import type { Redactor } from "../../log/redact.ts";
import type { Version } from "../../versions/version.ts";
import type { Message } from "../message/message.ts";
import { ownSentences } from "../message/read-message.ts";
import { findCopies, findNewLinks, findNewSecrets, listHosts } from "./find-leaks.ts";
import { findOtherTools } from "./find-other-tools.ts";
import { findOverreach } from "./find-overreach.ts";
import { findTextFaults } from "./find-text-faults.ts";
import { isNamed } from "./is-named.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";
import { APPROVE } from "./find-approval-overreach.ts";
import type { ChangePlan } from "../planners/plan.ts";
import type { Ground } from "../planners/planner.ts";

export interface Change {
  readonly files: readonly ChangedFile[];
  /** Title and changes, by what messages call them. */
  readonly said: readonly (readonly [where: string, text: string])[];
}

/** What no message may ask for, whoever has planned it: texts that deceive people, models or git hosts, and credentials. */
export function findForbidden({ files, said }: Change, redactor: Redactor): readonly Overreach[] {
  return [...findTextFaults(files, said), ...findNewSecrets(files, said, redactor)];
}

/** What a change does beyond what the message names, where somebody else than its sender has planned it. */
export function findUnnamed(
  { files, said }: Change,
  message: Message,
  attachments: readonly string[],
  version: Version,
): readonly Overreach[] {
  return [
    ...findReach({ files, said }, version, knownHosts(message, version)),
    ...findCopies(files, said, attachments),
    ...findOtherTools(files, message, version),
  ].filter(({ ask }) => ask === undefined || !isNamed(message, ask.words));
}

/** What a change reaches for beyond what the version has. `known`: hosts that texts may link to. */
export function findReach(
  { files, said }: Change,
  version: Version,
  known: ReadonlySet<string> = hostsOf(version),
): readonly Overreach[] {
  const ground = {
    limits: version.agent.defaults.limits,
    requiresCapabilities: [...version.tools.values()].some((tool) => tool.requiredCapabilities.length > 0),
    approving: [...version.tools.values()].flatMap((tool) => (tool.uses.has(APPROVE) ? tool.requiredCapabilities : [])),
  };
  return [...findOverreach(files, ground), ...findNewLinks(files, said, known)];
}

/** Hosts that the message has links to, that tools reach already, and that schemas are named after. */
function knownHosts(message: Message, version: Version): ReadonlySet<string> {
  const own = ownSentences(message).map(({ text }) => text);
  return new Set([...hostsOf(version), ...listHosts(own.join("\n"))]);
}

function hostsOf(version: Version): ReadonlySet<string> {
  const tools = [...version.tools.values()];
  return new Set([
    "json-schema.org",
    ...tools.flatMap(({ egress }) => egress.map((host) => host.replace(/:\d+$/, ""))),
    ...tools.flatMap(({ input, output }) => [...listHosts(JSON.stringify([input, output]))]),
  ]);
}

/** Puts the files of a plan beside what a commit has in their places. */
export function toChangedFiles(
  files: ChangePlan["files"],
  ground: Pick<Ground, "files" | "readText">,
): Promise<readonly ChangedFile[]> {
  return Promise.all(
    [...files].map(async ([path, after]) => {
      const before = ground.files.includes(path) ? await ground.readText(path) : undefined;
      return { path, before, after: after ?? undefined };
    }),
  );
}
