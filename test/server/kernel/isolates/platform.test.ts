import { webcrypto } from "node:crypto";
import { assert, asyncProperty, string, webUrl } from "fast-check";
import { describe, expect, test } from "vitest";
import { findPlatform, needsOneCall } from "../../../../server/kernel/isolates/platform.ts";
import type { Json } from "../../../../server/store/store.ts";
import { toHandler, toOutput, toCall, toProgram, toTool } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { run, fail, sandbox } = useSandbox();
const random = { tool: toTool({ random: true }) };

/** The notes of a call, as `ctx.log` would have written them. */
async function logsOf(body: string): Promise<readonly Json[]> {
  const logs: Json[] = [];
  await run(body, {
    syscall: async (name, args) => {
      if (name === "log") logs.push(args);
      return null;
    },
  });
  return logs;
}

describe("a part of the platform", () => {
  test("is there for programs that mention it", () => {
    const of = (code: string) => findPlatform(new Map([["tools/a/b.ts", code]]));
    expect(of("export default () => 1")).toEqual([]);
    expect(of("new URL(a); console.log(structuredClone(b))")).toEqual(["clone", "console", "url"]);
    expect(of("const curl = 1, myconsole = 2")).toEqual([]);
    expect([
      needsOneCall(new Map([["a", "crypto.subtle"]])),
      needsOneCall(new Map([["a", "crypto.randomUUID()"]])),
    ]).toEqual([false, true]);
  });

  test("leaves no way to the host on `globalThis`", async () => {
    const body = `return [typeof URL, typeof TextEncoder, Reflect.ownKeys(globalThis).map(String).filter((name) => /cairn/.test(name))]`;
    expect(await run(body)).toEqual(["function", "function", []]);
  });

  test.for([
    "URL.prototype.toString = 1",
    "globalThis.URL = 1",
    "console.log = 1",
    "crypto.subtle.digest = 1",
    "crypto = 1",
  ])("cannot be changed: %s", async (code) => {
    expect((await fail(code)).cause).toMatch(/^TypeError/);
  });
});

describe("console", () => {
  test("writes lines of `ctx.log` at the right level, in order with it", async () => {
    const body = `console.log("one", 2, { a: [1, "x"], m: new Map([["k", null]]) }); ctx.log.info("two"); console.warn("three %s of %d%%", "x", 4);
      console.error(new Set([1n])); console.debug(undefined, () => 1); console.assert(1 === 1, "no"); console.assert(false, "yes");
      const ring = {}; ring.self = ring; console.info(ring); const { log } = console; log(); log({ get a() { throw 1 } });`;
    expect(await logsOf(body)).toEqual([
      { level: "info", message: 'one 2 {a: [1, "x"], m: Map {"k" => null}}' },
      { level: "info", message: "two" },
      { level: "warning", message: "three x of 4%" },
      { level: "error", message: "Set {1n}" },
      { level: "debug", message: "undefined [function without a name]" },
      { level: "error", message: "Assertion failed yes" },
      { level: "info", message: "{self: [circular]}" },
      { level: "info", message: "" },
      { level: "info", message: "[a value that cannot be shown]" },
    ]);
  });

  test("shows an error with its causes, and with no frame but the handler's", async () => {
    const body = `const inner = new TypeError("inner", { cause: { code: 7 } });
      console.error(new Error("outer", { cause: inner }));
      const ring = new Error("ring"); ring.cause = ring; console.error(ring);`;
    const [outer, ring] = (await logsOf(body)).map((line) => String(Object(line).message));
    expect(outer?.replaceAll(/\d+:\d+/g, "1:2").split("\n")).toEqual([
      "Error: outer",
      "    at default (tools/runner/tool.ts:1:2)",
      "  caused by TypeError: inner",
      "    at default (tools/runner/tool.ts:1:2)",
      "  caused by {code: 7}",
    ]);
    expect(ring?.match(/Error: ring/g)).toHaveLength(4);
  });

  test("is limited with `ctx.log`", async () => {
    const logs = await logsOf("for (let at = 0; at < 1500; at += 1) console.log(at)");
    expect(logs).toHaveLength(1001);
    expect(logs.at(-1)).toEqual({ level: "warning", message: "The call wrote too much; the rest is dropped." });
  });

  test("writes to the call that runs, of many at once", async () => {
    const program = toHandler(
      "console.log(input, 1); await ctx.state.get([1]); console.log(input, 2); await null; console.log(input, 3)",
    );
    const logs = Array.from({ length: 40 }, (): Json[] => []);
    const calls = logs.map((own, input) =>
      toCall(program, {
        input,
        syscall: async (name, args) => {
          if (name === "log") own.push(args);
          return null;
        },
      }),
    );
    await Promise.all(calls.map((call) => sandbox().run(call)));
    expect(logs).toEqual(
      logs.map((_, input) => [1, 2, 3].map((step) => ({ level: "info", message: `${input} ${step}` }))),
    );
  });

  test("drops what a module writes while it is loaded", async () => {
    expect(await run(toHandler("return 1", "console.log('loading');"))).toBe(1);
  });
});

