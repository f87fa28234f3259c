import { PALETTE } from "../capabilities/tuner/plots/palette.ts";
import { type Picture, type Spec, toEmptyPicture } from "../capabilities/tuner/plots/picture.ts";

/** Coherence of a server's state at an entry of its lineage. */
export interface DriftMoment {
  readonly seq: number;
  readonly drift: number;
  readonly coherent: boolean;
}

/** Drift and coherence after each change, oldest first. */
export function drawDrift(server: string, moments: readonly DriftMoment[]): Picture {
  const title = `${server}: drift and coherence`;
  const last = moments.at(-1);
  if (last === undefined) return toEmptyPicture(title, "nothing has changed");
  const most = Math.max(...moments.map(({ drift }) => drift));
  const coherent = moments.filter((moment) => moment.coherent).length;
  return {
    title,
    notes: ["After each of the newest changes, by its number in the lineage."],
    description: `Drift ${last.drift} now and ${most} at most; coherent after ${coherent} of ${moments.length} changes.`,
    spec: {
      data: { values: moments.map((moment) => ({ ...moment, coherent: moment.coherent ? 1 : 0 })) },
      vconcat: [
        toPanel("drift", "drift", 150, "linear", {}),
        toPanel("coherent", "coherent (1) or not (0)", 60, "step-after", { domain: [0, 1] }),
      ],
    },
  };
}

function toPanel(field: string, title: string, height: number, interpolate: string, scale: Spec): Spec {
  return {
    width: 490,
    height,
    mark: { type: "line", interpolate, color: PALETTE[0], point: { color: PALETTE[0], size: 12 } },
    encoding: {
      x: {
        field: "seq",
        type: "quantitative",
        title: "change",
        scale: { zero: false, nice: false },
        axis: { tickMinStep: 1 },
      },
      y: { field, type: "quantitative", title, scale, axis: { tickCount: 3 } },
    },
  };
}
