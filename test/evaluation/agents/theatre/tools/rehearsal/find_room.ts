import type { Handler } from "cairn-gitops/host-api";
import { ROOMS } from "../_lib/house.ts";

const findRoom: Handler<{ people: number; floor_type: string; piano: boolean; count: number }> = (input) => ({
  rooms: ROOMS.filter(
    (one) =>
      one.holds >= input.people &&
      (input.floor_type === "any" || one.floor === input.floor_type) &&
      (one.piano || !input.piano),
  )
    .slice(0, input.count)
    .map(({ room_no, holds, floor }) => ({ room_no, holds, floor })),
});

export default findRoom;
