import { Range } from "semver";
import { type VersionName, readTagName, readVersionName } from "../../version-name.ts";

/** Meaning of an address's version part, before a look at the versions. */
export type Segment =
  | { readonly kind: "exact"; readonly version: VersionName }
  | { readonly kind: "commit"; readonly prefix: string }
  | { readonly kind: "range"; readonly range: Range }
  | { readonly kind: "latest" }
  | { readonly kind: "dev" }
  | { readonly kind: "label"; readonly label: string }
  /** A tag's name, `v1.6.0`, where its version `1.6.0` belongs. */
  | { readonly kind: "tag"; readonly version: VersionName }
  /** Nothing that could name a version. */
  | { readonly kind: "nonsense" };

const MAX_LENGTH = 128;
const COMMIT = /^[0-9a-f]{7,64}$/;
const LABEL = /^[a-z][a-z0-9_.-]*$/;
/** Digits, `x`, comparators and what stands between them: the alphabet of ranges. */
const RANGE = /^[\^~<>=*xX0-9][\^~<>=*|. 0-9A-Za-z-]*$/;

/** Reads the version segment of a URL, percent-encoded or not. */
export function readSegment(text: string): Segment {
  const decoded = decode(text);
  if (decoded === undefined || decoded.length > MAX_LENGTH) return { kind: "nonsense" };
  if (decoded === "latest") return { kind: "latest" };
  if (decoded === "dev") return { kind: "dev" };
  const version = readVersionName(decoded);
  if (version !== undefined) return { kind: "exact", version };
  // Seven digits and more are a commit, because no major version ever gets there.
  if (COMMIT.test(decoded)) return { kind: "commit", prefix: decoded };
  const tagged = readTagName(decoded);
  if (tagged !== undefined) return { kind: "tag", version: tagged };
  const range = RANGE.test(decoded) ? readRange(decoded) : undefined;
  if (range !== undefined) return { kind: "range", range };
  return LABEL.test(decoded) ? { kind: "label", label: decoded } : { kind: "nonsense" };
}

function readRange(text: string): Range | undefined {
  // An empty alternative would mean "any version".
  if (text.split("||").some((part) => part.trim() === "")) return undefined;
  try {
    return new Range(text);
  } catch {
    return undefined;
  }
}

/** Once: a `%` that is left over afterwards is in no name, so an address that was decoded before means the same. */
function decode(text: string): string | undefined {
  if (text.length > MAX_LENGTH * 3) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
