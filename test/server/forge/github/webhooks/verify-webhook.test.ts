import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifyWebhook } from "../../../../../server/forge/github/webhooks/verify-webhook.ts";

describe("the signature of a webhook", () => {
  test("is the one that GitHub documents for its example", () => {
    const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    expect(verifyWebhook("It's a Secret to Everybody", Buffer.from("Hello, World!"), signature)).toBe(true);
    expect(verifyWebhook("It's a Secret to Everybody", Buffer.from("Hello, World"), signature)).toBe(false);
    expect(verifyWebhook("It's a secret to everybody", Buffer.from("Hello, World!"), signature)).toBe(false);
  });

  test("is missed where there is none, or no secret", () => {
    const empty = "sha256=b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad";
    expect(verifyWebhook("", new Uint8Array(), empty)).toBe(false);
    expect(verifyWebhook("secret", new Uint8Array(), undefined)).toBe(false);
    expect(verifyWebhook("secret", new Uint8Array(), "")).toBe(false);
  });

  test("is refused in any other form", () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array(), (signature, body) => {
        expect(verifyWebhook("secret", body, signature)).toBe(false);
        expect(verifyWebhook("secret", body, `sha256=${signature}`)).toBe(false);
      }),
    );
  });
});
