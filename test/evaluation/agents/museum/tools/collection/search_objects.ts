import type { Handler } from "cairn-gitops/host-api";
import { PIECES } from "../_lib/museum.ts";

interface Input {
  query: string;
  material?: string;
  made_after?: number;
  made_before?: number;
  gallery?: string;
  sort_by: string;
  pictures: boolean;
  page_size: number;
}

const searchObjects: Handler<Input> = (input) => {
  const found = PIECES.filter(
    (one) =>
      one.title.toLowerCase().includes(input.query.toLowerCase()) &&
      (input.material === undefined || one.material === input.material) &&
      one.year >= (input.made_after ?? 0) &&
      one.year < (input.made_before ?? 9999) &&
      (input.gallery === undefined || one.gallery === input.gallery),
  ).toSorted((a, b) => {
    if (input.sort_by === "title") return a.title.localeCompare(b.title);
    return input.sort_by === "oldest" ? a.year - b.year : b.year - a.year;
  });
  const objects = found
    .slice(0, input.page_size)
    .map((one) =>
      input.pictures ? { ...one, picture: `https://pictures.kilnstreet.example/${one.inventory_no}.jpg` } : one,
    );
  return { objects, hits: found.length };
};

export default searchObjects;
