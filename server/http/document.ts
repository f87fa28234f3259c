import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { digestBytes } from "./entity-tag.ts";
import type { Encoding } from "./negotiate-encoding.ts";

/** A body in every form in which it can be sent; what a form takes is done when it is first asked for, and once. */
export interface Document {
  /** Media type. */
  readonly type: string;
  /** Bytes as they are. */
  readonly length: number;
  /** The strong entity tag of one form. */
  tag(encoding: Encoding): string;
  encode(encoding: Encoding): Promise<Uint8Array>;
}

/** `effort`: `small` where the document is kept to be sent again. `ready`: compressed forms that are there already. */
export function createDocument(
  type: string,
  content: string | Uint8Array,
  effort: Effort,
  ready: Partial<Readonly<Record<Encoding, Uint8Array>>> = {},
): Document {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const forms = new Map(
    Object.entries(ready).map(([encoding, form]) => [encoding as Encoding, Promise.resolve(form)] as const),
  );
  let digest: string | undefined;

  return Object.freeze({
    type,
    length: bytes.length,
    tag(encoding: Encoding) {
      digest ??= digestBytes(bytes);
      return encoding === "identity" ? `"${digest}"` : `"${digest}-${encoding}"`;
    },
    encode(encoding: Encoding) {
      const known = forms.get(encoding);
      if (known !== undefined) return known;
      const form = compress(bytes, encoding, effort);
      forms.set(encoding, form);
      // What failed once, for want of memory say, may work the next time.
      form.catch(() => forms.delete(encoding));
      return form;
    },
  });
}

/** A document that is made for one answer. */
export function toJsonDocument(value: unknown, type = "application/json"): Document {
  return createDocument(type, JSON.stringify(value), "fast");
}

/** Effort of the compression: `small` for bodies that are sent repeatedly, `fast` for those sent once. */
export type Effort = "small" | "fast";

const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { small: 5, fast: 1 };
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { small: 6, fast: 1 };

const packBrotli = promisify(brotliCompress);
const packGzip = promisify<Uint8Array, { level: number }, Buffer>(gzip);

/** Packs off the main thread. */
async function compress(bytes: Uint8Array, encoding: Encoding, effort: Effort): Promise<Uint8Array> {
  switch (encoding) {
    case "br":
      return packBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });
    case "gzip":
      return packGzip(bytes, { level: GZIP_LEVEL[effort] });
    case "identity":
      return bytes;
  }
}
