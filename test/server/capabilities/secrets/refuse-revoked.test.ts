import { expect, test } from "vitest";
import { refuseRevoked } from "../../../../server/capabilities/secrets/refuse-revoked.ts";
import { NOTHING_REVOKED } from "../../../../server/versions/revoked.ts";

const CALLER = { tenant: "acme", actor: "ada" };

test("a secret is refused for as long as it is revoked, of every owner, and others are not", async () => {
  let revoked = NOTHING_REVOKED;
  const asked: string[] = [];
  const find = async ({ name }: { readonly name: string }) => {
    asked.push(name);
    return "value-0123";
  };
  const secrets = refuseRevoked({ find }, () => revoked);
  expect(await secrets.find({ name: "KEY", of: "service" }, CALLER)).toBe("value-0123");
  revoked = { ...NOTHING_REVOKED, secrets: ["KEY"] };
  for (const of of ["service", "tenant", "caller"] as const) {
    await expect(secrets.find({ name: "KEY", of }, CALLER)).rejects.toMatchObject({
      name: "FORBIDDEN",
      message: "The secret `KEY` is revoked by the policies of the default branch, so no request carries it.",
      details: { revoked: "KEY" },
    });
  }
  expect(await secrets.find({ name: "KEY_2", of: "service" }, CALLER)).toBe("value-0123");
  revoked = NOTHING_REVOKED;
  expect(await secrets.find({ name: "KEY", of: "caller" }, CALLER)).toBe("value-0123");
  expect(asked).toEqual(["KEY", "KEY_2", "KEY"]);
});