describe("URL", () => {
  test("is parsed, changed and written as everywhere", async () => {
    const body = `const url = new URL("../b?x=1&x=2&y=%20", "https://u:p@exämple.com:8443/a/c#h");
      const before = [url.href, url.origin, url.host, url.hostname, url.port, url.username, url.pathname, url.search, url.hash];
      url.searchParams.append("z", "ä b"); url.searchParams.delete("x", "1"); url.pathname = "/new path"; url.port = "443";
      const params = url.searchParams; url.search = "?q=1"; const after = [String(url), params.get("q"), params.size];
      return { before, after, json: JSON.stringify({ url }), can: [URL.canParse("nope"), URL.canParse("x:y"), URL.parse("nope")] }`;
    expect(await run(body)).toEqual({
      before: [
        "https://u:p@xn--exmple-cua.com:8443/b?x=1&x=2&y=%20",
        "https://xn--exmple-cua.com:8443",
        "xn--exmple-cua.com:8443",
        "xn--exmple-cua.com",
        "8443",
        "u",
        "/b",
        "?x=1&x=2&y=%20",
        "",
      ],
      after: ["https://u:p@xn--exmple-cua.com/new%20path?q=1", "1", 1],
      json: '{"url":"https://u:p@xn--exmple-cua.com/new%20path?q=1"}',
      can: [false, true, null],
    });
    expect((await fail(`new URL("nope")`)).message).toMatch(
      /threw TypeError: `nope` is no URL\. \(tools\/runner\/tool\.ts:/,
    );
  });

  test("has the members that Node.js finds, whatever the text", async () => {
    const program = toHandler(
      `const url = URL.parse(input); return url && [url.href, url.search, [...url.searchParams], String(url.searchParams)]`,
    );
    const check = async (input: string) => {
      const url = URL.parse(input);
      const wanted = url && [url.href, url.search, [...url.searchParams], String(url.searchParams)];
      expect(await run(program, { input })).toEqual(wanted);
    };
    await assert(asyncProperty(webUrl({ withQueryParameters: true, withFragments: true }), check), { numRuns: 50 });
    await assert(asyncProperty(string(), check), { numRuns: 50 });
  });

  test("has parameters from text, pairs and objects", async () => {
    const body = `const p = new URLSearchParams("?b=2&a=1&a=3"); p.sort(); p.set("a", "4"); const seen = []; p.forEach((value, name) => seen.push(name + value));
      return [String(p), seen, [...p.keys()], p.getAll("a"), p.has("b", "9"), String(new URLSearchParams({ x: "1 &" })), String(new URLSearchParams([["k", "v"]])), String(new URLSearchParams(p))]`;
    expect(await run(body)).toEqual(["a=4&b=2", ["a4", "b2"], ["a", "b"], ["4"], false, "x=1+%26", "k=v", "a=4&b=2"]);
  });
});

describe("text", () => {
  test("is encoded and decoded, also in parts", async () => {
    const body = `const bytes = new TextEncoder().encode("aä€😀"); const decoder = new TextDecoder(); let parts = "";
      for (const byte of bytes) parts += decoder.decode(new Uint8Array([byte]), { stream: true });
      parts += decoder.decode();
      let fatal; try { new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])) } catch (error) { fatal = error.name }
      return [[...bytes], parts, new TextDecoder("latin1").decode(new Uint8Array([228]).buffer), new TextDecoder().decode(new Uint8Array([255])), fatal, btoa("a\\u00ff"), atob(" YQ== ")]`;
    expect(await run(body)).toEqual([
      [...Buffer.from("aä€😀")],
      "aä€😀",
      "ä",
      "\ufffd",
      "TypeError",
      Buffer.from("a\u00ff", "latin1").toString("base64"),
      "a",
    ]);
    expect((await fail(`btoa("€")`)).message).toContain("RangeError: `btoa` takes characters up to U+00FF");
    expect((await fail(`new TextDecoder("klingon")`)).message).toContain("`klingon` is no encoding");
  });
});

describe("structuredClone", () => {
  test("copies what the language has, with its cycles, and refuses functions", async () => {
    const body = `class Own { a = 1 } const error = new RangeError("r", { cause: { c: 1 } }); const buffer = new Uint8Array([1, 2, 3]).buffer;
      const value = { date: new Date(5), regexp: /a/gi, map: new Map([[{ k: 1 }, new Set([1])]]), view: new Uint8Array(buffer, 1, 2), buffer, own: new Own(), list: [1, , undefined], error };
      value.self = value; const copy = structuredClone(value);
      let refused; try { structuredClone({ f() {} }) } catch (error) { refused = error.name }
      return [copy !== value && copy.self === copy, copy.date.getTime(), String(copy.regexp), [...copy.map].map(([k, v]) => [k, [...v]]), [...copy.view], copy.view.buffer === copy.buffer,
        copy.own instanceof Own, copy.own.a, 1 in copy.list, copy.error instanceof RangeError, copy.error.cause, refused]`;
    expect(await run(body)).toEqual([
      true,
      5,
      "/a/gi",
      [[{ k: 1 }, [1]]],
      [2, 3],
      true,
      false,
      1,
      false,
      true,
      { c: 1 },
      "DataCloneError",
    ]);
  });
});

describe("AbortController", () => {
  test("aborts once, with a reason, and tells its listeners", async () => {
    const body = `const controller = new AbortController(); const heard = []; const { signal } = controller;
      signal.addEventListener("abort", ({ type }) => heard.push(type), { once: true }); signal.onabort = () => heard.push("on");
      const any = AbortSignal.any([signal]); controller.abort(); controller.abort("late");
      let thrown; try { any.throwIfAborted() } catch (error) { thrown = error.name } let made; try { new AbortSignal() } catch (error) { made = error.name }
      return [heard, signal.aborted, signal.reason.name, any.aborted, thrown, AbortSignal.abort("why").reason, made, AbortSignal.trigger === undefined]`;
    expect(await run(body)).toEqual([
      ["on", "abort"],
      true,
      "AbortError",
      true,
      "AbortError",
      "why",
      "TypeError",
      true,
    ]);
  });
});

describe("crypto", () => {
  const HEX = `const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");`;

  test.for(["SHA-1", "SHA-256", "SHA-384", "SHA-512"])("digests and signs with %s as everywhere", async (hash) => {
    const data = new TextEncoder().encode("What do ya want for nothing?");
    const key = await webcrypto.subtle.importKey("raw", Buffer.from("Jefe"), { name: "HMAC", hash }, false, ["sign"]);
    const body = `${HEX} const bytes = new TextEncoder().encode("What do ya want for nothing?");
      const key = await crypto.subtle.importKey("raw", new TextEncoder().encode("Jefe"), { name: "HMAC", hash: input }, false, ["sign", "verify"]);
      const signature = await crypto.subtle.sign("HMAC", key, bytes); const wrong = signature.slice(0); new Uint8Array(wrong)[0] ^= 1;
      return [hex(await crypto.subtle.digest(input, bytes)), hex(signature), await crypto.subtle.verify("HMAC", key, signature, bytes), await crypto.subtle.verify("HMAC", key, wrong, bytes), JSON.stringify(key)]`;
    const [digest, signature, ...verified] = (await run(body, { input: hash })) as string[];
    expect([digest, signature]).toEqual([
      Buffer.from(await webcrypto.subtle.digest(hash, data)).toString("hex"),
      Buffer.from(await webcrypto.subtle.sign("HMAC", key, data)).toString("hex"),
    ]);
    expect(verified.slice(0, 2)).toEqual([true, false]);
  });

  test("refuses other algorithms, other uses of a key and what is too long", async () => {
    expect((await fail(`await crypto.subtle.digest("MD5", new Uint8Array(1))`)).message).toContain(
      "NotSupportedError: Hashes are SHA-1, SHA-256, SHA-384, SHA-512.",
    );
    const key = `await crypto.subtle.importKey("raw", new Uint8Array(3), { name: "HMAC", hash: "SHA-256" }, false, ["verify"])`;
    expect((await fail(`await crypto.subtle.sign("HMAC", ${key}, new Uint8Array(1))`)).message).toContain(
      "The key was not imported to `sign`.",
    );
    expect((await fail(`await crypto.subtle.digest("SHA-1", new Uint8Array(5e6))`)).message).toContain(
      "at most 4194304 bytes",
    );
  });

  test("draws from the call's recorded randomness, where the tool may", async () => {
    const body = `return [crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))], ctx.random()]`;
    const drawn = (await run(body, random)) as [string];
    expect(drawn[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await run(body, random)).toEqual(drawn);
    expect(await run(body, { ...random, seed: "f".repeat(32) })).not.toEqual(drawn);
    expect(await fail("crypto.randomUUID()")).toMatchObject({ name: "FORBIDDEN", message: /needs `random`/ });
    const early = toProgram({
      "tools/runner/tool.ts": "export const id = crypto.randomUUID(); export default () => id;",
    });
    expect((await fail(early)).message).toContain("`crypto.randomUUID` exists only during a call.");
  });

  test("counts what the host does for it as the handler's processor time", async () => {
    const body = "const bytes = new Uint8Array(4e6); for (;;) await crypto.subtle.digest('SHA-512', bytes)";
    expect(await fail(body)).toMatchObject({ name: "CPU_LIMIT" });
  });
});

test("queueMicrotask runs its callback before anything else enters", async () => {
  const body = `const order = []; queueMicrotask(() => order.push("micro")); order.push("now"); await null; await null; return order`;
  expect(await sandbox().run(toCall(body)).then(toOutput)).toEqual(["now", "micro"]);
});
