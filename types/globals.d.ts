/**
 * Globals that isolates have beside the language: what a handler may use without `ctx`. Put `"types": ["cairn-gitops/globals"]`
 * into tsconfig.json, and everything else of Node.js and browsers is a type error.
 */

/** Lines of `ctx.log` of the call that runs. */
declare const console: {
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
};

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams implements Iterable<[string, string]> {
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
  /** `stream`: only of UTF-8. */
  decode(data?: ArrayBuffer | ArrayBufferView, options?: { readonly stream?: boolean }): string;
}

declare function atob(base64: string): string;
declare function btoa(text: string): string;

declare function queueMicrotask(callback: () => void): void;

/** Copies deeply, with cycles. Nothing is transferred. */
declare function structuredClone<Value>(value: Value): Value;

/** Digests and HMAC. Random values are those of `ctx.random()`: they need `random` under `uses`, and are not for secrets. */
declare const crypto: {
  readonly subtle: {
    digest(
      algorithm: HashName | { readonly name: HashName },
      data: ArrayBuffer | ArrayBufferView,
    ): Promise<ArrayBuffer>;
    importKey(
      format: "raw",
      data: ArrayBuffer | ArrayBufferView,
      algorithm: { readonly name: "HMAC"; readonly hash: HashName | { readonly name: HashName } },
      extractable: boolean,
      usages: readonly ("sign" | "verify")[],
    ): Promise<CryptoKey>;
    sign(
      algorithm: "HMAC" | { readonly name: "HMAC" },
      key: CryptoKey,
      data: ArrayBuffer | ArrayBufferView,
    ): Promise<ArrayBuffer>;
    verify(
      algorithm: "HMAC" | { readonly name: "HMAC" },
      key: CryptoKey,
      signature: ArrayBuffer | ArrayBufferView,
      data: ArrayBuffer | ArrayBufferView,
    ): Promise<boolean>;
  };
  getRandomValues<View extends ArrayBufferView>(view: View): View;
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
};

type HashName = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

/** A key of HMAC, whose bytes do not show. */
interface CryptoKey {
  readonly type: "secret";
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

/** Comes from an AbortController. `ctx.fetch` takes none. */
declare class AbortSignal {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  onabort: ((event: { readonly type: "abort"; readonly target: AbortSignal }) => void) | null;
  addEventListener(
    type: "abort",
    listener: (event: { readonly type: "abort"; readonly target: AbortSignal }) => void,
    options?: boolean | { readonly once?: boolean },
  ): void;
  removeEventListener(
    type: "abort",
    listener: (event: { readonly type: "abort"; readonly target: AbortSignal }) => void,
  ): void;
  throwIfAborted(): void;
}
