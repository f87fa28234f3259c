import { type ArgsDef, parseArgs } from "citty";
import { CairnError } from "../errors.ts";
import type { Command } from "./command.ts";

/** Refuses arguments that no command reads: the parser ignores them, so a second version to check would pass unread. @throws BAD_REQUEST */
export function refuseSurplus(command: Command, name: string, rest: readonly string[]): void {
  const args = (command.args ?? {}) as ArgsDef;
  const positional = Object.values(args).filter(({ type }) => type === "positional");
  if (positional.some(({ valueHint }) => valueHint?.endsWith("...") === true)) return;
  const most = positional.length;
  const surplus = parseArgs([...rest], args)._[most];
  if (surplus === undefined) return;
  // It may be the secret itself, which logs of a terminal or of a pipeline would keep.
  const shown = name === "secret" ? "what follows" : `\`${surplus.slice(0, 100)}\``;
  const takes = most === 0 ? "no arguments" : most === 1 ? "one argument" : `at most ${most} arguments`;
  throw new CairnError(
    "BAD_REQUEST",
    `\`cairn ${name}\` takes ${takes}, and ${shown} is one too many; text with spaces needs quotes.`,
  );
}

/** Finds an option that nobody declared: the parser takes it, so a typing mistake would be silently ignored. */
export function findUnknownOption(command: Command, rest: readonly string[]): string | undefined {
  const known = new Set(
    Object.entries((command.args ?? {}) as ArgsDef).flatMap(([name, definition]) => {
      if (definition.type === "positional") return [];
      const alias = "alias" in definition ? (definition.alias ?? []) : [];
      return [name, ...(definition.type === "boolean" ? [`no-${name}`] : []), ...[alias].flat()];
    }),
  );
  const end = rest.indexOf("--");
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .filter((argument) => /^-{1,2}[a-zA-Z]/.test(argument))
    .find((argument) => !known.has(argument.replace(/^-+/, "").split("=")[0] ?? ""));
}

/** Says what to do about an unknown option. Every user of a machine can read the arguments of all its programs, so a token is none. */
export function toHint({ args = {} }: Command, name: string, unknown: string): string {
  return unknown.startsWith("--token") && "token-file" in args
    ? "a token comes in CAIRN_TOKEN or by `--token-file`, where others cannot read it."
    : `\`cairn ${name} --help\` lists them.`;
}
