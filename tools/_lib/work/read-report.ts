import type { Context } from "../../../server/host-api.ts";

/** A report of a run; undefined when there is none. The service has checked its form when it was written. */
export async function readReport<Report>(ctx: Context, runId: string, name: string): Promise<Report | undefined> {
  try {
    return JSON.parse((await ctx.work.evidence.read(runId, name)).content) as Report;
  } catch (error) {
    if (error instanceof Error && error.name === "NOT_FOUND") return undefined;
    throw error;
  }
}
