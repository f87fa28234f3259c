import { toVersion } from "../agent-repository.ts";
import { CAIRN } from "../contenders.ts";
import { medianOf, ratioOf, show } from "../figures.ts";
import type { Plan } from "../load/plan.ts";
import { ask } from "../messages.ts";
import { describeDisturbance, measureRounds, type Target } from "../rounds.ts";
import { type Subject, closeSubjects, openSubject } from "../subjects.ts";
import type { Part } from "./part.ts";

const OPEN = [1, 10, 100];
const CONNECTIONS = 16;

const toOne = (open: number) => `${open} open`;
const toSpread = (open: number) => `${open} open, calls spread`;

/** Whether a call costs more when more versions are open, and when calls go to all of them in turn. */
export const measureVersions: Part = async (options) => {
  const subjects: Subject[] = [];
  try {
    const targets: Target[] = [];
    const contender = options.contenders.find(({ name }) => name === CAIRN);
    for (const open of OPEN) {
      if (contender === undefined) break;
      const subject = await openSubject(contender, { tools: 1, versions: Math.max(...OPEN) });
      subjects.push(subject);
      const spread = spreadOver(subject.plan, open);
      // Versions are opened by the first call that asks for them.
      for (const request of spread.requests) await ask(spread.url, request);
      const { pid } = subject.running;
      targets.push({ name: toOne(open), pid, plan: subject.plan });
      if (open > 1) targets.push({ name: toSpread(open), pid, plan: spread });
      options.say(`Cairn with ${toOne(open)} is ready`);
    }
    const windows = await measureRounds(targets, { ...options, connections: [CONNECTIONS] });
    const most = Math.max(...OPEN);
    const ratio = (name: string) => ratioOf(windows, name, [toOne(1)], CONNECTIONS);
    const row = (title: string, toFigure: (name: string) => number) => [
      title,
      ...targets.map(({ name }) => show(toFigure(name))),
    ];
    return {
      title: `tools/call with so many versions open, ${CONNECTIONS} connections`,
      header: ["", ...targets.map(({ name }) => name)],
      rows: [
        row("calls/s", (name) => medianOf(windows, name, CONNECTIONS, "rate")),
        row("of those with one open", ratio),
        row("CPU us/call", (name) => medianOf(windows, name, CONNECTIONS, "cpu")),
        row("p99 ms", (name) => medianOf(windows, name, CONNECTIONS, "p99")),
      ],
      note: describeDisturbance(windows),
      goals: [
        { name: `calls/s with ${most} versions open, of those with one`, actual: ratio(toOne(most)), atLeast: 0.9 },
      ],
      unavailable: [],
      raw: { windows },
    };
  } finally {
    await closeSubjects(subjects);
  }
};

function spreadOver(plan: Plan, versions: number): Plan {
  const { pathname } = new URL(plan.url);
  const requests = Array.from({ length: versions }, (_, index) =>
    plan.requests.map((request) => ({ ...request, path: pathname.replace(toVersion(0), toVersion(index)) })),
  );
  return { ...plan, requests: requests.flat() };
}
