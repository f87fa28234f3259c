import type { Handler } from "cairn-gitops/host-api";

interface Input {
  liked: string;
  amount: number;
}

interface Edge {
  to: string;
  kind: string;
  loans: number;
}

const WHY: Readonly<Record<string, string>> = {
  sameAuthor: "By the same author.",
  similar: "Readers of one like the other.",
};

const recommendNext: Handler<Input> = async (input, ctx) => {
  const { flavour = "similar", minLoans = 5 } = ctx.params["next-reads"] ?? {};
  const reply = await ctx.fetch(`https://api.bookgraph.example/v2/edges?from=${input.liked}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "The book graph does not answer.");
  const { edges } = reply.json<{ edges: Edge[] }>();
  const known = edges.filter(({ loans }) => loans >= Number(minLoans));
  const ordered = [...known.filter(({ kind }) => kind === flavour), ...known.filter(({ kind }) => kind !== flavour)];
  return {
    titles: ordered.slice(0, input.amount).map(({ to, kind }) => ({
      record: to,
      reason: WHY[kind] ?? "A surprise.",
    })),
  };
};

export default recommendNext;
