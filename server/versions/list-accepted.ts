import type { AcceptedBreak } from "./loaded-history.ts";
import type { Tool, Version } from "./version.ts";

/** Accepted break as shown to a caller: without its subject and reason where those are not the caller's business. */
export type ShownBreak = Pick<AcceptedBreak, "finding" | "from"> & Partial<AcceptedBreak>;

/**
 * Lists the breaks that a version is released with. One of a tool is shown to those whom `mayUse` lets use it, and one of
 * a role or a policy to nobody: of those only the rule is left. A tool that the version has no more is nobody's.
 */
export function listAccepted(
  { semver, history, tools }: Pick<Version, "semver" | "history" | "tools">,
  mayUse: (tool: Tool) => boolean,
): readonly ShownBreak[] {
  return (history.versions.get(semver)?.accepts ?? []).map((accepted) => {
    const [kind = "", ...name] = accepted.of.split(" ");
    const tool = tools.get(name.join(" "));
    const isShown = kind === "tool" ? tool !== undefined && mayUse(tool) : !["role", "policy"].includes(kind);
    return isShown ? accepted : { finding: accepted.finding, from: accepted.from };
  });
}

/** Writes an accepted break as a sentence, and below it, as a list, the messages of the findings that it covers. */
export function explainBreak(
  { finding, of, member, how, from, reason, by }: ShownBreak,
  covered: readonly { readonly message: string }[],
): string {
  if (of === undefined) return `A break is accepted next to ${from}: ${finding}.`;
  const part = member === undefined ? "" : `, \`${member}\``;
  const kind = how === undefined ? "" : ` (${how})`;
  const sentence = `Accepted next to ${from}: ${finding}${kind} of ${of}${part}, by ${by}: ${reason}`;
  return [sentence, ...new Set(covered.map(({ message }) => `  - ${message}`))].join("\n");
}
