import { CairnError } from "../../../../server/errors.ts";
import { openWhenTold, say } from "./program.ts";

// Uses a store that may be ruined in every way there is, and says how far it came.
let came = "nowhere";
try {
  const { store } = await openWhenTold();
  came = "open";
  await store.admin.check();
  for await (const { key } of store.scan({ prefix: [] })) await store.get(key);
  came = "read";
  for (let n = 0; n < 40; n++) {
    await store.commit({ set: [{ key: ["k", n], value: "x".repeat(n * 100) }], append: [{ log: "l", entry: n }] });
  }
  came = "written";
  await store.admin.close();
} catch (error) {
  say({ came, error: error instanceof CairnError ? error.name : String(error) });
}
say({ came });
