import { createInterface } from "node:readline";
import { CairnError } from "../../errors.ts";
import type { Operation } from "../../imports/openapi/list-operations.ts";
import type { RefusedOperation } from "../../imports/openapi/plan-tools.ts";
import { selectOperations } from "../../imports/openapi/select-operations.ts";
import { printable } from "../../text/printable.ts";
import type { CliContext } from "../command.ts";

/** Lists operations by tag: the name of each tool, its method and path, and why it cannot be imported. */
export function listChoices(
  names: ReadonlyMap<Operation, string>,
  { refused }: { readonly refused: readonly RefusedOperation[] },
): readonly string[] {
  const reasons = new Map(refused.map(({ operation, reason }) => [operation, reason]));
  const groups = Map.groupBy([...names], ([{ tags }]) => tags[0] ?? "");
  const width = Math.max(...[...names.values()].map(({ length }) => length));
  return [...groups].flatMap(([tag, members]) => [
    `${printable(tag) || "(no tag)"}:`,
    ...members.map(([operation, name]) => {
      const reason = reasons.get(operation);
      return `  ${name.padEnd(width)}  ${printable(operation.key)}${reason === undefined ? "" : `  (no: has ${printable(reason)})`}`;
    }),
  ]);
}

/** Asks a person at a terminal which operations to import. @throws BAD_REQUEST where nobody can be asked, or nothing is chosen */
export async function askForOperations(
  context: CliContext,
  names: ReadonlyMap<Operation, string>,
  title: string,
): Promise<readonly Operation[]> {
  const { isTerminal = false, input, err } = context;
  if (!isTerminal) {
    const how = "choose some with `--operations` or `--tags`, or take `--all`; `--list` shows them";
    throw new CairnError("BAD_REQUEST", `${printable(title)} has ${names.size} operations: ${how}.`);
  }
  const all = [...names];
  for (const [index, [operation, name]] of all.entries())
    err(`${String(index + 1).padStart(5)}  ${name}  ${printable(operation.key)}`);
  err("Which? Numbers (3, 5-9), patterns (issues*), or `all`:");
  const lines = createInterface({ input: input() });
  try {
    for await (const line of lines) {
      const words = line.split(/[\s,]+/).filter((word) => word !== "");
      if (words.length === 0) break;
      const chosen = new Set(words.flatMap((word) => readChoice(word, all, names)));
      if (chosen.size > 0) return [...chosen];
      err("None fits. Numbers, patterns, or `all`; nothing to stop:");
    }
  } finally {
    lines.close();
  }
  throw new CairnError("BAD_REQUEST", "Nothing was chosen, so nothing was imported.");
}

function readChoice(
  word: string,
  all: readonly (readonly [Operation, string])[],
  names: ReadonlyMap<Operation, string>,
): readonly Operation[] {
  if (word === "all") return [...names.keys()];
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? [];
  if (first !== undefined) return all.slice(Number(first) - 1, Number(last ?? first)).map(([operation]) => operation);
  return selectOperations(names, { operations: [word], tags: [], isAll: false }).chosen;
}
