import type { ArgsDef } from "citty";
import { CairnError } from "../../errors.ts";
import type { DifferenceFormat } from "../../semver/report/format-difference.ts";
import { type Level, LEVELS } from "../../semver/level.ts";
import { compareSurfaces, type SurfaceReading } from "../../semver/surfaces/compare-surfaces.ts";
import { formatSurfaceDifference, judgeSurfaceDifference } from "../../semver/surfaces/format-surface-difference.ts";
import type { CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readRepeated } from "../repeated.ts";
import { openSurface, SERVER_OPTIONS, SURFACE_FILE } from "./open-surface.ts";

const READINGS = ["declared", "strict"] as const;

/** Options of `cairn diff --mcp`. */
export const SURFACE_OPTIONS = {
  mcp: {
    type: "string",
    valueHint: "url|command|file",
    description: "Compare MCP servers instead of versions: the newer one, at a URL, started by a command, or saved",
  },
  against: {
    type: "string",
    valueHint: "file|ref:file|url|command",
    description: `The older one: a saved surface or another server (default: ${SURFACE_FILE})`,
  },
  compare: {
    type: "enum",
    options: [...READINGS],
    default: "declared",
    description: "Of servers: `declared` is what schemas name, `strict` every value that they allow",
  },
  expect: {
    type: "enum",
    options: [...LEVELS],
    description: "Of servers: end with 1 when the change needs a larger bump than this",
  },
  ...SERVER_OPTIONS,
  "against-token-env": {
    type: "string",
    valueHint: "variable",
    description: "As --token-env, for the URL of --against",
  },
  "against-header": {
    type: "string",
    valueHint: "name=variable",
    description: "As --header, for the URL of --against",
  },
} satisfies ArgsDef;

interface Options {
  readonly mcp: string;
  readonly against?: string | undefined;
  readonly compare?: SurfaceReading | undefined;
  readonly expect?: Level | undefined;
  readonly check: boolean;
  readonly format: DifferenceFormat;
  readonly timeout?: string | undefined;
  readonly "token-env"?: string | undefined;
  readonly "against-token-env"?: string | undefined;
}

/** Compares a running MCP server with an earlier surface, prints the difference, and returns the exit code. */
export async function diffSurfaces(context: CliContext, options: Options, rawArgs: readonly string[]): Promise<number> {
  const { mcp, against = SURFACE_FILE, compare = "declared", expect, check, format, timeout } = options;
  const earlier = await openSurface(context, {
    address: against,
    timeout,
    tokenEnv: options["against-token-env"],
    headers: readRepeated(rawArgs, "against-header"),
  });
  const later = await openSurface(context, {
    address: mcp,
    timeout,
    tokenEnv: options["token-env"],
    headers: readRepeated(rawArgs, "header"),
  });
  const difference = compareSurfaces(earlier.surface, later.surface, compare);
  const verdict = judgeSurfaceDifference(difference, { check, ...(expect === undefined ? {} : { expect }) });
  context.out(formatSurfaceDifference(difference, verdict, format, earlier.saved));
  return verdict.isRefused ? EXIT.FAILED : EXIT.OK;
}

/** Refuses options of servers without a server. @throws BAD_REQUEST */
export function refuseWithoutServer(rawArgs: readonly string[]): void {
  const own = ["against", "compare", "expect", "timeout", "token-env", "header", "against-token-env", "against-header"];
  const given = own.find((name) => rawArgs.some((word) => word === `--${name}` || word.startsWith(`--${name}=`)));
  if (given === undefined) return;
  throw new CairnError("BAD_REQUEST", `\`--${given}\` is for MCP servers: name one with \`--mcp\`.`);
}
