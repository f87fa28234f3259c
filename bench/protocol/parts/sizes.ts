import { CAIRN, type Contender, LIMIT } from "../contenders.ts";
import { medianOf, ratioOf, show } from "../figures.ts";
import type { Target, Window } from "../rounds.ts";
import { type Subject, type Unavailable, closeSubjects, openSubjects } from "../subjects.ts";
import type { PartOptions } from "./part.ts";

export const MANY = 1_000;
export const SIZES = [1, 50, MANY] as const;
export const CONNECTIONS = 16;

export function toSizeName(name: string, size: number): string {
  return `${name} with ${size}`;
}

/** The peers that are measured with many tools: of each, the variant that stands for it. */
export function toMainPeers(contenders: readonly Contender[]): readonly Contender[] {
  return contenders.filter((contender) => contender.of === "peer" && contender.main === true);
}

/** Starts every main contender once for each number of tools, and measures them all in the same rounds. */
export async function measureSizes(
  { contenders, say }: PartOptions,
  measure: (subjects: readonly Subject[]) => Promise<Window[]>,
): Promise<{ windows: Window[]; unavailable: Unavailable[] }> {
  const wanted = contenders
    .filter(({ main }) => main === true)
    .flatMap((contender) => SIZES.map((tools) => ({ contender, tools, name: toSizeName(contender.name, tools) })));
  const { subjects, unavailable } = await openSubjects(wanted, say);
  try {
    return { windows: await measure(subjects), unavailable };
  } finally {
    await closeSubjects(subjects);
  }
}

export function toTarget({ name, running, plan }: Subject): Target {
  return { name, pid: running.pid, plan };
}

export const SIZE_HEADER = ["", "per second", "CPU us each", "p50 ms", "of limit", "Cairn is x"];

/** A row for each contender; a cell has a figure for each number of tools. */
export function toSizeRows(windows: readonly Window[], contenders: readonly Contender[]): string[][] {
  return contenders
    .filter(({ main }) => main === true)
    .map(({ name }) => {
      const each = (toFigure: (size: number) => number) => SIZES.map(toFigure).map(show).join(" / ");
      const figures = (["rate", "cpu", "p50"] as const).map((figure) =>
        each((size) => medianOf(windows, toSizeName(name, size), CONNECTIONS, figure)),
      );
      const ratio = (size: number, one: string, other: string) =>
        ratioOf(windows, toSizeName(one, size), [toSizeName(other, size)], CONNECTIONS);
      return [name, ...figures, each((size) => ratio(size, name, LIMIT)), each((size) => ratio(size, CAIRN, name))];
    });
}
