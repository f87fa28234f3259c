import { readSegment } from "./segment.ts";

/** Ways to address a version: a pin never changes its meaning, the others follow what is released. */
export type AddressKind = "pin" | "range" | "label" | "dev" | "tool" | "other";

/** Reads the version segment of an address that was used; `tool ...` is of the registry of tools, which has none. */
export function readAddress(text: string): { readonly address: string; readonly kind: AddressKind } {
  if (text.startsWith("tool ")) return { address: text, kind: "tool" };
  const segment = readSegment(text);
  switch (segment.kind) {
    case "exact":
      return { address: segment.version.name, kind: "pin" };
    case "commit":
      return { address: segment.prefix, kind: "pin" };
    case "range":
      return { address: decodeURIComponent(text), kind: "range" };
    case "latest":
      return { address: "latest", kind: "range" };
    case "label":
      return { address: segment.label, kind: "label" };
    case "dev":
      return { address: "dev", kind: "dev" };
    case "tag":
    case "nonsense":
      return { address: text, kind: "other" };
  }
}
