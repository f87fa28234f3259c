import { openWhenTold, say } from "./program.ts";

// Sets `["k"]` to what the argument says.
const { store, args } = await openWhenTold();
say(await store.commit({ set: [{ key: ["k"], value: args[0] ?? null }] }));
await store.admin.close();
