import { closeToOthers, findOpening, toDataPaths } from "../config/data-folder.ts";
import { loadDiskRoom } from "../config/disk-room.ts";
import { claimForm } from "../instance/data-form.ts";
import { createInUse, type HoldOptions, holdOrAsk, type Instance } from "../instance/hold-or-ask.ts";
import { outliveWorkers } from "../instance/workers/worker-lock.ts";
import { createRemoteStore } from "../instance/remote-store.ts";
import type { Log } from "../log/log.ts";
import type { Store } from "../store/store.ts";
import { type OpenedStore, openStore, type StoreOptions } from "./open-store.ts";

/** A data folder of this process alone. Closing the store comes before letting go of the folder. */
export interface OwnData extends OpenedStore {
  readonly instance: Instance;
}

/** Whose data folder, and where its store is. */
export type DataOptions = HoldOptions & Pick<StoreOptions, "config" | "onAlarm">;

/** For a service: rejects with UNAVAILABLE when another process has the data folder. */
export async function openOwnData(options: DataOptions): Promise<OwnData> {
  const use = await holdOrAsk(options);
  if ("instance" in use) return openHeld(options, use.instance);
  use.peer.close();
  throw createInUse(options.data, use.peer.holder);
}

/** For a command: opens the store, or asks the process that has it open. Closing it lets go of the data folder. */
export async function openSharedStore(options: DataOptions): Promise<Store> {
  const use = await holdOrAsk(options);
  if ("peer" in use) return createRemoteStore(use.peer);
  const { instance } = use;
  const { store } = await openHeld({ ...options, isCommand: true }, instance);
  const close = () => store.admin.close().finally(() => instance.release());
  return { ...store, admin: { ...store.admin, close } };
}

/** Warns of a data folder that other accounts may enter, and of a disk without room. */
export async function warnOfData(data: string, log: Log): Promise<void> {
  const room = await loadDiskRoom(data);
  if (room.isFull) log.warn({ folder: data, free: room.free }, "no space is left on the disk: calls with effects fail");
  const found = await findOpening(data);
  if (found === undefined) return;
  const { mode, command } = found;
  log.warn({ folder: data, mode }, `other accounts may enter the data folder, mode ${mode}; run: ${command}`);
}

async function openHeld(
  { data, config, isCommand = false, onAlarm }: DataOptions & Pick<StoreOptions, "isCommand">,
  instance: Instance,
): Promise<OwnData> {
  try {
    if (!isCommand) await outliveWorkers(toDataPaths(data).instance);
    await claimForm(data);
    // An earlier Cairn left repositories open to others.
    await Promise.all(Object.values(toDataPaths(data)).map(closeToOthers));
    return { instance, ...(await openStore({ data, config, isCommand, onAlarm })) };
  } catch (error) {
    await instance.release();
    throw error;
  }
}
