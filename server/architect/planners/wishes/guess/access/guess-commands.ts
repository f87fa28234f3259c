import { hasNoun } from "../../drafts/draft.ts";
import { hostsOfCommand, PROGRAMS, toCommandDeed } from "../../drafts/command-drafts.ts";
import { STOP, words } from "../../words/word-lists.ts";
import type { Guess } from "../guess-value.ts";
import type { Aim } from "./near-tools.ts";

/** Names of programs that are words of English as well. */
const WORDS = words("make go node black bundle rake jest bash ruby");
const RUN =
  /\b(?:runs?|runnable|sandbox|workspaces?|commands?|programs?|execut\w*|Läufe\w*|Sandkasten|Sandbox|Befehl\w*|Programm\w*|ausführ\w*|comandos?|program\w*|ejecu\w*|exécut\w*|bac à sable)\b|命令|程序|执行|运行/iu;

/** Sayings that a command comes besides those that there are: "not only `make check`", "so far only `git status`". */
const BESIDES =
  /\b(?:not (?:just|only)|in addition|besides|as well as|on top of|next to|so far|until now|currently|nicht nur|neben|bisher|no s[oó]lo|además|hasta ahora|pas (?:que|seulement)|en plus|jusqu'ici)\b/iu;

/** A command of a message: where its program stands, and the words behind it. */
interface Said {
  readonly at: number;
  readonly program: string;
  readonly rest: readonly string[];
}

/** Programs that runs may use, or may use no longer: "git blame should be possible", "retirez npm des programmes autorisés". */
export function guessCommands({ clause, places, mood }: Aim): readonly Guess[] {
  const [policy, ...others] = places.version.policies.filter(({ commands }) => commands.length > 0);
  if (policy === undefined || others.length > 0) return [];
  const isSaid = RUN.test(clause.text) || hasNoun(clause, "command");
  const base = { elsewhere: 1, close: 0.5, ...(isSaid ? { marked: 1 } : {}) };
  const said = findSaid(clause, isSaid);
  const isHeld = ({ program, rest }: Said) =>
    policy.commands.some((one) => one.program === program && one.arguments.join(" ") === rest.join(" "));
  const fresh = said.filter((one) => !isHeld(one));
  // What is there already only says beside what the new one is.
  const isBeside = fresh.length > 0 && fresh.length < said.length && BESIDES.test(clause.text);
  const beside = isBeside
    ? said.filter(isHeld).flatMap(({ at, rest }) => Array.from({ length: rest.length + 1 }, (_, offset) => at + offset))
    : [];
  const isGone = mood.isGone && !mood.isNew && !isBeside;
  return (isBeside ? fresh : said).flatMap(({ at, program, rest }): readonly Guess[] => {
    const own = policy.commands.filter((one) => one.program === program);
    const toWords = (length: number) => [
      ...clause.tokens.flatMap((_, place) => (place >= at && place <= at + length ? [place] : [])),
      ...clause.nouns.keys(),
      ...beside,
      ...(isBeside ? clause.negators : []),
    ];
    const removed = (isBeside ? [] : own).map(({ arguments: held }): Guess => {
      const isExact = held.join(" ") === rest.join(" ");
      return {
        name: `command - ${program} ${held.join(" ")}`,
        signs: {
          ...base,
          ...(isExact ? { exact: 1 } : rest.length > 0 ? { unsure: 1 } : {}),
          ...(isExact || isGone ? { verb: 1 } : { against: 1 }),
        },
        words: [...toWords(isExact ? rest.length : 0), ...clause.negators],
        deed: toCommandDeed(policy.file, { program, rest: held, isAdded: false }),
      };
    });
    const added = [rest, ...(rest.length > 1 ? [rest.slice(0, 1)] : []), ...(rest.length > 0 ? [[]] : [])].flatMap(
      (args): readonly Guess[] =>
        own.some(({ arguments: held }) => held.join(" ") === args.join(" "))
          ? []
          : [
              {
                name: `command + ${program} ${args.join(" ")}`,
                signs: {
                  ...base,
                  ...(args.length < rest.length ? { unsure: 1 } : {}),
                  ...(isGone ? { against: 1 } : { verb: 1 }),
                },
                words: toWords(args.length),
                deed: toCommandDeed(policy.file, { program, rest: args, isAdded: true }),
              },
              ...withHosts(clause, { at, program, rest: args }, policy.file, {
                signs: { ...base, verb: 1, exact: 1, ...(args.length < rest.length ? { unsure: 1 } : {}) },
                words: toWords(args.length),
              }),
            ],
    );
    return [...removed, ...added];
  });
}

/** A new command with the hosts that it may reach: "`npm ci`, with access to registry.npmjs.org". */
function withHosts(
  clause: Aim["clause"],
  { program, rest }: Said,
  file: string,
  { signs, words: own }: Pick<Guess, "signs" | "words">,
): readonly Guess[] {
  const hosts = hostsOfCommand(clause);
  if (hosts.length === 0) return [];
  const names = hosts.map(({ host }) => host);
  return [
    {
      name: `command + ${program} ${rest.join(" ")} @ ${names.join()}`,
      signs,
      words: [...own, ...hosts.map(({ at }) => at), ...clause.nouns.keys()],
      deed: toCommandDeed(file, { program, rest, isAdded: true, hosts: names }),
    },
  ];
}

/** The commands of a message: in quotes, or a program with the word or the option behind it. */
function findSaid({ tokens, text }: Aim["clause"], isSaid: boolean): readonly Said[] {
  return tokens.flatMap(({ kind, text: own, lower, start }, at): readonly Said[] => {
    if (kind === "quoted") {
      const [program = "", ...rest] = own.split(" ");
      return PROGRAMS.has(program) && /^[\w.-]+(?: [\w./:=-]+)*$/.test(own) ? [{ at, program, rest }] : [];
    }
    if (kind !== "word" || !PROGRAMS.has(lower) || own !== lower || (WORDS.has(lower) && !isSaid)) return [];
    const behind = /^((?: --?[\w-]+)*)(?: ([a-z][\w:-]*))?/.exec(text.slice(start + own.length));
    const options = (behind?.[1] ?? "").split(" ").filter((part) => part !== "");
    const word = behind?.[2];
    const isWord = word !== undefined && !STOP.has(word);
    // "Make it possible" is no command.
    if (WORDS.has(lower) && options.length === 0 && !isWord) return [];
    return [{ at, program: lower, rest: [...options, ...(isWord ? [word] : [])] }];
  });
}
