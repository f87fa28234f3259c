import type { Handler } from "cairn-gitops/host-api";
import { EVENINGS } from "../_lib/hill.ts";

interface Input {
  from: string;
  audience?: string;
  topic?: string;
  spoken: string;
  step_free: boolean;
  max_price?: number;
  page_size: number;
}

const listNights: Handler<Input> = (input) => ({
  evenings: EVENINGS.filter(
    (one) =>
      one.date >= input.from &&
      (input.audience === undefined || one.audience === input.audience) &&
      (input.topic === undefined || one.topic === input.topic) &&
      one.spoken.includes(input.spoken) &&
      (one.step_free || !input.step_free) &&
      one.price <= (input.max_price ?? Number.POSITIVE_INFINITY),
  )
    .slice(0, input.page_size)
    .map(({ night_no, topic, price, seats }) => ({ night_no, topic, price, seats_left: seats })),
});

export default listNights;
