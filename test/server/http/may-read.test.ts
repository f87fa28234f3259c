import { expect, test } from "vitest";
import { LOCAL_CALLER } from "../../../server/auth/caller.ts";
import { CairnError } from "../../../server/errors.ts";
import { createMayRead } from "../../../server/http/may-read.ts";

const ask = (scopes: readonly string[] | undefined) =>
  createMayRead(() => {
    if (scopes === undefined) throw new CairnError("UNAUTHENTICATED", "no");
    return { ...LOCAL_CALLER, scopes: new Set(scopes) };
  })({ authorization: undefined, path: "/metrics" });

test("details are for anybody while callers need no credentials, else for the scope `metrics:read`", async () => {
  expect(await createMayRead(() => LOCAL_CALLER)({ authorization: undefined, path: "/metrics" })).toBe(true);
  expect(await Promise.all([ask(["metrics:read"]), ask(["*"]), ask(["runner"]), ask(undefined)])).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
