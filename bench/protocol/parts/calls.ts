import { CAIRN, LIMIT } from "../contenders.ts";
import { medianOf, ratioOf, show } from "../figures.ts";
import type { Goal } from "../goals.ts";
import { type Memory, readMemory } from "../processes.ts";
import { describeDisturbance, measureRounds, type Window } from "../rounds.ts";
import { closeSubjects, openSubjects } from "../subjects.ts";
import type { Part, PartOptions } from "./part.ts";

const CONNECTIONS = [1, 16, 64];

/** One tool, called over and over by some clients at once. */
export const measureCalls: Part = async (options) => {
  const { contenders, say } = options;
  const wanted = contenders.map((contender) => ({ contender, tools: 1, name: contender.name }));
  const { subjects, unavailable } = await openSubjects(wanted, say);
  try {
    const readAll = () => new Map(subjects.map(({ name, running }) => [name, readMemory(running.pid)]));
    const before = readAll();
    const targets = subjects.map(({ name, running, plan }) => ({ name, pid: running.pid, plan }));
    const windows = await measureRounds(targets, { ...options, connections: CONNECTIONS });
    const after = readAll();
    return {
      title: `tools/call, one tool, with ${CONNECTIONS.join(" / ")} connections`,
      header: ["", "calls/s", "p50 ms", "p99 ms", "CPU us/call", "of limit", "Cairn is x", "RSS MB", "errors"],
      rows: subjects.map(({ name }) => toRow(name, windows, before.get(name), after.get(name))),
      note: describeDisturbance(windows),
      goals: toGoals(windows, options),
      unavailable,
      raw: { windows, memory: { before: [...before], after: [...after] } },
    };
  } finally {
    await closeSubjects(subjects);
  }
};

function toRow(name: string, windows: readonly Window[], before?: Memory, after?: Memory): string[] {
  const each = (toFigure: (connections: number) => number) => CONNECTIONS.map(toFigure).map(show).join(" / ");
  const figures = (["rate", "p50", "p99", "cpu"] as const).map((figure) =>
    each((connections) => medianOf(windows, name, connections, figure)),
  );
  const errors = windows.filter((window) => window.name === name).reduce((sum, window) => sum + window.errors, 0);
  return [
    name,
    ...figures,
    each((connections) => ratioOf(windows, name, [LIMIT], connections)),
    each((connections) => ratioOf(windows, CAIRN, [name], connections)),
    `${before?.resident.toFixed(0)} > ${after?.resident.toFixed(0)}`,
    String(errors),
  ];
}

function toGoals(windows: readonly Window[], { contenders }: PartOptions): Goal[] {
  const namesOf = (peer?: string) =>
    contenders.filter((other) => other.of === "peer" && (peer ?? other.peer) === other.peer).map(({ name }) => name);
  const toLimit = (name: string, connections: number) => ratioOf(windows, name, [LIMIT], connections);
  const toPeer = (peer?: string) => ratioOf(windows, CAIRN, namesOf(peer), 16);
  const toEffects = (connections: number) => toLimit("cairn-effects", connections);
  const toCpu = (connections: number) => ratioOf(windows, CAIRN, [LIMIT], connections, "cpu");
  const loneEffect = medianOf(windows, "cairn-effects", 1, "p50");
  return [
    { name: "CPU for a call at 16, of the limit's", actual: toCpu(16), atMost: 1.8 },
    { name: "CPU for a call at 64, of the limit's", actual: toCpu(64), atMost: 1.6 },
    { name: "calls/s at 16 connections, of the limit", actual: toLimit(CAIRN, 16), atLeast: 0.55 },
    { name: "calls/s at 64 connections, of the limit", actual: toLimit(CAIRN, 64), atLeast: 0.65 },
    { name: "with effects, at 16, of the limit", actual: toEffects(16), atLeast: 0.3 },
    { name: "with effects, at 64, of the limit", actual: toEffects(64), atLeast: 0.45 },
    { name: "p50 of a lone caller with effects, ms", actual: loneEffect, atMost: 1 },
    { name: "x mcp-lite, at 16", actual: toPeer("mcp-lite"), atLeast: 1.2 },
    { name: "x tmcp, at 16", actual: toPeer("tmcp"), atLeast: 2 },
    { name: "x sdk-v2, at 16", actual: toPeer("sdk-v2"), atLeast: 7 },
    { name: "x sdk-v1, at 16", actual: toPeer("sdk-v1"), atLeast: 8 },
    { name: "p50 of a lone caller, of the limit's", actual: ratioOf(windows, CAIRN, [LIMIT], 1, "p50"), atMost: 2.5 },
    { name: "p99 at 16, of its p50", actual: toSpread(windows, 16), atMost: 6 },
    { name: "p99 at 64, of its p50", actual: toSpread(windows, 64), atMost: 4 },
  ];
}

function toSpread(windows: readonly Window[], connections: number): number {
  return medianOf(
    windows.map((window) => ({ ...window, p99: window.p99 / window.p50 })),
    CAIRN,
    connections,
    "p99",
  );
}
