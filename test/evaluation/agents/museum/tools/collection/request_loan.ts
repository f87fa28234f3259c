import type { Handler } from "cairn-gitops/host-api";
import { PIECES, tail } from "../_lib/museum.ts";

interface Input {
  inventory_no: string;
  from: string;
  until: string;
  insured_value: number;
}

const requestLoan: Handler<Input> = async (input, ctx) => {
  if (!PIECES.some(({ inventory_no }) => inventory_no === input.inventory_no)) {
    throw ctx.fail("NOT_FOUND", `There is no object ${input.inventory_no}.`);
  }
  const { board_above = 25_000, courier_above = 10_000, longest_days = 365 } = ctx.params["lending"] ?? {};
  const days = (Date.parse(input.until) - Date.parse(input.from)) / 86_400_000;
  const asked = await ctx.state.scan(["loan", input.inventory_no]);
  const loan_id = `O-${tail(input.inventory_no)}-${asked.length + 1}`;
  await ctx.state.set(["loan", input.inventory_no, loan_id], input);
  return {
    loan_id,
    decision: input.insured_value >= Number(board_above) || days > Number(longest_days) ? "board" : "registrar",
    courier: input.insured_value >= Number(courier_above),
  };
};

export default requestLoan;
