import type { Version } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, explainNouns } from "./draft.ts";
import type { Places } from "../places/places.ts";

/** Drafts about what runs may execute in their workspaces. */
export function draftCommands(clause: Clause, { version }: Places): readonly Draft[] {
  const nouns = explainNouns(clause, "command");
  const quoted = clause.tokens.flatMap((token, at) =>
    token.kind === "quoted" && /^[\w.-]+(?: [\w./:=-]+)*$/.test(token.text) ? [at] : [],
  );
  const spoken = quoted.length > 0 ? [] : findCommand(clause, version);
  const [at, ...others] = quoted.length > 0 ? quoted : spoken;
  const text =
    quoted.length > 0
      ? (clause.tokens[at ?? -1]?.text ?? "")
      : spoken.map((place) => clause.tokens[place]?.text ?? "").join(" ");
  const [policy, ...more] = version.policies.filter(({ commands }) => commands.length > 0);
  const [add, remove] = [
    explainActions(clause, ["add", "grant", "enable"]),
    explainActions(clause, ["remove", "revoke", "disable", "stop"]),
  ];
  if (
    // A command of several words that is allowed now names itself.
    (nouns.length === 0 && spoken.length < 2) ||
    at === undefined ||
    (quoted.length > 0 && others.length > 0) ||
    policy === undefined ||
    more.length > 0 ||
    (add === undefined) === (remove === undefined)
  )
    return [];
  const [program = "", ...rest] = text.split(" ");
  const command = rest.length === 0 ? { program } : { program, arguments: rest };
  const deed: Deed = async (bench) => {
    const isChanged =
      add === undefined
        ? await bench.removeItem(policy.file, ["commands"], command)
        : await bench.addItem(policy.file, ["commands"], command);
    if (isChanged) bench.say(`Runs may ${add === undefined ? "no longer " : ""}execute \`${text}\`.`);
    bench.need(add === undefined ? "major" : "minor");
  };
  return [
    {
      name: `command ${add === undefined ? "-" : "+"} ${program} ${rest.join(" ")}`,
      label: "the commands of workspaces",
      thing: undefined,
      explained: new Set([at, ...others, ...nouns, ...(add ?? remove ?? [])]),
      soft: new Set(),
      doubt: nouns.length === 0 ? 0.5 : 0,
      deed,
    },
  ];
}

/** The words of a command that is allowed now. */
function findCommand({ tokens }: Clause, { policies }: Version): readonly number[] {
  for (const { program, arguments: own } of policies.flatMap(({ commands }) => commands)) {
    const words = [program, ...own];
    const at = tokens.findIndex((_, from) => words.every((word, offset) => tokens[from + offset]?.text === word));
    if (at >= 0 && words.length > 1) return words.map((_, offset) => at + offset);
  }
  return [];
}
