import { showPlace } from "../../capabilities/state/data/place.ts";
import { createPlaceSource } from "../../capabilities/state/data/source.ts";
import { CairnError } from "../../errors.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { assertKnown } from "./assert-known.ts";
import { carryOut } from "./carry-out.ts";
import { CHANGE_OPTIONS, loadPlace, OVERWRITE_OPTION, STATE_ARGUMENT, STATE_TENANT_OPTION } from "./state-options.ts";

const ACTS = {
  copy: { change: "state.copied", description: "Copy data and lineage of a state into another one" },
  move: { change: "state.moved", description: "Move data of a state into another one, and copy its lineage" },
} as const;

/** `cairn state copy|move <from> <to>`: between a version's own data and a name that versions share, and back. */
export function createStateCopy(act: keyof typeof ACTS): CreateCommand {
  const { change, description } = ACTS[act];
  return (context) =>
    createCommand({
      meta: { name: `state ${act}`, description },
      args: {
        ...STATE_ARGUMENT,
        to: {
          type: "positional",
          required: true,
          valueHint: "server/scope",
          description: "Where to, in the same form",
        },
        ...OVERWRITE_OPTION,
        ...CHANGE_OPTIONS,
        ...STATE_TENANT_OPTION,
        ...DATA_OPTION,
      },
      async run({ args }) {
        const { data } = loadAuditConfig(context.environment, args.data);
        const from = await loadPlace(context, data, args.tenant, args.state);
        const target = await loadPlace(context, data, args.tenant, args.to);
        if (showPlace(from) === showPlace(target)) {
          throw new CairnError("BAD_REQUEST", `\`${args.state}\` and \`${args.to}\` are one state.`);
        }
        return withStore({ context, command: `state ${act}`, data }, async (store) => {
          await assertKnown(context, data, store, from);
          return carryOut(context, args, {
            store,
            source: createPlaceSource(store, from),
            target,
            from,
            removes: act === "move",
            what: { change, from: showPlace(from) },
          });
        });
      },
    });
}
