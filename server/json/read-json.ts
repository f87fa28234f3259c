const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/**
 * Reads a text that Cairn has written, or has looked at before. V8 13 and 14 may take a name with escapes for another
 * one that they read before (after an object with the name `\`, the name `"` becomes that), whoever's that was; so texts
 * with such names are read without trusting it. Throws SyntaxError as JSON.parse does.
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes("\\") && hasEscapedName(text) ? readWithCare(text) : value;
}

/** Of a well-formed text. */
function hasEscapedName(text: string): boolean {
  let escaped = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON && escaped) return true;
    if (code !== QUOTE) continue;
    escaped = false;
    for (let inner = text.charCodeAt(++at); inner !== QUOTE; inner = text.charCodeAt(++at)) {
      if (inner !== BACKSLASH) continue;
      escaped = true;
      at++;
    }
  }
  return false;
}

interface Level {
  readonly container: object;
  /** The name or index of what is read next. */
  step: string | number;
  expectsName: boolean;
}

/** Reads a well-formed text; strings and numbers by themselves are safe with JSON.parse. */
function readWithCare(text: string): unknown {
  const levels: Level[] = [{ container: [], step: 0, expectsName: false }];
  const root = levels[0]?.container as unknown[];
  const put = (value: unknown) => {
    const { container = root, step = 0 } = levels.at(-1) ?? {};
    // An assignment to `__proto__` would be something else.
    Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true });
  };
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],:]+/g;
  for (const [token] of text.matchAll(tokens)) {
    const level = levels.at(-1);
    if (token === "{" || token === "[") {
      const container = token === "{" ? {} : [];
      put(container);
      levels.push({ container, step: token === "{" ? "" : 0, expectsName: token === "{" });
    } else if (token === "}" || token === "]") levels.pop();
    else if (token === "," && level !== undefined) {
      if (typeof level.step === "number") level.step++;
      else level.expectsName = true;
    } else if (level?.expectsName === true) {
      level.step = JSON.parse(token) as string;
      level.expectsName = false;
    } else put(JSON.parse(token));
  }
  return root[0];
}
