import type { Program } from "../../versions/version.ts";

/** Tenants of one program whose keys are kept ready. */
const TENANT_LIMIT = 1000;

const programs = new WeakMap<Program, Map<string, Program>>();

/**
 * A version's program as one tenant runs it: under a key of its own, so that no isolate serves two tenants, and nothing
 * that a handler keeps in variables of its module is there for another tenant's call.
 */
export function toTenantProgram(program: Program, tenant: string): Program {
  let ofTenants = programs.get(program);
  if (ofTenants === undefined) {
    ofTenants = new Map();
    programs.set(program, ofTenants);
  }
  let own = ofTenants.get(tenant);
  if (own === undefined) {
    own = Object.freeze({ ...program, tenant, key: JSON.stringify([program.key, tenant]) });
    if (ofTenants.size >= TENANT_LIMIT) ofTenants.clear();
    ofTenants.set(tenant, own);
  }
  return own;
}
