import type { GraphRow } from "./lay-out-graph.ts";

/** Pixels: between two columns, of a dot, from the top of a row to its dot, and of the part of the row that curves. */
const LANE = 16;
const DOT = 5;
const AT = 22;
const HEAD = 44;
/** Columns that a list has room for; further ones are cut off. */
const LANES = 8;

const xOf = (lane: number) => lane * LANE + LANE / 2;

interface Props {
  readonly row: GraphRow;
  /** Columns of the whole list, so that all rows begin alike. */
  readonly width: number;
  readonly state: string;
}

/** Draws the part of the graph beside one version, which says the same in words. Below its head only straight lines go on. */
export function Graph({ row, width, state }: Props) {
  const on = row.lines.filter(({ part }) => part !== "in");
  return (
    <svg className="graph" aria-hidden="true" width={Math.min(width, LANES) * LANE} height={HEAD}>
      {row.lines.map(({ from, to, part }) => (
        <path key={`${part}${from}-${to}`} d={toPath(from, to, part)} />
      ))}
      {on.map(({ to }) => (
        <line key={to} x1={xOf(to)} x2={xOf(to)} y1={HEAD} y2="100vh" />
      ))}
      <circle cx={xOf(row.lane)} cy={AT} r={DOT} data-state={state} />
    </svg>
  );
}

function toPath(from: number, to: number, part: "pass" | "in" | "out"): string {
  const [a, b] = [xOf(from), xOf(to)];
  if (part === "pass") return `M${a} 0V${HEAD}`;
  return part === "in" ? `M${a} 0L${b} ${AT}` : `M${a} ${AT}L${b} ${HEAD}`;
}
