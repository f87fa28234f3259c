import { openWhenTold, say } from "./program.ts";

// Eight writers that each set a record and append to one log in one commit, and say so once it is acknowledged, for ever.
const { store, args } = await openWhenTold();
const [name = ""] = args;
await Promise.all(
  Array.from({ length: 8 }, async (_, writer) => {
    for (let turn = 0; ; turn++) {
      const id = `${name}/${writer}/${turn}`;
      const result = await store.commit({
        set: [{ key: ["newest", name, writer], value: turn }],
        append: [{ log: "audit", entry: { name, writer, turn } }],
        id,
      });
      if (result.ok) say({ ...result.logs[0], writer, turn });
    }
  }),
);
