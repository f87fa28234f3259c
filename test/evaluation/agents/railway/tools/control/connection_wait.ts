import type { Handler } from "cairn-gitops/host-api";

interface Input {
  late_minutes: number;
  riders: number;
  last_train: boolean;
  weather: string;
  next_in: number;
  group: string;
}

/** Pupils are waited for a little longer; whoever is not listed is like commuters. */
const WEIGHT: Readonly<Record<string, number>> = { commuters: 1, pupils: 1.3, trippers: 0.8 };

const connectionWait: Handler<Input> = (input, ctx) => {
  const {
    longest_wait = 6,
    riders_a_minute = 4,
    last_train_extra = 15,
    storm_factor = 1.5,
    rounding = "up",
  } = ctx.params["waiting_rules"] ?? {};
  const base = Math.min(Number(longest_wait), (input.riders * (WEIGHT[input.group] ?? 1)) / Number(riders_a_minute));
  const extra = input.last_train && input.riders > 0 ? Number(last_train_extra) : 0;
  const patience =
    base * (input.weather === "storm" ? Number(storm_factor) : 1) * (input.next_in > 90 ? 1.5 : 1) + extra;
  const minutes = rounding === "nearest" ? Math.round(patience) : Math.ceil(patience);
  const hold = input.late_minutes > 0 && input.late_minutes <= minutes;
  return { verdict: hold ? "hold" : "depart", wait_minutes: hold ? input.late_minutes : 0 };
};

export default connectionWait;
