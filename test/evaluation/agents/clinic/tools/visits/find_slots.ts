import type { Handler } from "cairn-gitops/host-api";
import { CLOSES, OPENS, STAFF, toMinutes, toTime } from "../_lib/clinic.ts";

interface Input {
  date: string;
  vet: string;
  kind: string;
  earliest: string;
  minutes: number;
  nurse_ok: boolean;
  limit: number;
}

const findSlots: Handler<Input> = (input, ctx) => {
  const { order = "earliest", buffer_minutes: buffer = 5 } = ctx.params["slots"] ?? {};
  const length = input.minutes + (input.kind === "emergency" ? 0 : Number(buffer));
  const day = Number(input.date.slice(-2));
  const free = STAFF.filter((who) => (who === "nurse" ? input.nurse_ok : input.vet === "any" || input.vet === who))
    .flatMap((who, index) => {
      const slots = [];
      for (let start = OPENS; start + length <= CLOSES; start += length) {
        const isTaken = (start / 5 + day + index) % 3 === 0;
        if (!isTaken && start >= toMinutes(input.earliest)) slots.push({ start, with: who });
      }
      return slots;
    })
    .sort(order === "latest" ? (a, b) => b.start - a.start : (a, b) => a.start - b.start);
  const slots =
    order === "spread" ? [...free.filter((_, at) => at % 3 === 0), ...free.filter((_, at) => at % 3)] : free;
  return {
    slots: slots.slice(0, input.limit).map(({ start, with: who }) => ({ time: toTime(start), with: who })),
    total: free.length,
  };
};

export default findSlots;
