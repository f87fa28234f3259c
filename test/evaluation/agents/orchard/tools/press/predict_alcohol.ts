import type { Handler } from "cairn-gitops/host-api";

interface Input {
  brix: number;
  rest_brix: number;
  scale: string;
  decimals: number;
}

const predictAlcohol: Handler<Input> = ({ brix, rest_brix, scale, decimals }, ctx) => {
  if (rest_brix > brix) throw ctx.fail("UNPROCESSABLE", "Sugar does not grow in a tank.");
  const volume = (brix - rest_brix) * 0.55 * (scale === "proof" ? 2 : 1);
  return { strength: Number(volume.toFixed(decimals)) };
};

export default predictAlcohol;
