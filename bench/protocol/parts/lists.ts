import { CAIRN } from "../contenders.ts";
import { ratioOf } from "../figures.ts";
import { describeDisturbance, measureRounds, type Target } from "../rounds.ts";
import { planLists } from "../smoke-test.ts";
import type { Part } from "./part.ts";
import { CONNECTIONS, MANY, measureSizes, SIZE_HEADER, SIZES, toMainPeers, toSizeName, toSizeRows } from "./sizes.ts";

/** What it costs to list all tools, on however many pages they come. */
export const measureLists: Part = async (options) => {
  const { windows, unavailable } = await measureSizes(options, async (subjects) => {
    const targets: Target[] = [];
    for (const { name, running, dialect } of subjects) {
      const { pages, ...plan } = await planLists(running, dialect);
      targets.push({ name, pid: running.pid, plan, pages });
    }
    return measureRounds(targets, { ...options, connections: [CONNECTIONS] });
  });
  const peers = toMainPeers(options.contenders).map(({ name }) => toSizeName(name, MANY));
  return {
    title: `tools/list of ${SIZES.join(" / ")} tools, all pages, ${CONNECTIONS} connections`,
    header: SIZE_HEADER,
    rows: toSizeRows(windows, options.contenders),
    note: describeDisturbance(windows),
    goals: [
      {
        name: `x the fastest peer, listing ${MANY} tools`,
        actual: ratioOf(windows, toSizeName(CAIRN, MANY), peers, CONNECTIONS),
        atLeast: 5,
      },
    ],
    unavailable,
    raw: { windows },
  };
};
