import type { RandomBytes } from "../identifiers.ts";
import type { Store } from "./store.ts";

const BYTES = 32;

/** A key that all processes of a store share, made by whichever needs it first. */
export async function loadSecret(store: Store, name: string, randomBytes: RandomBytes): Promise<Buffer> {
  const key = ["secret", name];
  const find = async () => (await store.get(key))?.value;
  const known = await find();
  if (typeof known === "string") return Buffer.from(known, "base64");
  const value = Buffer.from(randomBytes(BYTES)).toString("base64");
  const { ok } = await store.commit({ check: [{ key, rev: 0 }], set: [{ key, value }] });
  return Buffer.from(ok ? value : String(await find()), "base64");
}
