import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "./negotiate-encoding.ts";

/** Effort of the compression: `small` for bodies that are sent repeatedly, `fast` for those sent once. */
export type Effort = "small" | "fast";

const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { small: 5, fast: 1 };
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { small: 6, fast: 1 };

const packBrotli = promisify(brotliCompress);
const packGzip = promisify<Uint8Array, { level: number }, Buffer>(gzip);

/** Packs off the main thread. */
export async function compress(bytes: Uint8Array, encoding: Encoding, effort: Effort): Promise<Uint8Array> {
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
