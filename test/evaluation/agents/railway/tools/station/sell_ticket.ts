import type { Handler } from "cairn-gitops/host-api";
import { FARES, TRAINS } from "../_lib/line.ts";

interface Input {
  train_no: string;
  day: string;
  travellers: number;
  fare_type: string;
  carriage: string;
  payment: string;
}

// All of the sale is kept; conductors see whatever was noted.
const sellTicket: Handler<Input> = async (input, ctx) => {
  const train = TRAINS.find(({ train_no }) => train_no === input.train_no);
  if (train === undefined) throw ctx.fail("NOT_FOUND", `There is no train ${input.train_no}.`);
  const earlier = await ctx.state.scan(["sold", input.train_no]);
  const ticket_no = `${input.train_no}-${earlier.length + 1}`;
  await ctx.state.set(["sold", input.train_no, ticket_no], input);
  await ctx.state.set(["ticket", ticket_no], input);
  const each = train.fare * (FARES[input.fare_type] ?? 1) * (input.carriage === "first" ? 1.6 : 1);
  return {
    ticket_no,
    status: input.payment === "account" ? "held" : "issued",
    price: Math.round(each * input.travellers * 100) / 100,
  };
};

export default sellTicket;
