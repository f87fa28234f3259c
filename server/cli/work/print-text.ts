import { printable } from "../../text/printable.ts";
import type { CliContext } from "../command.ts";

/** Prints a text of others as it is; on a terminal, without what could control that. */
export function printText({ out, isTerminal = false }: CliContext, raw: string): void {
  const text = raw.endsWith("\n") ? raw.slice(0, -1) : raw;
  out(isTerminal ? text.split(/\r?\n/).map(toShown).join("\n") : text);
}

/** Tabs indent code; nothing else that controls a terminal gets through. */
function toShown(line: string): string {
  return line.split("\t").map(printable).join("\t");
}
