import type { Handler } from "cairn-gitops/host-api";
import { PLANTINGS } from "../_lib/grounds.ts";

interface Input {
  season: string;
  area?: string;
  light: string;
  min_height_cm?: number;
  labelled: boolean;
  limit: number;
}

const findPlantings: Handler<Input> = (input) => ({
  plantings: PLANTINGS.filter(
    (one) =>
      one.season === input.season &&
      (input.area === undefined || one.area === input.area) &&
      (input.light === "any" || one.light === input.light) &&
      one.height_cm >= (input.min_height_cm ?? 0) &&
      (one.labelled || !input.labelled),
  )
    .slice(0, input.limit)
    .map(({ bed, latin, common, height_cm }) => ({ bed, latin, common, height_cm })),
});

export default findPlantings;
