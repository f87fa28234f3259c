import { CairnError } from "../errors.ts";
import { holdsAll } from "../principal.ts";
import type { ReadExport } from "../capabilities/lineage/read-export.ts";
import { toScope } from "../capabilities/state/state.ts";
import type { Provider } from "./provider.ts";

/**
 * `exports://{server}/{path}{?offset}`: a file that a tool of the server has written out for the reader's tenant, as it is on
 * the disk, in pieces. It is for those who may use such a tool.
 */
export function createExportReader(readExport: ReadExport): Provider {
  return async ({ version, server, principal, uri, variables }) => {
    const offset = readOffset(variables["offset"]);
    const writer = server.tools.find(
      ({ uses, requiredCapabilities }) => uses.has("lineage.export") && holdsAll(principal, requiredCapabilities),
    );
    const area = writer && { tenant: principal.tenant, server: server.name, scope: toScope(version, writer) };
    const piece = area && (await readExport({ ...area, name: variables["path"] ?? "", offset }));
    if (piece !== undefined) return piece;
    throw new CairnError("NOT_FOUND", `There is no file \`${uri}\` in the export area.`, { details: { uri } });
  };
}

function readOffset(text = "0"): number {
  const offset = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(offset)) return offset;
  throw new CairnError("BAD_REQUEST", "`offset` must be a whole number of bytes.");
}
