import type { Handler } from "cairn-gitops/host-api";

interface Input {
  words: string;
  category: string;
  quality: string;
  max_price?: number;
  in_stock: boolean;
  count: number;
}

interface Item {
  item_no: string;
  name: string;
  euros: number;
  stock: number;
}

const findMaterial: Handler<Input> = async (input, ctx) => {
  const reply = await ctx.fetch(
    `https://api.kulissenhof.example/v2/items?q=${encodeURIComponent(input.words)}&category=${input.category}&quality=${input.quality}`,
  );
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Kulissenhof does not answer.");
  const hits = reply
    .json<Item[]>()
    .filter(
      ({ euros, stock }) => euros <= (input.max_price ?? Number.POSITIVE_INFINITY) && (stock > 0 || !input.in_stock),
    );
  return { hits: hits.slice(0, input.count).map(({ item_no, name, euros }) => ({ item_no, name, euros })) };
};

export default findMaterial;
