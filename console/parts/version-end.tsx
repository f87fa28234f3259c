import { useQuery } from "@tanstack/react-query";
import { versionDetail } from "../service/versions.ts";
import { End } from "./end.tsx";

/** Says that the version of a page ends, where it does; nothing where it does not, or the reader may not know. */
export function VersionEnd({ version }: { readonly version: string }) {
  const { data } = useQuery(versionDetail(version));
  return data?.deprecated === undefined ? null : <End deprecated={data.deprecated} />;
}
