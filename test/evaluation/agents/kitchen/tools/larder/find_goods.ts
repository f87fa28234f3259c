import type { Handler } from "cairn-gitops/host-api";

interface Input {
  words: string;
  category: string;
  grade: string;
  max_price?: number;
  in_stock: boolean;
  count: number;
}

interface Article {
  id: string;
  name: string;
  euros: number;
  today: number;
}

const findGoods: Handler<Input> = async (input, ctx) => {
  const query = `q=${encodeURIComponent(input.words)}&hall=${input.category}&grade=${input.grade}`;
  const reply = await ctx.fetch(`https://api.marktwagen.example/v1/articles?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Marktwagen does not answer.");
  const goods = reply
    .json<Article[]>()
    .filter((one) => one.euros <= (input.max_price ?? Number.POSITIVE_INFINITY) && (one.today > 0 || !input.in_stock))
    .slice(0, input.count)
    .map(({ id, name, euros }) => ({ goods_no: id, name, euros }));
  return { goods };
};

export default findGoods;
