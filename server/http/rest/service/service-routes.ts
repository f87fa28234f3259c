import { ANYONE, type Route } from "../../create-route.ts";
import { createDocument } from "../../document.ts";
import { toChecked } from "../../reply.ts";
import { createRightsOperations, type RightsOptions } from "./rights.ts";
import { toServiceOpenApi } from "./to-service-openapi.ts";

export type ServiceRouteOptions = RightsOptions;

/** Adds the requests that read what the service knows, and the OpenAPI document that describes them. */
export function addServiceRoutes(route: Route, options: ServiceRouteOptions): void {
  const operations = [...createRightsOperations(options)];
  for (const { path, access, answer } of operations) {
    route("GET", path.replaceAll(/\{(\w+)\}/g, ":$1"), access, answer);
  }
  const document = createDocument("application/json", JSON.stringify(toServiceOpenApi(operations)), "small");
  // Alike in every service of this release, so it tells nothing of this one.
  route("GET", "/openapi.json", ANYONE, () => toChecked(document));
}
