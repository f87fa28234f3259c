import { describe, expect, test } from "vitest";
import { loadOptional, MODEL_PACKAGES } from "../../../server/config/optional-package.ts";

const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /somewhere/a.js`), {
    code: "ERR_MODULE_NOT_FOUND",
  });

describe("an optional package", () => {
  test("that is installed is loaded", async () => {
    expect(await loadOptional(MODEL_PACKAGES, async () => 7)).toBe(7);
  });

  test("that is missing is named, with the command that installs it in the version that Cairn needs", async () => {
    await expect(loadOptional(MODEL_PACKAGES, () => Promise.reject(notFound("ai")))).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: expect.stringMatching(
        /^A model endpoint .* needs `ai` and `@ai-sdk\/openai-compatible`.*`npm install "ai@\^\d[\d.]*" "@ai-sdk\/openai-compatible@\^\d[\d.]*"`/,
      ),
    });
  });

  test("keeps the error of a package that it needs itself", async () => {
    const error = notFound("another");
    await expect(loadOptional(MODEL_PACKAGES, () => Promise.reject(error))).rejects.toBe(error);
  });
});
