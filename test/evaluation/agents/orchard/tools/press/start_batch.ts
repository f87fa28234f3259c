import type { Handler } from "cairn-gitops/host-api";

interface Input {
  kilos: number;
  pressed_with: string;
}

/** Litres of must from a kilo. */
const YIELD: Readonly<Record<string, number>> = { rack: 0.6, belt: 0.65, bladder: 0.7 };

const startBatch: Handler<Input> = async (input, ctx) => {
  const batches = await ctx.state.scan(["batch"]);
  const batch_no = `K-${batches.length + 1}`;
  await ctx.state.set(["batch", batch_no], input);
  const litres = Math.round(input.kilos * (YIELD[input.pressed_with] ?? 0.6) * 10) / 10;
  return { batch_no, litres, status: batches.length % 3 === 0 ? "pressing" : "queued" };
};

export default startBatch;
