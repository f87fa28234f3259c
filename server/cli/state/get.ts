import { showPlace, toStoreKey } from "../../capabilities/state/data/place.ts";
import { printableLines } from "../../text/printable.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { assertKnown } from "./assert-known.ts";
import { loadPlace, readKey, STATE_ARGUMENT, STATE_TENANT_OPTION } from "./state-options.ts";

/** `cairn state get <server/scope> <key>`: one value, as JSON. */
export const createStateGet: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state get", description: "Print the value under a key, as JSON" },
    args: {
      ...STATE_ARGUMENT,
      key: { type: "positional", required: true, valueHint: "key", description: 'As JSON: ["ticket", 7]' },
      ...STATE_TENANT_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out, err } = context;
      const { data } = loadAuditConfig(environment, args.data);
      const place = await loadPlace(context, data, args.tenant, args.state);
      const key = toStoreKey(place, readKey("key", args.key));
      const entry = await withStore({ context, command: "state get", data }, async (store) => {
        await assertKnown(context, data, store, place);
        return store.get(key);
      });
      if (entry !== undefined) out(printableLines(JSON.stringify(entry.value, undefined, 2)));
      else err(`cairn: \`${showPlace(place)}\` has no key ${args.key}.`);
      return entry === undefined ? EXIT.FAILED : EXIT.OK;
    },
  });
