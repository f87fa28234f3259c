import type { Config } from "../../config/config.ts";
import { showDatabase } from "../../config/config-store.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { fail, type Finding, ok, toReason, warn } from "./finding.ts";

/** Checks the database of the store, where it has one: reachable, taking writes, keeping what it acknowledges. */
export async function checkStore({ store }: Pick<Config, "store">): Promise<readonly Finding[]> {
  if (store.engine === "lmdb") return [];
  const { database, password, limitMs } = store;
  const shown = showDatabase(database);
  try {
    const { probeDatabase } = await import("../../store/postgres/probe.ts");
    const { version, encoding, unsafe } = await probeDatabase({
      database,
      limitMs,
      password: async () => password && loadReferencedSecret("CAIRN_STORE_PASSWORD", password),
    });
    if (encoding !== "UTF8") {
      return [fail("store.database", `${shown} is encoded in ${encoding}.`, "Make a database with the encoding UTF8.")];
    }
    const found = ok("store.database", `${shown} answers, takes writes, and is PostgreSQL ${version}.`);
    if (unsafe.length === 0) return [found];
    const advice = "Set them to `on`: with `off` the server acknowledges what it may lose when it stops.";
    return [found, warn("store.durability", `${shown} has \`off\` for ${unsafe.join(" and ")}.`, advice)];
  } catch (error) {
    const advice = "See that the server runs, takes writes, and lets this account in (docs/postgresql.md).";
    return [fail("store.database", `${shown}: ${toReason(error)}.`, advice)];
  }
}
