import type { Handler } from "cairn-gitops/host-api";
import { loadBuild } from "../_lib/build.ts";

const LEVELS = ["trace", "debug", "info", "notice", "warning", "error", "fatal"];

const buildLogs: Handler<{ build_id: string; tail: number; level: string }> = async (input, ctx) => {
  const { log = [] } = await loadBuild(ctx, input.build_id);
  const least = LEVELS.indexOf(input.level);
  const lines = log.filter(({ level }) => LEVELS.indexOf(level) >= least).map(({ text }) => text);
  return { lines: lines.slice(-input.tail) };
};

export default buildLogs;
