import { CAIRN } from "../contenders.ts";
import { ratioOf } from "../figures.ts";
import { describeDisturbance, measureRounds } from "../rounds.ts";
import type { Part } from "./part.ts";
import {
  CONNECTIONS,
  MANY,
  measureSizes,
  SIZE_HEADER,
  SIZES,
  toMainPeers,
  toSizeName,
  toSizeRows,
  toTarget,
} from "./sizes.ts";

/** Whether a call costs more when there are more tools beside it. */
export const measureTools: Part = async (options) => {
  const { windows, unavailable } = await measureSizes(options, (subjects) =>
    measureRounds(subjects.map(toTarget), { ...options, connections: [CONNECTIONS] }),
  );
  const sdk = toMainPeers(options.contenders)
    .filter(({ peer }) => peer === "sdk-v2")
    .map(({ name }) => toSizeName(name, 50));
  return {
    title: `tools/call with ${SIZES.join(" / ")} tools, ${CONNECTIONS} connections`,
    header: SIZE_HEADER,
    rows: toSizeRows(windows, options.contenders),
    note: describeDisturbance(windows),
    goals: [
      {
        name: "x sdk-v2, with 50 tools",
        actual: ratioOf(windows, toSizeName(CAIRN, 50), sdk, CONNECTIONS),
        atLeast: 15,
      },
      {
        name: `calls/s with one tool, of those with ${MANY}`,
        actual: ratioOf(windows, toSizeName(CAIRN, 1), [toSizeName(CAIRN, MANY)], CONNECTIONS),
        atMost: 1.3,
      },
    ],
    unavailable,
    raw: { windows },
  };
};
