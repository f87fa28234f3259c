import { expect, test } from "vitest";
import type { Caller } from "../../../../server/auth/caller.ts";
import { answerPlot } from "../../../../server/http/rest/plots.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const source = { kind: "provider", provider: "assets.plots" } as const;
const TEMPLATE = { uriTemplate: "assets://plots/{name}.svg", name: "plots", source, suggestions: new Map() };
const WITH = createTestVersion({ servers: [{ name: "runner" }, { name: "tuner", resourceTemplates: [TEMPLATE] }] });
const WITHOUT = createTestVersion({ servers: [{ name: "runner" }] });
const PICTURE = "<svg/>";

function ask(scopes: readonly string[], version = WITH, name = "style-arm-means.svg") {
  const caller: Caller = { tenant: "acme", actor: "ada", roles: [], scopes: new Set(scopes) };
  const asked: unknown[] = [];
  const providers = {
    "assets.plots": async ({
      uri,
      variables,
      server,
    }: {
      uri: string;
      variables: object;
      server: { name: string };
    }) => {
      asked.push([server.name, uri, variables]);
      return PICTURE;
    },
  };
  const reply = answerPlot({ version, caller, principal: LOCAL_PRINCIPAL, providers, name });
  return reply.then(
    ({ document }) => ({ type: document.type, asked }),
    ({ name: error, message }: Error) => ({ error, message, asked }),
  );
}

test("gives a picture to callers with the scope of the server that has it", async () => {
  expect(await ask(["tuner"])).toEqual({
    type: "image/svg+xml",
    asked: [["tuner", "assets://plots/style-arm-means.svg", { name: "style-arm-means" }]],
  });
});

test("draws nothing for others, who do not learn which servers there are", async () => {
  for (const version of [WITH, WITHOUT]) {
    expect(await ask(["runner"], version)).toEqual({
      error: "INSUFFICIENT_SCOPE",
      message: "This address needs credentials with the scope `versions:read`.",
      asked: [],
    });
  }
  expect(await ask(["versions:read"])).toMatchObject({
    error: "INSUFFICIENT_SCOPE",
    message: "This address needs credentials with the scope `tuner`.",
    asked: [],
  });
  expect(await ask(["*"], WITHOUT)).toMatchObject({ error: "NOT_FOUND", asked: [] });
  expect(await ask(["*"], WITH, "style-arm-means")).toMatchObject({ error: "NOT_FOUND", asked: [] });
});
