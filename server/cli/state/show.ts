import { toHandlerKey, toStoreKey } from "../../capabilities/state/data/place.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readNumber } from "../read-number.ts";
import { printable } from "../../text/printable.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { assertKnown } from "./assert-known.ts";
import { loadPlace, readKey, STATE_ARGUMENT, STATE_TENANT_OPTION } from "./state-options.ts";

const LIMIT = 100;
const MOST = 100_000;

/** `cairn state show <server/scope>`: keys and values, a line of JSON each, in key order. */
export const createStateShow: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state show", description: "Print keys and values as JSON Lines, in key order" },
    args: {
      ...STATE_ARGUMENT,
      prefix: { type: "string", valueHint: "key", description: 'Begin of the keys, as JSON: ["ticket"]' },
      after: { type: "string", valueHint: "key", description: "Go on behind this key, as JSON" },
      limit: { type: "string", valueHint: "number", description: `At most so many keys (default: ${LIMIT})` },
      keys: { type: "boolean", description: "Print the keys alone" },
      ...STATE_TENANT_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out, err } = context;
      const { data } = loadAuditConfig(environment, args.data);
      const limit = readNumber("limit", args.limit, { otherwise: LIMIT, min: 1, max: MOST, isWhole: true });
      const place = await loadPlace(context, data, args.tenant, args.state);
      const prefix = toStoreKey(place, args.prefix === undefined ? [] : readKey("prefix", args.prefix));
      const after = args.after === undefined ? {} : { after: toStoreKey(place, readKey("after", args.after)) };
      return withStore({ context, command: "state show", data }, async (store) => {
        await assertKnown(context, data, store, place);
        let count = 0;
        for await (const { key, value } of store.scan({ prefix, ...after, limit: limit + 1 })) {
          count += 1;
          const line = { key: toHandlerKey(place, key), ...(args.keys === true ? {} : { value }) };
          if (count <= limit) out(printable(JSON.stringify(line)));
        }
        if (count > limit) err(`cairn: there are more; \`--after\` with the last key goes on.`);
        return EXIT.OK;
      });
    },
  });
