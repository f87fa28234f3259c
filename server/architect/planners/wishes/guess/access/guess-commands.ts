import { hasNoun } from "../../drafts/draft.ts";
import { PROGRAMS, toCommandDeed } from "../../drafts/command-drafts.ts";
import { STOP, words } from "../../words/word-lists.ts";
import type { Guess } from "../guess-value.ts";
import type { Aim } from "./near-tools.ts";

/** Names of programs that are words of English as well. */
const WORDS = words("make go node black bundle rake jest bash ruby");
const RUN =
  /\b(?:runs?|runnable|sandbox|workspaces?|commands?|programs?|execut\w*|Läufe\w*|Sandkasten|Sandbox|Befehl\w*|Programm\w*|ausführ\w*|comandos?|program\w*|ejecu\w*|exécut\w*|bac à sable)\b|命令|程序|执行|运行/iu;

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
  const isGone = mood.isGone && !mood.isNew;
  const base = { elsewhere: 1, close: 0.5, ...(isSaid ? { marked: 1 } : {}) };
  return findSaid(clause, isSaid).flatMap(({ at, program, rest }): readonly Guess[] => {
    const own = policy.commands.filter((one) => one.program === program);
    const toWords = (length: number) => [
      ...clause.tokens.flatMap((_, place) => (place >= at && place <= at + length ? [place] : [])),
      ...clause.nouns.keys(),
    ];
    const removed = own.map(({ arguments: held }): Guess => {
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
            ],
    );
    return [...removed, ...added];
  });
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
