import { describe, expect, test } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import type { Exchange } from "../../../server/protocol/exchange.ts";
import { toIdentity } from "../../../server/protocol/identity.ts";
import { writeResult } from "../../../server/protocol/json-rpc.ts";
import { createPages, PAGE_SIZE } from "../../../server/protocol/pages.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const version = createTestVersion({ servers: [{ name: "runner" }] });
const [server] = version.servers.values();
if (server === undefined) throw new Error("the test version lost its server");
const identity = toIdentity(version, server);
const FINGERPRINT = { "cairn/fingerprint": version.fingerprint() };
const legacy: Exchange = {
  principal: LOCAL_PRINCIPAL,
  modern: false,
  client: { elicit: false, sample: false, roots: false },
  send() {},
};
const modern: Exchange = { ...legacy, modern: true };

const read = (page: unknown) =>
  (JSON.parse(writeResult(1, page).pieces.join("")) as { result: { items: number[]; nextCursor?: string } }).result;

describe("createPages", () => {
  test("walks through everything, once, in order", () => {
    const items = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => index);
    const list = createPages("items", items, identity);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = read(list(cursor === undefined ? {} : { cursor }, legacy));
      expect(page.items.length).toBeLessThanOrEqual(PAGE_SIZE);
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(items);
  });

  test("has no next page when everything fits", () => {
    expect(read(createPages("items", [1, 2], identity)({}, legacy))).toEqual({ items: [1, 2], _meta: FINGERPRINT });
    expect(read(createPages("items", [], identity)({}, legacy))).toEqual({ items: [], _meta: FINGERPRINT });
  });

  test("tells modern clients how long they may keep a page, and who it is from", () => {
    const list = createPages("items", [1], identity);
    const _meta = { ...FINGERPRINT, "io.modelcontextprotocol/serverInfo": identity.serverInfo };
    const page = { resultType: "complete", items: [1], cacheScope: "public", _meta };
    expect(read(list({}, modern))).toEqual({ ...page, ttlMs: 604_800_000 });
    expect(read(list({}, { ...modern, watch: () => () => {} }))).toEqual({ ...page, ttlMs: 0 });
  });

  test.each(["", "nonsense", 7, null, "ZnJvbToxMDAwMA", "ZnJvbTox"])("refuses the cursor %j", (cursor) => {
    const items = Array.from({ length: PAGE_SIZE + 1 }, (_, index) => index);
    expect(() => createPages("items", items, identity)({ cursor }, legacy)).toThrow(
      expect.objectContaining({ name: "BAD_REQUEST" }),
    );
  });
});
