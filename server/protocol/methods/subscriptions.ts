import { once } from "node:events";
import { type Cancellation, toAbortSignal } from "../../cancellation.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { type Params, writeNotification } from "../json-rpc.ts";
import type { Exchange } from "../exchange.ts";
import type { Methods } from "../method.ts";
import type { ResourceWatch } from "../resource-watch.ts";

const SUBSCRIPTION_ID_KEY = "io.modelcontextprotocol/subscriptionId";
/** Resources that one subscription may name. */
const RESOURCE_LIMIT = 100;

interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/**
 * `subscriptions/listen`: a request that stays open while its notifications flow. It is granted what can happen at its
 * address: lists of a pinned version never change. Ends when the client goes, or with an answer when `closing` aborts.
 */
export function createSubscriptionMethods(watchResource: ResourceWatch, closing: AbortSignal): Methods {
  return {
    async "subscriptions/listen"(params, exchange, id) {
      const granted = grant(readFilter(params), exchange, watchResource);
      const _meta = { [SUBSCRIPTION_ID_KEY]: id };
      const notify = (method: string, more: object = {}) =>
        exchange.send(writeNotification(method, { ...more, _meta }));
      notify("notifications/subscriptions/acknowledged", { notifications: granted });
      const stops = start(granted, exchange, watchResource, notify);
      try {
        await ended(exchange.signal, closing);
        return { _meta };
      } finally {
        for (const stop of stops) stop();
      }
    },
  };
}

/** Sessions of older clients hear of changes without asking for the lists, and of resources that they subscribe to. */
export function createResourceSubscriptionMethods(watchResource: ResourceWatch): Methods {
  const readUri = ({ uri }: Params): string => {
    if (typeof uri === "string") return uri;
    throw new CairnError("BAD_REQUEST", "`uri` must be a string: the resource to hear of.");
  };
  return {
    "resources/subscribe"(params, { principal, session }) {
      const uri = readUri(params);
      const watch = watchResource(uri, principal);
      if (watch === undefined) throw new CairnError("NOT_FOUND", `There is no resource \`${uri.slice(0, 200)}\`.`);
      session?.subscribe(uri, watch);
      return {};
    },
    "resources/unsubscribe"(params, { session }) {
      session?.unsubscribe(readUri(params));
      return {};
    },
  };
}

function readFilter({ notifications }: Params): Readonly<Record<string, unknown>> {
  if (isObject(notifications)) return notifications;
  throw new CairnError("BAD_REQUEST", "`notifications` must be an object that says what to hear of.");
}

function grant(wanted: Record<string, unknown>, { principal, watch }: Exchange, watchResource: ResourceWatch): Filter {
  const uris = wanted["resourceSubscriptions"] ?? [];
  if (!Array.isArray(uris) || uris.length > RESOURCE_LIMIT || !uris.every((uri) => typeof uri === "string")) {
    throw new CairnError("BAD_REQUEST", `\`resourceSubscriptions\` must be a list of at most ${RESOURCE_LIMIT} URIs.`);
  }
  const known = uris.filter((uri: string) => watchResource(uri, principal) !== undefined);
  const moves = watch !== undefined;
  return {
    ...(moves && wanted["toolsListChanged"] === true ? { toolsListChanged: true } : {}),
    ...(moves && wanted["promptsListChanged"] === true ? { promptsListChanged: true } : {}),
    ...(moves && wanted["resourcesListChanged"] === true ? { resourcesListChanged: true } : {}),
    ...(known.length > 0 ? { resourceSubscriptions: known } : {}),
  };
}

function start(
  granted: Filter,
  { principal, watch }: Exchange,
  watchResource: ResourceWatch,
  notify: (method: string, more?: object) => void,
): readonly (() => void)[] {
  const listsChange = watch?.(({ tools, prompts, resources }) => {
    if (tools && granted.toolsListChanged) notify("notifications/tools/list_changed");
    if (prompts && granted.promptsListChanged) notify("notifications/prompts/list_changed");
    if (resources && granted.resourcesListChanged) notify("notifications/resources/list_changed");
  });
  const resources = (granted.resourceSubscriptions ?? []).flatMap(
    (uri) => watchResource(uri, principal)?.(() => notify("notifications/resources/updated", { uri })) ?? [],
  );
  return [...(listsChange === undefined ? [] : [listsChange]), ...resources];
}

async function ended(gone: Cancellation | undefined, closing: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([toAbortSignal(gone), closing]);
  if (!signal.aborted) await once(signal, "abort");
}
