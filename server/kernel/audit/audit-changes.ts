import type { Registry, RegistryEvent } from "../../versions/registry/registry-types.ts";
import type { Audit } from "./audit.ts";
import type { Change } from "./audit-event.ts";

/** On whose behalf versions come and go. */
const UPSTREAM = "upstream";

/** Writes into the service's own log what becomes of versions. Returns "stop". */
export function auditChanges(registry: Registry, audit: Audit, onError: (error: unknown) => void): () => void {
  return registry.subscribe((event) => {
    const change = toChange(event);
    if (change !== undefined) audit.changed({ actor: UPSTREAM, ...change }).catch(onError);
  });
}

function toChange(event: RegistryEvent): Omit<Change, "actor"> | undefined {
  switch (event.kind) {
    case "added":
    case "quarantined": {
      const { tag, commit } = event.record;
      const change = event.kind === "added" ? "version.added" : "version.quarantined";
      return { change, target: tag ?? commit, details: { commit } };
    }
    case "alarm":
      return {
        change: event.alarm.kind === "moved" ? "tag.moved" : "tag.deleted",
        target: event.tag,
        details: { ...event.alarm },
      };
    case "alarm-over":
      return { change: "tag.restored", target: event.tag };
    case "labels":
      return { change: "labels.moved", target: "labels", details: { labels: Object.fromEntries(event.labels) } };
    case "revoked": {
      const { roles, capabilities, hosts, commands, secrets } = event.revoked;
      const shown = commands.map((command) => [command.program, ...command.arguments]);
      return {
        change: "policies.revoked",
        target: "policies",
        details: { roles, capabilities, hosts, commands: shown, secrets },
      };
    }
    case "dev":
      return { change: "dev.served", target: event.commit };
    default:
      return undefined;
  }
}
