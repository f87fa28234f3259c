import { join } from "node:path";
import { expect, test } from "vitest";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openAudited } from "../../kernel/audit/audited.ts";
import { runIn } from "../run-in.ts";

/** Clears a line, turns its direction, hides. Issuers named callers so before such names were refused. */
const ACTOR = "ada\u009b2K\u202e\u200b";

test("`cairn audit query` prints records as JSON without a character that a terminal would obey", async () => {
  const data = await temporaryFolder();
  const store = await openLmdbStore({ directory: join(data, "store") });
  const { call, audit } = await openAudited({ store });
  await call("acme", { actor: ACTOR });
  await audit.close();
  await store.admin.close();
  const { code, printed } = await runIn(data, ["audit", "query", "--tenant", "acme", "--data", data]);
  expect(code).toBe(0);
  expect(printed).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(printed)).toMatchObject({ tenant: "acme", record: { actor: ACTOR } });
});

test("`cairn audit redact` takes no actor whose name is hidden", async () => {
  const data = await temporaryFolder();
  await (await openLmdbStore({ directory: join(data, "store") })).admin.close();
  const args = ["audit", "redact", "some-id", "--tenant", "acme", "--actor", ACTOR, "--data", data];
  expect(await runIn(data, args)).toEqual({
    code: 2,
    printed: "cairn: `--actor` must say who takes it away, without characters that nobody sees.",
  });
});
