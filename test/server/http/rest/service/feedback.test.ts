import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSchema } from "../../../../helpers/schemas.ts";
import { createShared } from "../../../../helpers/temporary.ts";
import { openTenants, OWN_VERSION, type Tenants } from "../../../../helpers/two-tenants.ts";

const shared = createShared();
let tenants: Tenants;
const AT = `/agent/${OWN_VERSION}/architect`;

interface Listed {
  readonly feedback: readonly { readonly id: string; readonly actor: string; readonly message: string }[];
  readonly next?: string;
}

const list = async (who: string, query = "") => {
  const { status, body } = await tenants.rest(who, `${AT}/feedback${query}`);
  expect(status).toBe(200);
  expectSchema("feedback-list", body);
  return body as Listed;
};
const shown = ({ feedback }: Listed) => feedback.map(({ actor, message }) => `${actor}: ${message}`);

beforeAll(async () => {
  tenants = await openTenants(shared.atEnd);
  for (const [who, message] of [
    ["fay", "Thank you for everything."],
    ["flo", "Thanks from another tenant."],
    ["fay", "Good morning."],
  ] as const) {
    expect((await tenants.rest(who, `${AT}/chat`, { message })).status).toBe(200);
  }
});
afterAll(shared.undoAll);

describe("the list of feedback", () => {
  test("has that of the caller's tenant, the newest first, page by page", async () => {
    const all = await list("fay");
    expect(shown(all)).toEqual(["fay: Good morning.", "fay: Thank you for everything."]);
    const first = await list("fay", "?limit=1");
    const second = await list("fay", `?limit=1&cursor=${first.next}`);
    expect([...first.feedback, ...second.feedback]).toEqual(all.feedback);
    expect(shown(await list("flo"))).toEqual(["flo: Thanks from another tenant."]);
  });

  test("shows callers without the right to send feedback their own alone", async () => {
    expect(shown(await list("ray"))).toEqual([]);
    expect(shown(await list("faded"))).toEqual(shown(await list("fay")));
  });

  test("needs the scope of the Architect, and refuses what it does not know", async () => {
    expect((await tenants.rest("runa", `${AT}/feedback`)).status).toBe(403);
    expect((await tenants.rest("nobody", `${AT}/feedback`)).status).toBe(401);
    for (const query of ["?cursor=MQ", "?limit=0", "?state=open"]) {
      expect([query, (await tenants.rest("fay", `${AT}/feedback${query}`)).status]).toEqual([query, 400]);
    }
  });
});
