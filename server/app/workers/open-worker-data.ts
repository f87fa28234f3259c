import { type NodeDoor, openNodeDoor } from "../../http/node-door.ts";
import type { Instance } from "../../instance/hold-or-ask.ts";
import type { Link } from "../../instance/workers/open-link.ts";
import { takeWorkerLock } from "../../instance/workers/worker-lock.ts";
import { MACHINE } from "../../store/steady-clock.ts";
import type { OwnData } from "../open-data.ts";

/** Data of a worker: the store and the others are behind its link, and its folder is its own as long as it lives. */
export interface WorkerData extends OwnData {
  readonly door: NodeDoor;
}

/** Opens what a worker has in place of a data folder that it would have for itself. @throws UNAVAILABLE */
export async function openWorkerData(link: Link): Promise<WorkerData> {
  const { self, home, lock: path, origin } = link.hello;
  const lock = await takeWorkerLock(path);
  const door = await openNodeDoor();
  link.announce({ address: door.address });
  const nothing = async () => undefined;
  const instance = Object.freeze<Instance>({
    // Commands ask the primary.
    answer: async () => nothing,
    announce: async (details) => link.announce(details),
    withdraw: nothing,
    async release() {
      await door.close();
      lock.release();
    },
  });
  const members = { self: { ...self, address: door.address }, home, list: link.members };
  return { instance, store: link.store, storeTime: () => origin + MACHINE.sinceStart(), members, door };
}
