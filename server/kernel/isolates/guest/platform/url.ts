import { define, limitLength, takeHost } from "../guest-host.ts";

const parseUrl = takeHost("parseUrl");
const changeUrl = takeHost("changeUrl");
const readForm = takeHost("readForm");
const writeForm = takeHost("writeForm");

const SETTABLE = [
  "hash",
  "host",
  "hostname",
  "password",
  "pathname",
  "port",
  "protocol",
  "search",
  "username",
] as const;

/** Members of a URL as the host parsed it. */
type Parts = Readonly<Record<(typeof SETTABLE)[number] | "href" | "origin", string>>;
type Pair = readonly [name: string, value: string];

/** Parameters of a query, as url.spec.whatwg.org has them. */
class URLSearchParams {
  #pairs: Pair[];
  /** Hears of each change: the URL that the parameters are of. */
  #onChange: ((text: string) => void) | undefined;

  constructor(init: unknown = "") {
    this.#pairs = toPairs(init);
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: unknown, value: unknown): void {
    this.#become([...this.#pairs, [String(name), String(value)]]);
  }

  delete(name: unknown, value?: unknown): void {
    this.#become(this.#pairs.filter((pair) => !isMeant(pair, name, value)));
  }

  get(name: unknown): string | null {
    return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null;
  }

  getAll(name: unknown): string[] {
    return this.#pairs.flatMap((pair) => (pair[0] === String(name) ? [pair[1]] : []));
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some((pair) => isMeant(pair, name, value));
  }

  set(name: unknown, value: unknown): void {
    const at = this.#pairs.findIndex((pair) => pair[0] === String(name));
    if (at < 0) return this.append(name, value);
    const set: Pair = [String(name), String(value)];
    this.#become(this.#pairs.flatMap((pair, index) => (index === at ? [set] : pair[0] === String(name) ? [] : [pair])));
  }

  sort(): void {
    this.#become(this.#pairs.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
  }

  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this.#pairs) Reflect.apply(callback, self, [value, name, this]);
  }

  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name)[Symbol.iterator]();
  }

  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value)[Symbol.iterator]();
  }

  entries(): IterableIterator<[string, string]> {
    return this.#pairs.map(([name, value]): [string, string] => [name, value])[Symbol.iterator]();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  toString(): string {
    const pairs = JSON.stringify(this.#pairs);
    limitLength(pairs.length, "URLSearchParams");
    return writeForm(pairs);
  }

  /** Ties parameters to a URL; returns what has them read its query anew. */
  static tie(params: URLSearchParams, onChange: (text: string) => void): (text: string) => void {
    params.#onChange = onChange;
    return (text) => void (params.#pairs = toPairs(text));
  }

  #become(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#onChange?.(this.toString());
  }
}

const { tie } = URLSearchParams;
Reflect.deleteProperty(URLSearchParams, "tie");

interface State {
  parts: Parts;
  params: URLSearchParams | undefined;
  reread: (text: string) => void;
}

const states = new WeakMap<object, State>();

/** URL of url.spec.whatwg.org, which the host parses. */
class URL {
  constructor(url: unknown, base?: unknown) {
    const parts = parse(url, base);
    if (parts === undefined) {
      const error = new TypeError(`\`${String(url).slice(0, 200)}\` is no URL.`);
      throw Object.assign(error, { code: "ERR_INVALID_URL" });
    }
    states.set(this, { parts, params: undefined, reread: () => undefined });
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return parse(url, base) !== undefined;
  }

  static parse(url: unknown, base?: unknown): URL | null {
    return parse(url, base) === undefined ? null : new URL(url, base);
  }

  get href(): string {
    return stateOf(this).parts.href;
  }

  set href(value: unknown) {
    const state = stateOf(this);
    state.parts = stateOf(new URL(value)).parts;
    state.reread(state.parts.search);
  }

  get origin(): string {
    return stateOf(this).parts.origin;
  }

  get searchParams(): URLSearchParams {
    const state = stateOf(this);
    if (state.params === undefined) {
      state.params = new URLSearchParams(state.parts.search);
      state.reread = tie(state.params, (text) => change(state, "search", text));
    }
    return state.params;
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }
}

for (const member of SETTABLE) {
  Object.defineProperty(URL.prototype, member, {
    get(this: URL) {
      return stateOf(this).parts[member];
    },
    set(this: URL, value: unknown) {
      const state = stateOf(this);
      change(state, member, String(value));
      if (member === "search") state.reread(state.parts.search);
    },
    enumerable: true,
    configurable: true,
  });
}

function stateOf(url: URL): State {
  const state = states.get(url);
  if (state === undefined) throw new TypeError("This is no URL.");
  return state;
}

function change(state: State, member: (typeof SETTABLE)[number], value: string): void {
  limitLength(state.parts.href.length + value.length, "A URL");
  const text = changeUrl(state.parts.href, member, value);
  if (text !== undefined) state.parts = JSON.parse(text);
}

function parse(url: unknown, base: unknown): Parts | undefined {
  const [text, from] = [String(url), base === undefined ? undefined : String(base)];
  limitLength(text.length + (from?.length ?? 0), "A URL");
  const parts = parseUrl(text, from);
  return parts === undefined ? undefined : JSON.parse(parts);
}

function toPairs(init: unknown): Pair[] {
  if (typeof init === "object" && init !== null) {
    const listed = Symbol.iterator in init ? [...(init as Iterable<Pair>)] : Object.entries(init);
    return listed.map(([name, value]) => [String(name), String(value)]);
  }
  const text = String(init);
  limitLength(text.length, "URLSearchParams");
  return JSON.parse(readForm(text));
}

function isMeant(pair: Pair, name: unknown, value: unknown): boolean {
  return pair[0] === String(name) && (value === undefined || pair[1] === String(value));
}

define("URL", URL);
define("URLSearchParams", URLSearchParams);
