import { openWhenTold, say } from "./program.ts";

// Reads, writes, and compares and sets one register, and says when each operation began and ended. The log of a commit
// tells where in the order of all writes it stands.
const { store, args } = await openWhenTold();
const [name = "", operations = "0"] = args;
const key = ["register"];

const micros = (round: (value: number) => number) => round(Number(process.hrtime.bigint() % 10n ** 15n) / 1_000);

async function read(): Promise<number> {
  const began = micros(Math.floor);
  const entry = await store.get(key);
  say({ does: "read", id: entry?.value ?? null, began, ended: micros(Math.ceil) });
  return entry?.rev ?? 0;
}

async function write(id: string, rev?: number): Promise<void> {
  const check = rev === undefined ? [] : [{ key, rev }];
  const began = micros(Math.floor);
  const result = await store.commit({ check, set: [{ key, value: id }], append: [{ log: "writes", entry: id }] });
  const ended = micros(Math.ceil);
  if (result.ok) say({ does: "write", id, began, ended, seq: result.logs[0]?.seq });
}

for (let n = 0; n < Number(operations); n++) {
  const id = `${name}/${n}`;
  if (n % 3 === 0) await Promise.all([read(), write(id), read()]);
  else if (n % 3 === 1) await write(id, await read());
  else await read();
}
for (let n = 0; n < Number(operations); n++) {
  let rev = 0;
  let done = false;
  while (!done) {
    const entry = await store.get(["counter"]);
    rev = entry?.rev ?? 0;
    const value = Number(entry?.value ?? 0) + 1;
    done = (await store.commit({ check: [{ key: ["counter"], rev }], set: [{ key: ["counter"], value }] })).ok;
  }
}
await store.admin.close();
