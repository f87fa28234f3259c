import { mayReadCall } from "../capabilities/work/approvals/may-read-call.ts";
import { JOURNAL, readArtifact } from "../capabilities/work/evidence.ts";
import { writeOutJournal } from "../capabilities/work/journal.ts";
import { readRun } from "../capabilities/work/run.ts";
import { CairnError } from "../errors.ts";
import { isUuid } from "../identifiers.ts";
import { holdsAll } from "../principal.ts";
import { runKey } from "../store/keys.ts";
import type { Key, Store } from "../store/store.ts";
import type { Provider } from "./provider.ts";

/**
 * `runs://{run_id}`, a run of the reader's tenant with the addresses of its evidence; and each piece of that below it, under the
 * path that the run's record names: `artifacts/{name}` and `artifacts/journal/{journal}`. They are for those who may use a tool of
 * the server that reads tasks.
 */
export function createRunReader(store: Store): Provider {
  const readValue = async (key: Key) => (await store.get(key))?.value;
  return async ({ version, server, principal, uri, variables }) => {
    const { run_id: id = "", name, journal } = variables;
    const scope = server.state ?? version.commit;
    const isReader = server.tools.some(
      ({ uses, requiredCapabilities }) => uses.has("work.read") && holdsAll(principal, requiredCapabilities),
    );
    const entry = isReader && isUuid(id) ? await store.get(runKey(principal.tenant, scope, id)) : undefined;
    const run = entry && readRun(entry.value);
    if (run !== undefined) {
      const file = journal === undefined ? name : `journal/${journal}`;
      if (file === undefined) return { ...run, artifacts: listArtifacts(run.artifacts, id) };
      if (file === JOURNAL) return writeOutJournal(store, principal.tenant, id);
      const isReadable = await mayReadCall({ get: readValue }, principal, run, file);
      const content = isReadable ? await readArtifact({ get: readValue }, principal.tenant, run, file) : undefined;
      if (content !== undefined) return content;
    }
    throw new CairnError("NOT_FOUND", `There is no \`${uri}\` here.`, { details: { uri } });
  };
}

function listArtifacts<Artifact extends object>(artifacts: Readonly<Record<string, Artifact>>, id: string) {
  const addressed = Object.entries(artifacts).map(([name, artifact]) => [name, { uri: toUri(id, name), ...artifact }]);
  return { ...Object.fromEntries(addressed), [JOURNAL]: { uri: toUri(id, JOURNAL) } };
}

function toUri(id: string, name: string): string {
  return `runs://${id}/artifacts/${name}`;
}
