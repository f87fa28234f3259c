import type { Handler } from "cairn-gitops/host-api";

interface Load {
  kilos: number;
  length_m: number;
}

const LANE_METRES: Readonly<Record<string, number>> = { kittiwake: 32, fulmar: 54, petrel: 24 };

const planStowage: Handler<{ ship: string; loads: readonly Load[]; lanes: number; lashing: string }> = (input, ctx) => {
  const { fill = "even", lash_gap_cm = 40, spare_metres = 2 } = ctx.params["stowage"] ?? {};
  const gap = (Number(lash_gap_cm) / 100) * (input.lashing === "storm" ? 2 : 1);
  const room = (LANE_METRES[input.ship] ?? 30) - Number(spare_metres);
  const lanes = Array.from({ length: input.lanes }, (_, at) => ({ lane: at + 1, kilos: 0, metres: 0 }));
  const size = (load: Load): number =>
    fill === "longest_first" ? load.length_m : fill === "heaviest_first" ? load.kilos : 0;
  let left_over = 0;
  for (const load of input.loads.toSorted((a, b) => size(b) - size(a))) {
    const free = lanes
      .filter(({ metres }) => metres + load.length_m + gap <= room)
      .toSorted((a, b) => a.kilos - b.kilos)[0];
    if (free === undefined) {
      left_over += 1;
      continue;
    }
    free.kilos += load.kilos;
    free.metres = Math.round((free.metres + load.length_m + gap) * 100) / 100;
  }
  return { lanes, left_over };
};

export default planStowage;
