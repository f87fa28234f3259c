import type { Handler } from "cairn-gitops/host-api";
import { STOCK, type Item } from "../_lib/stock.ts";

interface Input {
  text: string;
  lookIn: string;
  medium?: string;
  branch?: string;
  onShelfOnly: boolean;
  printedSince?: number;
  arrange: string;
  pageSize: number;
}

function words(item: Item, part: string): string {
  if (part === "author") return item.author;
  if (part === "subject") return item.subject;
  if (part === "isbn") return item.isbn;
  return `${item.title} ${item.author} ${item.subject}`;
}

const searchHoldings: Handler<Input> = (input) => {
  const found = STOCK.filter(
    (one) =>
      words(one, input.lookIn).toLowerCase().includes(input.text.toLowerCase()) &&
      (input.medium === undefined || one.medium === input.medium) &&
      (input.branch === undefined || one.branches.includes(input.branch)) &&
      (!input.onShelfOnly || one.copiesIn > 0) &&
      one.year >= (input.printedSince ?? 0),
  );
  if (input.arrange === "alphabetical") found.sort((a, b) => a.title.localeCompare(b.title));
  if (input.arrange === "newestFirst") found.sort((a, b) => b.year - a.year);
  const hits = found.slice(0, input.pageSize).map(({ record, title, author, medium, copiesIn }) => ({
    record,
    title,
    author,
    medium,
    copiesIn,
  }));
  return { hits, found: found.length };
};

export default searchHoldings;
