import type { Handler } from "cairn-gitops/host-api";
import { STOCK } from "../_lib/stock.ts";

const showRecord: Handler<{ record: string; withCopies: boolean }> = (input, ctx) => {
  const item = STOCK.find(({ record }) => record === input.record);
  if (item === undefined) throw ctx.fail("NOT_FOUND", `There is no record ${input.record}.`);
  const { title, author, shelfmark, pages } = item;
  const shown = { title, author, shelfmark, pages };
  return input.withCopies ? { ...shown, copies: item.branches.map((branch) => ({ branch })) } : shown;
};

export default showRecord;
