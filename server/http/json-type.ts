import { CairnError } from "../errors.ts";

/** Refuses a body that is not plain JSON, by its headers. Nothing is unpacked here, so a small body cannot grow into a large one. */
export function assertJsonType(type: string | null | undefined, encoding: string | null | undefined): void {
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? "")) {
    throw new CairnError(
      "UNSUPPORTED_MEDIA_TYPE",
      `The content type is \`${type ?? ""}\`; it must be application/json.`,
    );
  }
  if (encoding !== null && encoding !== undefined && encoding !== "identity") {
    throw new CairnError("UNSUPPORTED_MEDIA_TYPE", `The body is \`${encoding}\`-encoded; send it as it is.`);
  }
}
