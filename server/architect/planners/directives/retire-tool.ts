import { defined } from "../../../json/defined.ts";
import type { Tool } from "../../../versions/version.ts";
import { refuse } from "../../guard/refuse.ts";
import type { Deed } from "./phrase.ts";

/** What a message says of the end of a tool; days as `2026-12-01`. */
export interface Retirement {
  /** Absent: from the day on that it is done. */
  readonly since?: string | undefined;
  readonly sunset?: string | undefined;
  readonly reason?: string | undefined;
  /** The name of the tool to use in its place. */
  readonly successor?: string | undefined;
}

/** Begins the descriptions of tools that an older Cairn has deprecated. */
export const NOTE = "Deprecated: ";
const DAY = "2026-12-01".length;

/** Says of a tool that it is deprecated, why, from when, until when, and which one to use instead, as far as that is known. */
export function retireTool(tool: Tool, retirement: Retirement): Deed {
  const { since, sunset, reason, successor } = retirement;
  if (successor === tool.name) throw refuse(`\`${tool.name}\` cannot stand in for itself.`, "Name another tool.");
  const isNews = Object.values(retirement).some((one) => one !== undefined);
  if (tool.description.startsWith(NOTE) || (tool.deprecated !== undefined && !isNews)) {
    throw refuse(
      `\`${tool.name}\` is deprecated already.`,
      `Say "remove the tool ${tool.name}" or "undeprecate ${tool.name}".`,
    );
  }
  const why = reason ?? (successor === undefined ? "A later version removes it." : `Use \`${successor}\` instead.`);
  return async (bench) => {
    const today = new Date(bench.ground.now()).toISOString().slice(0, DAY);
    const deprecated = { since: since ?? today, ...defined({ sunset, successor }), reason: why.replaceAll("`", "") };
    if (await bench.set(tool.file, ["deprecated"], deprecated)) {
      const days = `${since === undefined ? "" : ` from ${since} on`}${sunset === undefined ? "" : `, and ends on ${sunset}`}`;
      const next = successor === undefined || reason === undefined ? "" : ` \`${successor}\` is its successor.`;
      const shown = reason === undefined ? `${why.charAt(0).toLowerCase()}${why.slice(1)}` : why;
      bench.say(`\`${tool.name}\` is deprecated${days}: ${shown}${next}`);
    }
    bench.need("patch");
  };
}

/** A reason as a sentence of its own. */
export function toReason(text: string): string | undefined {
  const bare = text.trim().replace(/[\s.,;:。；，]+$/u, "");
  if (!/\p{L}/u.test(bare)) return undefined;
  const end = /[!?？！]$/u.test(bare) ? "" : /\p{Script=Han}$/u.test(bare) ? "。" : ".";
  const isName = /^\S*[._]\w/.test(bare);
  return `${isName ? bare.charAt(0) : bare.charAt(0).toUpperCase()}${bare.slice(1)}${end}`;
}
