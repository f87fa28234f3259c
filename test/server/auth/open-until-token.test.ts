import { expect, test, vi } from "vitest";
import { LOCAL_CALLER } from "../../../server/auth/caller.ts";
import { openUntilToken } from "../../../server/auth/open-until-token.ts";

const ADA = { tenant: "acme", actor: "ada", roles: [], scopes: new Set<string>() };
const CREDENTIALS = { authorization: undefined, path: "/" };

test("lets everybody in until there is a token, notices within a second, and never opens again", async () => {
  let time = 0;
  const hasTokens = vi.fn(async () => false);
  const authenticate = openUntilToken({ hasTokens, authenticate: () => ADA, uptime: () => time });
  expect(await authenticate(CREDENTIALS)).toBe(LOCAL_CALLER);
  hasTokens.mockResolvedValue(true);
  time = 999;
  expect(authenticate(CREDENTIALS)).toBe(LOCAL_CALLER);
  time = 1_000;
  expect(await authenticate(CREDENTIALS)).toBe(ADA);
  hasTokens.mockResolvedValue(false);
  time = 10_000;
  expect(authenticate(CREDENTIALS)).toBe(ADA);
  expect(hasTokens).toHaveBeenCalledTimes(2);
});

test("lets nobody in while it cannot tell", async () => {
  const hasTokens = () => Promise.reject(new Error("the disk failed"));
  const authenticate = openUntilToken({ hasTokens, authenticate: () => ADA, uptime: () => 0 });
  await expect(authenticate(CREDENTIALS)).rejects.toThrow("the disk failed");
});
