import { describe, expect, test } from "vitest";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { toIdentity } from "../../../../server/protocol/identity.ts";
import { writeResult } from "../../../../server/protocol/json-rpc.ts";
import { createResourceMethods } from "../../../../server/protocol/methods/resources.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const version = createTestVersion({
  servers: [
    {
      name: "runner",
      resources: [
        { uri: "docs://howto", name: "howto", source: { kind: "text", text: "Write {{place}}." } },
        { uri: "docs://dot", name: "dot", mimeType: "image/gif", source: { kind: "blob", blob: "R0lGOA==" } },
        { uri: "docs://bytes", name: "bytes", source: { kind: "blob", blob: "AAAA" } },
        { uri: "s3://bucket/model.bin", name: "model", source: { kind: "link" } },
        { uri: "state://active", name: "active", source: { kind: "provider", provider: "state.active" } },
      ],
      resourceTemplates: [
        {
          uriTemplate: "docs://places/{place}{?limit}",
          name: "places",
          description: "What is known of a place.",
          source: { kind: "text", text: "{{limit}} of {{place}}" },
          suggestions: new Map([["place", ["Rome"]]]),
        },
        {
          uriTemplate: "data://places/{place}",
          name: "data",
          mimeType: "application/json",
          source: { kind: "text", text: '{"place":"{{place}}"}' },
          suggestions: new Map(),
        },
      ],
    },
  ],
});

async function call(method: string, params: object): Promise<unknown> {
  const server = version.servers.get("runner");
  if (!server) throw new Error("There is no server.");
  const providers = { "state.active": ({ uri }: { readonly uri: string }) => Promise.resolve({ uri }) };
  const methods = createResourceMethods(version, server, toIdentity(version, server), providers);
  const exchange = {
    principal: LOCAL_PRINCIPAL,
    modern: false,
    client: { elicit: false, sample: false, roots: false },
  };
  const result: unknown = await methods[method]?.(params as never, { ...exchange, send: () => undefined }, 1);
  const { result: read } = JSON.parse(writeResult(1, result).pieces.join("")) as { readonly result: unknown };
  return read;
}

describe("resources/read", () => {
  test.each([
    ["docs://howto", { mimeType: "text/plain", text: "Write {{place}}." }],
    ["docs://dot", { mimeType: "image/gif", blob: "R0lGOA==" }],
    ["docs://bytes", { mimeType: "application/octet-stream", blob: "AAAA" }],
    ["s3://bucket/model.bin", { mimeType: "text/uri-list", text: "s3://bucket/model.bin" }],
    ["state://active", { mimeType: "application/json", text: '{\n  "uri": "state://active"\n}' }],
    ["docs://places/Rome", { mimeType: "text/plain", text: " of Rome" }],
    ["docs://places/S%C3%A3o%20Paulo?limit=%225%22", { mimeType: "text/plain", text: '"5" of São Paulo' }],
    ["data://places/%22Rome%22", { mimeType: "application/json", text: '{"place":"\\"Rome\\""}' }],
  ])("gives what is at %s", async (uri, content) => {
    expect(await call("resources/read", { uri })).toMatchObject({ contents: [{ uri, ...content }] });
  });

  test("tells the address where nothing is", async () => {
    const message = "There is no resource `docs://nowhere` on `runner`.";
    await expect(call("resources/read", { uri: "docs://nowhere" })).rejects.toThrow(
      expect.objectContaining({ name: "NOT_FOUND", message, details: { uri: "docs://nowhere" } }),
    );
  });
});

describe("the lists of resources", () => {
  test("say what there is, and keep contents and suggestions back", async () => {
    const { resources } = (await call("resources/list", {})) as { readonly resources: readonly object[] };
    expect(resources[1]).toEqual({ uri: "docs://dot", name: "dot", mimeType: "image/gif" });
    expect(await call("resources/templates/list", {})).toEqual({
      resourceTemplates: [
        { uriTemplate: "docs://places/{place}{?limit}", name: "places", description: "What is known of a place." },
        { uriTemplate: "data://places/{place}", name: "data", mimeType: "application/json" },
      ],
      _meta: { "cairn/fingerprint": version.fingerprint() },
    });
  });
});
