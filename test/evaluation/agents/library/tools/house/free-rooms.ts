import type { Handler } from "cairn-gitops/host-api";

interface Input {
  day: string;
  fromHour: number;
  seats: number;
  equipment: string;
  ground: boolean;
}

const ROOMS = [
  { room: "attic", seats: 6, has: ["piano"], ground: false },
  { room: "cellar", seats: 12, has: ["screen"], ground: false },
  { room: "quiet", seats: 4, has: [], ground: true },
  { room: "workshop", seats: 16, has: ["screen", "loom"], ground: true },
];

const freeRooms: Handler<Input> = async (input, ctx) => {
  const rooms = [];
  for (const { room, seats, has, ground } of ROOMS) {
    const taken = await ctx.state.get(["reserved", `Z-${room}-${input.day.replaceAll("-", "")}-${input.fromHour}`]);
    const equipped = input.equipment === "none" || has.some((one) => one === input.equipment);
    if (taken === undefined && equipped && seats >= input.seats && (ground || !input.ground))
      rooms.push({ room, seats });
  }
  return { rooms };
};

export default freeRooms;
