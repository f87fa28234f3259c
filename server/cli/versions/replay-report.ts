import type { Cause, Tally } from "../../examples/tally-replays.ts";

/** Characters of a value that are shown. */
const MAX_SHOWN = 300;

const WORDS = { different: "different", not_compared: "not compared" } as const;

/** The report of a replay for people: each cause with an example, then the counts. */
export function toReplayReport({ causes, counts }: Tally): readonly string[] {
  const { same, different, not_compared: rest } = counts();
  const total = same + different + rest;
  return [...causes().flatMap(toLines), `${total} calls: ${same} same, ${different} different, ${rest} not compared`];
}

function toLines({ tool, outcome, cause, count, example }: Cause): readonly string[] {
  const head = `${WORDS[outcome]}  ${count} x  ${tool}: ${cause}`;
  if (outcome === "not_compared") return [head];
  const { id, reason, input, before, now } = example;
  const shown = (name: string, value: unknown) => (value === undefined ? [] : [`    ${name}  ${shorten(value)}`]);
  return [
    head,
    `    call ${id}${reason === cause ? "" : `: ${reason}`}`,
    ...shown("input ", input),
    ...shown("before", before),
    ...shown("now   ", now),
  ];
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}...`;
}
