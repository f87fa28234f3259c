import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { toInstallLinks } from "../../../../server/http/install/install-links.ts";
import { toOpenApi } from "../../../../server/http/rest/openapi.ts";
import type { Version } from "../../../../server/versions/version.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const validate = async (document: object) =>
  (await new Validator().validate(JSON.parse(JSON.stringify(document)))).errors;

const toDocument = (version: Version) => toOpenApi(version, [...version.tools.values()]);

describe("toOpenApi", () => {
  test("[D1] is valid OpenAPI 3.1 and has one operation for each tool", async () => {
    const document = toDocument(
      createTestVersion({
        tools: [
          { name: "runner.echo", server: "runner" },
          {
            name: "deep/tool",
            server: "other",
            input: { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "string" } } },
          },
        ],
      }),
    );
    expect(await validate(document)).toBeUndefined();
    expect(Object.keys(document.paths)).toEqual([
      "/api/tools",
      "/versions/{version}",
      "/api/tools/runner.echo",
      "/api/tools/deep%2Ftool",
    ]);
  });

  test("describes the links that install the servers of any version, as the service answers them", () => {
    const { paths, components } = toDocument(createTestVersion({ tools: [] }));
    expect(paths["/versions/{version}"]).toMatchObject({ servers: [{ url: "/" }] });
    const server = { name: "a-b", description: "B.", url: "https://cairn.example/agent/1.0.0/b", hasToken: false };
    const links = toInstallLinks(server);
    expect(Object.keys(components.schemas.VersionServer.properties.install.properties)).toEqual(Object.keys(links));
    const members = new Set(Object.values(links).flatMap((link) => Object.keys(link)));
    expect([...members].toSorted()).toEqual(Object.keys(components.schemas.InstallLink.properties));
  });

  test("tells that a service may want a Bearer token", () => {
    const { security, components } = toDocument(createTestVersion({ tools: [] }));
    expect(security).toEqual([{ bearer: [] }, {}]);
    expect(components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  });

  test("writes schemas of older drafts in the draft of the document", () => {
    const input = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", dependencies: { a: ["b"] } };
    const { schemas } = toDocument(createTestVersion({ tools: [{ name: "old", server: "runner", input }] })).components;
    expect(schemas).toHaveProperty(["old.input"], {
      type: "object",
      dependentRequired: { a: ["b"] },
      dependentSchemas: {},
    });
  });

  test("keeps a schema's own references pointing at its own definitions", () => {
    const input = {
      type: "object",
      properties: { node: { $ref: "#/$defs/node" }, fixed: { const: { $ref: "#/untouched" } } },
      $defs: { node: { type: "object", properties: { child: { $ref: "#/$defs/node" }, root: { $ref: "#" } } } },
    };
    const { schemas } = toDocument(
      createTestVersion({ tools: [{ name: "tree", server: "runner", input }] }),
    ).components;
    expect(schemas).toMatchObject({
      "tree.input": {
        properties: {
          node: { $ref: "#/components/schemas/tree.input/$defs/node" },
          fixed: { const: { $ref: "#/untouched" } },
        },
        $defs: {
          node: {
            properties: {
              child: { $ref: "#/components/schemas/tree.input/$defs/node" },
              root: { $ref: "#/components/schemas/tree.input" },
            },
          },
        },
      },
    });
  });

  test("leaves a schema that has an `$id` as it is, since its references resolve against that", () => {
    const input = {
      $id: "https://specs/x.json",
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: {} },
    };
    const { schemas } = toDocument(createTestVersion({ tools: [{ name: "x", server: "runner", input }] })).components;
    expect(schemas).toMatchObject({ "x.input": input });
  });
});
