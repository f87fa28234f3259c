import type { Handler } from "cairn-gitops/host-api";

interface Input {
  magnitude: number;
  filter: string;
  snr: number;
  gain: string;
  binning: number;
  darks: boolean;
}

/** How much light a filter lets through; what is not listed is taken for narrow. */
const THROUGH: Readonly<Record<string, number>> = { clear: 1, red: 0.35, green: 0.4, blue: 0.3 };
const GAIN: Readonly<Record<string, number>> = { low: 0.8, medium: 1, high: 1.2 };
const STEP: Readonly<Record<string, number>> = { none: 0, small: 2, large: 5 };

const exposurePlan: Handler<Input> = (input, ctx) => {
  const { longest_frame = 180, overhead = 0.2, sky_glow = 20.5, dither = "small" } = ctx.params["exposure"] ?? {};
  const light = (THROUGH[input.filter] ?? 0.08) * (GAIN[input.gain] ?? 1) * input.binning ** 2;
  const haze = 1 + 10 ** ((input.magnitude - Number(sky_glow)) / 5);
  const seconds = (input.snr ** 2 * haze * 10 ** ((input.magnitude - 12) / 2.5)) / (25 * light);
  const seconds_each = Math.min(Number(longest_frame), Math.max(1, Math.round(seconds)));
  const frames = Math.max(1, Math.ceil(seconds / seconds_each));
  const pauses = frames * (STEP[String(dither)] ?? 0) + frames * seconds_each * Number(overhead);
  const all = frames * seconds_each * (input.darks ? 1.25 : 1) + pauses;
  return { frames, seconds_each, total_minutes: Math.round(all / 6) / 10 };
};

export default exposurePlan;
