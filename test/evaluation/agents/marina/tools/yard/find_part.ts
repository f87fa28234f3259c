import type { Handler } from "cairn-gitops/host-api";

interface Input {
  words: string;
  maker: string;
  condition: string;
  max_price?: number;
  in_stock: boolean;
  count: number;
}

interface Part {
  part_no: string;
  name: string;
  euros: number;
  stock: number;
}

const findPart: Handler<Input> = async (input, ctx) => {
  const query = `q=${encodeURIComponent(input.words)}&maker=${input.maker}&condition=${input.condition}`;
  const reply = await ctx.fetch(`https://parts.chandlery.example/v1/parts?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Chandlery does not answer.");
  const parts = reply
    .json<Part[]>()
    .filter((one) => one.euros <= (input.max_price ?? Number.POSITIVE_INFINITY) && (one.stock > 0 || !input.in_stock))
    .slice(0, input.count)
    .map(({ part_no, name, euros }) => ({ part_no, name, euros }));
  return { parts };
};

export default findPart;
