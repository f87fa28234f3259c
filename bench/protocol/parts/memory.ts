import { CAIRN } from "../contenders.ts";
import { type Memory, readMemory } from "../processes.ts";
import { closeSubjects, openSubjects } from "../subjects.ts";
import type { Part } from "./part.ts";

const CALLS = 200_000;
const STEP = 20_000;
const CONNECTIONS = 16;

interface Sample extends Memory {
  readonly calls: number;
}

/** Whether calls leave anything behind in memory. */
export const measureMemory: Part = async ({ contenders, load, say }) => {
  const wanted = contenders
    .filter(({ name }) => name === CAIRN)
    .map((contender) => ({ contender, tools: 1, name: CAIRN }));
  const { subjects, unavailable } = await openSubjects(wanted, say);
  try {
    const samples: Sample[] = [];
    for (const { running, plan } of subjects) {
      samples.push({ calls: 0, ...readMemory(running.pid) });
      for (let calls = 0; calls < CALLS;) {
        calls += (await load.run(plan, { connections: CONNECTIONS, seconds: 1 })).calls;
        if (calls < samples.length * STEP) continue;
        samples.push({ calls, ...readMemory(running.pid) });
        say(`${calls} calls: ${samples.at(-1)?.resident.toFixed(0)} MB`);
      }
    }
    return {
      title: `Memory of all of Cairn's processes after so many calls, ${CONNECTIONS} connections`,
      header: ["calls", "RSS MB", "of that own MB", "by process"],
      rows: samples.map(({ calls, resident, own }) => [
        `${calls}`,
        resident.toFixed(0),
        toSum(own).toFixed(0),
        own.map((size) => size.toFixed(0)).join(" + "),
      ]),
      note: "The rest are pages of the store, which the kernel keeps as long as nobody needs the room.",
      goals: [
        { name: "growth of own memory in the last quarter of the calls", actual: toGrowth(samples), atMost: 0.05 },
      ],
      unavailable,
      raw: { samples },
    };
  } finally {
    await closeSubjects(subjects);
  }
};

function toGrowth(samples: readonly Sample[]): number {
  const last = samples.at(-1);
  const before = samples.findLast(({ calls }) => calls <= (last?.calls ?? 0) * 0.75);
  return last === undefined || before === undefined ? Number.NaN : toSum(last.own) / toSum(before.own) - 1;
}

function toSum(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
