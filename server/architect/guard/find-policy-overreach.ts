import { canonicalJson } from "../../json/canonical-json.ts";
import { listMembers, listTexts, memberOf } from "./manifest-values.ts";
import type { Ask, ChangedManifest, Overreach } from "./overreach.ts";

/** What one rule finds in a changed policy: a sentence, and what the message would have to say for it to be meant. */
interface Finding {
  readonly message: string;
  readonly ask: Ask;
}

/** A policy as it was and as it would be, and how sentences name it. */
interface ChangedPolicy extends Pick<ChangedManifest, "before" | "after"> {
  readonly name: string;
  readonly policy: string;
}

const REMOVE = ["remove", "delete", "drop"];

/** Each finds one kind of thing that a policy would allow and does not now; the first, that it would be another at all. */
const RULES: readonly ((changed: ChangedPolicy) => readonly Finding[])[] = [
  ({ name, policy }) => [
    find(`${policy} would be another.`, `Change the policy \`${name}\`.`, [
      "policy",
      "policies",
      "role",
      "roles",
      "egress",
    ]),
  ],
  findGrants,
  findEgress,
  ({ policy, before, after }) =>
    findCommands(before?.["commands"], after?.["commands"]).map((program) =>
      find(
        `${policy} would allow runs other commands of \`${program}\`.`,
        `Allow the command \`${program}\`.`,
        ["command", "commands"],
        [program],
      ),
    ),
  ({ policy, before, after }) =>
    findLooser(before?.["limits"], after?.["limits"], []).map(({ steps, value }) =>
      find(
        `${policy} would limit \`${steps.join(".")}\` to ${value ?? "nothing"}.`,
        value === undefined
          ? `Remove ${steps.at(-1)} from the limits of the policies.`
          : `Raise ${steps.at(-1)} under limits of the policies to ${value}.`,
        ["limits", "limit"],
        [steps.at(-1) ?? ""],
        value === undefined ? REMOVE : [String(value)],
      ),
    ),
  ({ policy, before, after }) =>
    listRevoked(before?.["revoke"])
      .filter(({ key }) => !listRevoked(after?.["revoke"]).some((kept) => kept.key === key))
      .map(({ name: revoked }) =>
        find(
          `${policy} would not revoke \`${revoked}\` any more.`,
          `Remove \`${revoked}\` from revoke in the policies.`,
          ["revoke"],
          REMOVE,
          [revoked],
        ),
      ),
  ({ policy, before, after }) =>
    (["quietDays", "noticeDays"] as const).flatMap((key) =>
      findFewerDays(before?.["retirement"], after?.["retirement"], key).map((days) =>
        find(
          `${policy} would let versions be retired after ${days ?? "no"} ${key === "quietDays" ? "quiet days" : "days of notice"}.`,
          days === undefined ? `Remove ${key} from the policies.` : `Lower ${key} to ${days}.`,
          [key],
          days === undefined ? REMOVE : [String(days)],
        ),
      ),
    ),
];

/** Finds that a policy would be another at all, which the message has to speak of, and each thing that it would newly allow. */
export function findPolicyOverreach(name: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  const changed: ChangedPolicy = { name, policy: `The policy \`${name}\``, before, after };
  return RULES.flatMap((rule) => rule(changed)).map(({ message, ask }) => ({ rule: "policy", path, message, ask }));
}

function find(message: string, sentence: string, ...words: readonly (readonly string[])[]): Finding {
  return { message, ask: { sentence, words } };
}

function findGrants({ before, after }: ChangedPolicy): readonly Finding[] {
  return listMembers(after?.["roles"]).flatMap(([role, capabilities]) => {
    const known = listTexts(memberOf(before?.["roles"], role));
    return listTexts(capabilities)
      .filter((capability) => !known.includes(capability))
      .map((capability) =>
        find(
          `The role \`${role}\` would grant \`${capability}\`.`,
          `Have the role \`${role}\` grant \`${capability}\`.`,
          ["role", "roles"],
          [role],
          [capability],
        ),
      );
  });
}

function findEgress({ name, policy, before, after }: ChangedPolicy): readonly Finding[] {
  const added = listTexts(after?.["egress"])
    .filter((host) => !listTexts(before?.["egress"]).includes(host))
    .map((host) =>
      find(
        `${policy} would allow tools to reach \`${host}\`.`,
        `Add \`${host}\` to the egress of the policies.`,
        ["egress"],
        [host],
      ),
    );
  if (before?.["egress"] === undefined || after?.["egress"] !== undefined) return added;
  const message = `${policy} would not say any more which hosts tools may name, which may allow any host.`;
  return [...added, find(message, `Remove the egress of the policy \`${name}\`.`, ["egress"], REMOVE, [name])];
}

function findCommands(before: unknown, after: unknown): readonly string[] {
  const known = new Set((Array.isArray(before) ? before : []).map((command: unknown) => canonicalJson(command)));
  const added = (Array.isArray(after) ? after : []).filter((command: unknown) => !known.has(canonicalJson(command)));
  return [...new Set(added.map((command: unknown) => String(memberOf(command, "program"))))];
}

/** Lists what is revoked: by kind and name, and of commands by the program. */
function listRevoked(revoke: unknown): readonly { readonly key: string; readonly name: string }[] {
  return listMembers(revoke).flatMap(([kind, entries]) =>
    (Array.isArray(entries) ? entries : []).map((entry: unknown) => ({
      key: canonicalJson([kind, entry]),
      name: String(kind === "commands" ? memberOf(entry, "program") : entry),
    })),
  );
}

interface Looser {
  readonly steps: readonly string[];
  /** Undefined: there is no limit any more. */
  readonly value: number | undefined;
}

/** Finds numbers that are higher than before, or are not there any more. */
function findLooser(before: unknown, after: unknown, steps: readonly string[]): readonly Looser[] {
  if (typeof before === "number") {
    if (typeof after !== "number") return [{ steps, value: undefined }];
    return after > before ? [{ steps, value: after }] : [];
  }
  return listMembers(before).flatMap(([name, inner]) => findLooser(inner, memberOf(after, name), [...steps, name]));
}

function findFewerDays(before: unknown, after: unknown, key: string): readonly (number | undefined)[] {
  const [old, young] = [memberOf(before, key), memberOf(after, key)];
  if (typeof old !== "number") return [];
  if (typeof young !== "number") return [undefined];
  return young < old ? [young] : [];
}
