import { describe, expect, test } from "vitest";
import type { Syscall } from "../../../../server/capabilities/declarations.ts";
import { stateSyscalls } from "../../../../server/capabilities/state/state.ts";
import type { JsonSchema, StateKey } from "../../../../server/host-api.ts";
import { createDispatch } from "../../../../server/kernel/dispatch.ts";
import { createTransaction } from "../../../../server/kernel/transaction.ts";
import type { Json } from "../../../../server/store/store.ts";
import { compileSchema } from "../../../../server/versions/manifests/schema/compile-schema.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const TICKET = { type: "object", required: ["title"], properties: { title: { type: "string" } } };
const TOOL = {
  name: "desk.tool",
  server: "desk",
  uses: new Set<Syscall>(["state.read", "state.write"]),
  sideEffect: true,
};

/** Calls of `ctx.state` by a version whose server has these forms of values. */
async function open() {
  const store = await openTestStore();
  const dispatch = createDispatch(stateSyscalls);
  return (...forms: readonly (readonly [StateKey, JsonSchema])[]) => {
    const values = forms.map(([key, schema]) => ({ key, schema, check: compileSchema(schema) }));
    const version = createTestVersion({
      tools: [TOOL],
      servers: [{ name: "desk", state: "desk", values, file: "s.yaml" }],
    });
    return async (name: string, args: object): Promise<Json | undefined> => {
      const transaction = createTransaction(store);
      const running = createRunningCall({ tool: TOOL, transaction, call: { version } });
      const answer = await dispatch(running, `state.${name}`, args);
      await store.commit(transaction.staged());
      return answer;
    };
  };
}

describe("ctx.state of a server that says which form its values have", () => {
  test("writes what fits, and refuses the rest with the place, so that nothing of the call is kept", async () => {
    const call = (await open())([["ticket", "*"], TICKET]);
    await call("set", { key: ["ticket", 1], value: { title: "a", more: true } });
    await expect(call("set", { key: ["ticket", 2], value: { title: 7 } })).rejects.toMatchObject({
      name: "INVARIANT_VIOLATION",
      message:
        'The value under `["ticket",2]` does not fit the schema of `["ticket","*"]` in `s.yaml`: `title` must be a string. Nothing was written.',
    });
    expect(await call("get", { key: ["ticket", 2] })).toBeUndefined();
    expect(await call("scan", { prefix: ["ticket"] })).toEqual([
      { key: ["ticket", 1], value: { title: "a", more: true } },
    ]);
  });

  test("leaves keys that no pattern fits alone, and takes the first pattern that does", async () => {
    const call = (await open())([["ticket", "last"], { type: "number" }], [["ticket", "*"], TICKET]);
    await call("set", { key: ["ticket", "last"], value: 3 });
    for (const key of [["ticket"], ["ticket", "a", "b"], ["note", "a"]]) await call("set", { key, value: "free" });
    await expect(call("set", { key: ["ticket", "a"], value: 3 })).rejects.toThrow("the value must be an object");
  });

  test("does not hand a handler what another version wrote in a form that this one does not know", async () => {
    const by = await open();
    const [old, young] = [by(), by([["ticket", "*"], TICKET])];
    await old("set", { key: ["ticket", 1], value: { name: "a" } });
    for (const [name, args] of [
      ["get", { key: ["ticket", 1] }],
      ["scan", { prefix: [] }],
    ] as const) {
      await expect(young(name, args)).rejects.toMatchObject({
        name: "INVARIANT_VIOLATION",
        message:
          'The value under `["ticket",1]` does not fit the schema of `["ticket","*"]` in `s.yaml`: `title` is missing. It was written elsewhere.',
      });
    }
    await young("delete", { key: ["ticket", 1] });
    expect(await young("get", { key: ["ticket", 1] })).toBeUndefined();
  });
});
