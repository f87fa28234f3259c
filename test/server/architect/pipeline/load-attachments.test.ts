import { describe, expect, test } from "vitest";
import {
  ATTACHMENT_LIMITS,
  findUriFault,
  loadAttachments,
} from "../../../../server/architect/pipeline/load-attachments.ts";
import type { FetchRequest } from "../../../../server/capabilities/fetch/open-fetcher.ts";
import type { Policy } from "../../../../server/versions/policy.ts";
import type { Version } from "../../../../server/versions/version.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const POLICY: Policy = {
  name: "p",
  roles: new Map(),
  egress: ["files.example.com"],
  limits: {},
  commands: [],
  file: "manifests/policies/p.yaml",
};

function load(uris: readonly string[], answer: { status?: number; body?: string } = {}, given: Partial<Version> = {}) {
  const asked: { request: FetchRequest; egress: readonly string[] }[] = [];
  const version: Version = { ...createTestVersion(), policies: [POLICY], ...given };
  const principal = { tenant: "acme", actor: "ada", capabilities: new Set<string>() };
  const loaded = loadAttachments(
    { version, principal, servers: ["runner"], uris, signal: new AbortController().signal },
    {
      readView: async (_version, { actor }, servers, uri) =>
        uri === "logs://recent" ? { mediaType: "application/json", text: `${actor} ${servers.join()}` } : undefined,
      fetcher: {
        fetch: async (request, egress) => {
          asked.push({ request, egress });
          const { status = 200, body = "text" } = answer;
          return { status, headers: { "content-type": "text/csv" }, body };
        },
      },
    },
  );
  return { loaded, asked };
}

describe("attachments", () => {
  test("are read as whoever sent them sees them", async () => {
    expect(await load(["logs://recent"]).loaded).toEqual([
      { uri: "logs://recent", mediaType: "application/json", text: "ada runner" },
    ]);
    await expect(load(["state://none"]).loaded).rejects.toMatchObject({
      name: "NOT_FOUND",
      message: expect.stringContaining("`state://none`"),
    });
  });

  test.each([
    ["https://files.example.com/a.csv", "https://files.example.com/a.csv"],
    ["s3://evals/1.6.0/summary.json", "https://evals.s3.amazonaws.com/1.6.0/summary.json"],
    ["gs://evals/a%20b.txt", "https://storage.googleapis.com/evals/a%20b.txt"],
  ])("%s is fetched from %s, if the reviewed manifests allow its host", async (uri, url) => {
    const { loaded, asked } = load([uri]);
    expect(await loaded).toEqual([{ uri, mediaType: "text/csv", text: "text" }]);
    expect(asked).toEqual([
      { request: expect.objectContaining({ url, method: "GET" }), egress: ["files.example.com"] },
    ]);
  });

  test("may come from the hosts of tools where no policy names any", async () => {
    const { loaded, asked } = load(["https://x.example"], {}, { policies: [] });
    await loaded;
    expect(asked[0]?.egress).toEqual([]);
  });

  test.each([
    [{ status: 404 }, "UPSTREAM_ERROR", /answered 404/],
    [{ body: "a\0b" }, "BAD_REQUEST", /no text/],
    [{ body: "x".repeat(ATTACHMENT_LIMITS.bytes + 1) }, "PAYLOAD_TOO_LARGE", /262144 bytes/],
  ])("are refused with their name when they are nothing to go by", async (answer, name, message) => {
    await expect(load(["https://files.example.com/a"], answer).loaded).rejects.toMatchObject({
      name,
      message: expect.stringMatching(message),
    });
  });

  test("have a limit together", async () => {
    const body = "x".repeat(ATTACHMENT_LIMITS.bytes);
    const uris = Array.from({ length: 4 }, (_, index) => `https://files.example.com/${index}`);
    await expect(load(uris, { body }).loaded).rejects.toMatchObject({ name: "PAYLOAD_TOO_LARGE" });
  });

  test.each([
    ["logs://recent?limit=5", undefined],
    ["eval://micro_results.jsonl", undefined],
    ["session://x", undefined],
    ["https://files.example.com/a", undefined],
    ["http://files.example.com/a", /not encrypted/],
    ["file:///etc/passwd", /scheme `file:`/],
    ["javascript:alert(1)", /scheme `javascript:`/],
    ["data:text/plain,x", /scheme `data:`/],
    ["recent", /no absolute URI/],
  ])("%s is wrong: %s", (uri, fault) => {
    if (fault === undefined) expect(findUriFault(uri)).toBeUndefined();
    else expect(findUriFault(uri)).toMatch(fault);
  });
});
