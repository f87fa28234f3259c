import { describe, expect, test } from "vitest";
import { createSeccompFilter } from "../../../../../server/capabilities/workspace/sandbox/seccomp-filter.ts";

/** Runs the filter as the kernel would, for one call. */
function judge(
  filter: Buffer,
  call: { readonly number: number; readonly audit: number; readonly first?: number },
): number {
  const data = new Map([
    [0, call.number],
    [4, call.audit],
    [16, call.first ?? 0],
  ]);
  let value = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const [yes, no, operand] = [
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) value = data.get(operand) ?? 0;
    else if (code === 0x15) at += value === operand ? yes : no;
    else if (code === 0x35) at += value >= operand ? yes : no;
    else return operand;
  }
  throw new Error("The filter has no end.");
}

const [ALLOW, KILL, EPERM] = [0x7fff0000, 0x80000000, 0x00050001];
const MACHINES = {
  x64: { audit: 0xc000003e, socket: 41, unshare: 272, read: 0 },
  arm64: { audit: 0xc00000b7, socket: 198, unshare: 97, read: 63 },
};

describe.each(Object.entries(MACHINES))(
  "the filter of kernel calls on %s",
  (name, { audit, socket, unshare, read }) => {
    const filter = createSeccompFilter(name) ?? Buffer.alloc(0);

    test("refuses what leads out of a sandbox and lets the rest through", () => {
      expect(judge(filter, { audit, number: read })).toBe(ALLOW);
      expect(judge(filter, { audit, number: unshare })).toBe(EPERM);
      for (const number of [425, 426, 427, 428, 442]) expect(judge(filter, { audit, number })).toBe(EPERM);
      for (const first of [1, 2, 10, 16]) expect(judge(filter, { audit, number: socket, first })).toBe(ALLOW);
      for (const first of [0, 17, 38, 40]) expect(judge(filter, { audit, number: socket, first })).toBe(EPERM);
    });

    test("ends programs of another kind, whose calls have other numbers", () => {
      expect(judge(filter, { audit: 0x40000003, number: read })).toBe(KILL);
      expect(judge(filter, { audit, number: 0x40000000 + read })).toBe(EPERM);
    });
  },
);

test("there is no filter for processors whose calls are not known", () => {
  expect(createSeccompFilter("riscv64")).toBeUndefined();
});
