import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { neutralise } from "../../../../server/forge/github/neutralise.ts";

/** As people see it. */
const seen = (text: string) => text.replaceAll("\u200b", "");

describe("text of strangers on GitHub", () => {
  test.each([
    "@octocat",
    "thanks @acme/tools-team!",
    "(@octocat)",
    "_@octocat_",
    "\\@octocat",
    "`@octocat`",
    "<b>x</b>@octocat",
    "é@octocat",
  ])("notifies nobody: %s", (text) => {
    expect(neutralise(text)).not.toMatch(/@[A-Za-z0-9]/);
    expect(seen(neutralise(text))).toBe(text);
  });

  test.each([
    "fixes #12",
    "Fixed: #12",
    "closes acme/tools#12",
    "RESOLVES GH-12",
    "close https://github.com/acme/tools/issues/12",
    "resolved\n#12",
    "fix **#12**",
    "fixes [this](https://github.com/acme/tools/issues/12)",
  ])("closes nothing: %s", (text) => {
    expect(neutralise(text)).not.toMatch(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b/i);
    expect(seen(neutralise(text))).toBe(text);
  });

  test.each([
    "Ada <ada@example.com> reported it",
    "see #12 and https://github.com/acme/tools/issues/12",
    "This fixes the rounding of prefixes, 12 of them.",
    "a @ b, @, 3 @ 4",
  ])("is left alone where it does neither: %s", (text) => {
    expect(neutralise(text)).toBe(text);
  });

  test("cannot hide in entities, which are shown as they are written", () => {
    expect(neutralise("&#64;octocat &#x40;a &commat;b fixes &num;12 & &lt;")).toBe(
      "&amp;#64;octocat &amp;#x40;a &amp;commat;b fixes &amp;num;12 & &lt;",
    );
  });

  test("is the same when it is done twice, whatever it is", () => {
    const part = fc.constantFrom("@", "a", "fix", "closes", " ", "#1", "GH-2", "https://x/y", "&#64;", "\n", ":", "/");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const once = neutralise(parts.join(""));
        expect(once).not.toMatch(/(?<![A-Za-z0-9])@[A-Za-z0-9]/);
        expect(neutralise(once).replaceAll("&amp;amp;", "&amp;")).toBe(once);
      }),
    );
  });

  test("takes no longer for text that is made to", () => {
    const hostile = ["fix ".repeat(15_000), "@".repeat(60_000), `fix${" ".repeat(60_000)}`, "a/".repeat(30_000)];
    for (const text of hostile) {
      const start = performance.now();
      neutralise(text);
      expect(performance.now() - start).toBeLessThan(1_000);
    }
  });
});
