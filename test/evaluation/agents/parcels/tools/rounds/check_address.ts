import type { Handler } from "cairn-gitops/host-api";

interface Input {
  street: string;
  postcode: string;
  register: string;
  spelling: string;
  count: number;
  deliverable: boolean;
}

interface Found {
  street: string;
  postcode: string;
  floor: number;
  open: boolean;
}

const checkAddress: Handler<Input> = async (input, ctx) => {
  const query = `street=${encodeURIComponent(input.street)}&postcode=${input.postcode}&register=${input.register}&spelling=${input.spelling}`;
  const reply = await ctx.fetch(`https://api.strassenkunde.example/v1/addresses?${query}`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Strassenkunde does not answer.");
  const addresses = reply
    .json<Found[]>()
    .filter((one) => one.open || !input.deliverable)
    .slice(0, input.count)
    .map(({ street, postcode, floor }) => ({ street, postcode, floor }));
  return { addresses };
};

export default checkAddress;
