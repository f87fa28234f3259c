import { deleteState } from "../../capabilities/state/data/delete-state.ts";
import { toPages } from "../../capabilities/state/data/pages.ts";
import { showPlace, toLogName } from "../../capabilities/state/data/place.ts";
import { createPlaceSource } from "../../capabilities/state/data/source.ts";
import { CairnError } from "../../errors.ts";
import { count } from "../../text/count.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { assertKnown } from "./assert-known.ts";
import { loadStateUses } from "./load-uses.ts";
import { CHANGE_OPTIONS, createNotes, loadPlace, STATE_ARGUMENT, STATE_TENANT_OPTION } from "./state-options.ts";

/** `cairn state delete <server/scope>`: all its keys, once its name is given twice. */
export const createStateDelete: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state delete", description: "Delete all keys of a state; its lineage stays" },
    args: {
      ...STATE_ARGUMENT,
      confirm: {
        type: "string",
        valueHint: "server/scope",
        description: "The state once more; without it nothing happens",
      },
      ...CHANGE_OPTIONS,
      ...STATE_TENANT_OPTION,
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, out } = context;
      const { data } = loadAuditConfig(environment, args.data);
      const place = await loadPlace(context, data, args.tenant, args.state);
      const toNotes = createNotes(context, args.actor);
      const progress = createProgress(context);
      return withStore({ context, command: "state delete", data }, async (store) => {
        await assertKnown(context, data, store, place);
        const uses = await loadStateUses(context, data);
        let keys = 0;
        for await (const page of toPages(createPlaceSource(store, place).entries())) {
          progress(`${(keys += page.length)} keys so far`);
        }
        const lineage = ((await store.head(toLogName(place)))?.seq ?? -1) + 1;
        const users = uses.filter(({ server, scope }) => server === place.server && scope === place.scope);
        const used = users.length === 0 ? "no version" : users.map(({ version }) => version).join(", ");
        const about = `\`${showPlace(place)}\` of \`${place.tenant}\` has ${count(keys, "key")} and is used by ${used}`;
        if (args["dry-run"] === true) out(`${about}. Without --dry-run, its keys are deleted.`);
        else if (args.confirm !== args.state) {
          throw new CairnError(
            "BAD_REQUEST",
            `${about}. \`--confirm ${args.state}\` deletes its keys; nothing was done.`,
          );
        } else {
          const notes = toNotes(place, "state.deleted");
          const deleted = await deleteState(store, place, notes, (done) => progress(`${done} keys deleted so far`));
          out(`${count(deleted, "key")} of \`${showPlace(place)}\` deleted; ${lineage} entries of its lineage stay.`);
        }
        return EXIT.OK;
      });
    },
  });
