import { parseArgs } from "node:util";
import { CONTENDERS, type Contender, LIMIT } from "./contenders.ts";

export interface Options {
  readonly part: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly contenders: readonly Contender[];
  readonly json?: string;
}

/** Reads the command line; throws an error that says what is wrong with it. */
export function readOptions(args: readonly string[], parts: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      contenders: { type: "string", default: "" },
      json: { type: "string" },
    },
  });
  const [part = "calls", ...more] = positionals;
  if (!parts.includes(part) || more.length > 0) {
    throw new Error(`\`${positionals.join(" ")}\` is no part; there are: ${parts.join(", ")}.`);
  }
  const names = values.contenders === "" ? [] : values.contenders.split(",").map((name) => name.trim());
  const known = CONTENDERS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`\`${unknown.join(", ")}\` is no contender; there are: ${known.join(", ")}.`);
  }
  return {
    part,
    rounds: readCount("rounds", values.rounds),
    seconds: readCount("seconds", values.seconds),
    // Every ratio is to the limit.
    contenders: CONTENDERS.filter(({ name }) => names.length === 0 || name === LIMIT || names.includes(name)),
    ...(values.json === undefined ? {} : { json: values.json }),
  };
}

function readCount(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`\`--${name} ${text}\` must be a whole number from 1 to 9999.`);
  return Number(text);
}
