import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretMask } from "../../../../server/capabilities/secrets/mask-secrets.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";

const SECRET = `k3y+/=&<"'> \\~%x.y-z`;

/** Escapes each sign but letters and digits. */
const escape = (to: (code: number) => string) => (text: string) =>
  text.replace(/[^A-Za-z0-9]/g, (sign) => to(sign.charCodeAt(0)));
const each = (to: (code: number) => string) => (text: string) =>
  [...text].map((sign) => to(sign.codePointAt(0) ?? 0)).join("");
const hex = (code: number) => code.toString(16).padStart(2, "0");

const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in capital letters": (text) => text.toUpperCase(),
  "in JSON": (text) => JSON.stringify(text),
  "in JSON of PHP": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "in JSON of .NET": escape((code) => `\\u00${hex(code)}`),
  "in a URL": encodeURIComponent,
  "in a URL, all signs": escape((code) => `%${hex(code).toUpperCase()}`),
  "in a form": (text) => new URLSearchParams({ a: text }).toString(),
  "in HTML": (text) =>
    text.replace(/[&<>"']/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "&#39;"),
  "in HTML by numbers": escape((code) => `&#x${hex(code)};`),
  "in JavaScript": escape((code) => `\\x${hex(code)}`),
  "in hexadecimal": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64 for URLs": (text) => Buffer.from(text).toString("base64url"),
  "in base64 inside a URL": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
  "in a URL, all characters": each((code) => `%${hex(code)}`),
  "in JSON, all characters": each((code) => `\\u00${hex(code)}`),
  "in HTML, all characters": each((code) => `&#${code};`),
  "in HTML by names": (text) => text.replaceAll("/", "&sol;").replaceAll("=", "&equals;").replaceAll("+", "&plus;"),
  "in a URL in a URL": (text) => encodeURIComponent(`/?next=${encodeURIComponent(text)}`),
  "in a URL in a URL in a URL": (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify({ a: text })),
  "in JSON of PHP in JSON": (text) => JSON.stringify(JSON.stringify(text).replaceAll("/", "\\/")),
  "in JSON in HTML": (text) => JSON.stringify(text).replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
  "in JSON in a URL": (text) => encodeURIComponent(JSON.stringify(text)),
  "in JSON in base64": (text) => Buffer.from(JSON.stringify({ a: text })).toString("base64"),
  "in a URL in base64": (text) => Buffer.from(`a=1&b=${encodeURIComponent(text)}`).toString("base64url"),
  "in base64 in base64": (text) => Buffer.from(Buffer.from(`k: ${text}`).toString("base64")).toString("base64"),
  "in base64 on lines": (text) =>
    Buffer.from(`${"a".repeat(40)}${text}`)
      .toString("base64")
      .replace(/.{16}/g, "$&\r\n"),
  "in hexadecimal in a URL in hexadecimal": (text) =>
    Buffer.from(encodeURIComponent(Buffer.from(text).toString("hex"))).toString("hex"),
  "in hexadecimal with spaces": (text) => Buffer.from(text).toString("hex").replace(/../g, "$& "),
  "in hexadecimal with colons": (text) => Buffer.from(text).toString("hex").replace(/../g, "$&:"),
  "in a list of bytes": (text) => Buffer.from(text).toString("hex").replace(/../g, "0x$&, "),
  "in UTF-16": (text) => Buffer.from(text, "utf16le").toString("utf8"),
  "in base64 inside JSON of PHP": (text) => Buffer.from(text).toString("base64").replaceAll("/", "\\/"),
};

/** Values as owners set them. */
const secrets = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});

describe("the mask of what a request carried", () => {
  test.each(Object.entries(ENCODERS))("finds a secret %s", (_, encode) => {
    fc.assert(
      fc.property(secrets, fc.string({ maxLength: 7 }), fc.string({ maxLength: 7 }), (secret, before, after) => {
        const text = encode(`${before} ${secret} ${after}`);
        const masked = createSecretMask([secret])(text);
        expect(masked).toContain("[redacted]");
        expect(masked).not.toContain(encode(secret).replace(/=+$/, ""));
        expect(masked.toLowerCase()).not.toContain(secret.toLowerCase());
      }),
    );
  });

  test("leaves nothing of a secret in base64 but the characters that its neighbours decide, too", () => {
    const mask = createSecretMask(["0123456789abcdef"]);
    for (const before of ["", "a", "ab", "Bearer "]) {
      const masked = mask(Buffer.from(`${before}0123456789abcdef, and more`).toString("base64"));
      const left = Buffer.from(masked.replace("[redacted]", "!").split("!")[0] ?? "", "base64").toString();
      expect(left.startsWith(before.slice(0, -1))).toBe(true);
      expect(left).not.toContain("01");
    }
  });

  test("finds user and password of HTTP Basic, which a host decodes", () => {
    const value = Buffer.from("ada:correct horse").toString("base64");
    const mask = createSecretMask([value]);
    expect(mask(`Basic ${value}`)).toBe("Basic [redacted]");
    expect(mask('{"user":"ada","password":"correct horse"}')).toBe('{"user":"ada","password":"[redacted]"}');
    expect(mask("https://ada:correct%20horse@api.example.com")).toBe("https://[redacted]@api.example.com");
  });

  test("masks each of several, the longest first", () => {
    expect(createSecretMask(["12345678", "1234567890"])("a 1234567890 b 12345678")).toBe("a [redacted] b [redacted]");
  });

  test("leaves all other text as it is", () => {
    const text = '{"login":"ada","id":12345678,"url":"https://api.example.com/users/ada?a=b%20c"}';
    expect(createSecretMask([SECRET])(text)).toBe(text);
  });

  test("takes time in proportion to the text", async () => {
    // As much as a value may repeat itself, and a text that begins like it everywhere.
    const mask = createSecretMask([`${"+".repeat(32)}x`]);
    const text = "+".repeat(1024 * 1024);
    expect(await expectQuick(3000, () => mask(text))).toBe(text);
  });
});
