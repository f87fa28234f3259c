import { CairnError } from "../errors.ts";

/** The forms in which bodies leave, as HTTP names them; `identity` is as they are. */
export type Encoding = "br" | "gzip" | "identity";

/** Chooses the encoding of a body of so many bytes. */
export type EncodingFor = (length: number) => Encoding;

/** Bytes. What is smaller fits one packet as it is, so packing it would gain nothing. */
const SMALL = 1400;

/** Those a client likes alike are preferred in this order. */
const ENCODINGS: readonly Encoding[] = ["br", "gzip", "identity"];
/** Below every weight that can be written: what goes without saying is liked less than what was named. */
const UNSAID = 0.0001;

export const asItIs: EncodingFor = () => "identity";

/**
 * Reads Accept-Encoding (RFC 9110, 12.5.3). Small bodies go as they are, unless a client refuses just that. Throws
 * NOT_ACCEPTABLE when the client refuses everything: to be called before a request has effects.
 */
export function negotiateEncoding(header: string | null | undefined): EncodingFor {
  if (header === null || header === undefined) return asItIs;
  const weights = readWeights(header);
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? UNSAID : 0);
  const taken = ENCODINGS.filter((encoding) => weightOf(encoding) > 0).sort((a, b) => weightOf(b) - weightOf(a));
  const [best] = taken;
  if (best === undefined) {
    throw new CairnError("NOT_ACCEPTABLE", "`Accept-Encoding` must allow one of br, gzip and identity.");
  }
  const small = taken.includes("identity") ? "identity" : best;
  return (length) => (length < SMALL ? small : best);
}

/** By coding in small letters. An item that is not well-formed counts as not there. */
function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(",")) {
    const [, coding = "", weight = "1"] =
      /^([^\s;]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/.exec(item.trim().toLowerCase()) ?? [];
    if (coding !== "") weights.set(coding === "x-gzip" ? "gzip" : coding, Number(weight));
  }
  return weights;
}
