import type { Handler } from "cairn-gitops/host-api";
import { PIECES } from "../_lib/museum.ts";

interface Input {
  inventory_no: string;
  into: string;
}

const translateLabel: Handler<Input> = async (input, ctx) => {
  const piece = PIECES.find(({ inventory_no }) => inventory_no === input.inventory_no);
  if (piece === undefined) throw ctx.fail("NOT_FOUND", `There is no object ${input.inventory_no}.`);
  const label = encodeURIComponent(`${piece.title}, ${piece.year}`);
  const reply = await ctx.fetch(`https://api.wordloom.example/v2/labels?into=${input.into}&label=${label}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Wordloom does not translate today.");
  const { text } = reply.json<{ text: string }>();
  return { text, words: text.split(" ").length };
};

export default translateLabel;
