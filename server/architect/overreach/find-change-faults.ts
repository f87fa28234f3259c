import type { Redactor } from "../../redact.ts";
import type { Version } from "../../versions/version.ts";
import type { Feedback } from "../plan.ts";
import { findCopies } from "./find-copies.ts";
import { findNewLinks, listHosts } from "./find-new-links.ts";
import { findNewSecrets } from "./find-new-secrets.ts";
import { findOverreach } from "./find-overreach.ts";
import { findTextFaults } from "./find-text-faults.ts";
import { isNamed } from "./is-named.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";
import { toOwnLines } from "./to-own-lines.ts";

export interface Change {
  readonly files: readonly ChangedFile[];
  /** Title and changes, by what messages call them. */
  readonly said: readonly (readonly [where: string, text: string])[];
}

/** Everything a change does that the message of the feedback has not named. */
export function findChangeFaults(
  { files, said }: Change,
  { message, attachments }: Feedback,
  version: Version,
  redactor: Redactor,
): readonly Overreach[] {
  const ground = {
    limits: version.agent.defaults.limits,
    requiresCapabilities: [...version.tools.values()].some((tool) => tool.requiredCapabilities.length > 0),
  };
  const texts = attachments.map(({ text }) => text);
  return [
    ...findOverreach(files, ground),
    ...findTextFaults(files, said),
    ...findNewSecrets(files, said, redactor),
    ...findNewLinks(files, said, knownHosts(message, version)),
    ...findCopies(files, said, texts),
  ].filter(({ ask }) => ask === undefined || !isNamed(message, ask.words));
}

/** Hosts that the message has links to, that tools reach already, and that schemas are named after. */
function knownHosts(message: string, version: Version): ReadonlySet<string> {
  const tools = [...version.tools.values()];
  return new Set([
    "json-schema.org",
    ...listHosts(toOwnLines(message).join("\n")),
    ...tools.flatMap(({ egress }) => egress.map((host) => host.replace(/:\d+$/, ""))),
    ...tools.flatMap(({ input, output }) => [...listHosts(JSON.stringify([input, output]))]),
  ]);
}
