import type { Context } from "cairn-gitops/host-api";

export interface Ticket {
  readonly ticket_id: string;
  readonly subject: string;
  readonly body: string;
  readonly requester: { readonly email: string; readonly name?: string; readonly vip: boolean };
  readonly priority: string;
  readonly status: string;
  readonly comments: readonly { readonly text: string; readonly visibility: string }[];
}

/** @throws NOT_FOUND when nobody has opened it. */
export async function loadTicket(ctx: Context, id: string): Promise<Ticket> {
  const ticket = await ctx.state.get<Ticket>(["ticket", id]);
  if (ticket === undefined) throw ctx.fail("NOT_FOUND", `There is no ticket ${id}.`);
  return ticket;
}
