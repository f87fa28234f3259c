/**
 * Globals that handlers have beyond the language, for the compiler: `"types": ["cairn-gitops/handler-globals"]` in
 * tsconfig.json. `server/kernel/isolates/guest/platform` implements them, so members that an isolate has not are not here.
 */

type Bytes = ArrayBuffer | ArrayBufferView;

interface Console {
  debug(...values: unknown[]): void;
  trace(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  dir(value: unknown): void;
  table(value: unknown): void;
  group(...values: unknown[]): void;
  groupCollapsed(...values: unknown[]): void;
  groupEnd(): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  assert(isTrue: unknown, ...values: unknown[]): void;
}

/** Writes lines to `ctx.log`. */
declare const console: Console;

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams {
  constructor(init?: string | URLSearchParams | Iterable<readonly [string, string]> | Readonly<Record<string, string>>);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** Only UTF-8 can be decoded in parts, with `stream: true`. */
  decode(data?: Bytes, options?: { readonly stream?: boolean }): string;
}

declare function atob(base64: string): string;
declare function btoa(text: string): string;

interface CryptoKey {
  readonly type: "secret";
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
}

type HashName = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";
type HashAlgorithm = HashName | { readonly name: HashName };
type HmacAlgorithm = "HMAC" | { readonly name: "HMAC" };

interface SubtleCrypto {
  digest(algorithm: HashAlgorithm, data: Bytes): Promise<ArrayBuffer>;
  importKey(
    format: "raw",
    data: Bytes,
    algorithm: { readonly name: "HMAC"; readonly hash: HashAlgorithm },
    extractable: boolean,
    usages: readonly ("sign" | "verify")[],
  ): Promise<CryptoKey>;
  sign(algorithm: HmacAlgorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
  verify(algorithm: HmacAlgorithm, key: CryptoKey, signature: Bytes, data: Bytes): Promise<boolean>;
}

interface Crypto {
  readonly subtle: SubtleCrypto;
  /** Fills an array of integers with numbers of `ctx.random()`, so the tool needs `random` under `uses`. */
  getRandomValues<View extends ArrayBufferView>(view: View): View;
  /** A UUID of numbers of `ctx.random()`, so the tool needs `random` under `uses`. */
  randomUUID(): string;
}

declare const crypto: Crypto;

declare function structuredClone<Value>(value: Value): Value;
declare function queueMicrotask(callback: () => void): void;

type AbortListener = (event: { readonly type: "abort"; readonly target: AbortSignal }) => void;

declare class AbortSignal {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  onabort: AbortListener | null;
  addEventListener(type: "abort", listener: AbortListener, options?: { readonly once?: boolean } | boolean): void;
  removeEventListener(type: "abort", listener: AbortListener): void;
  throwIfAborted(): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
