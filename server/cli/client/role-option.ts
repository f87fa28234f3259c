/** Option by which a client gets no more tools of a server than a role may use. */
export const ROLE_OPTION = {
  role: {
    type: "string",
    valueHint: "name",
    description: "Only the tools of this role of the version's policies, for example `worker`",
  },
} as const;

/** Converts the option to the query of an MCP address. */
export function toRoleQuery(role: string | undefined): string {
  return role === undefined ? "" : `?role=${encodeURIComponent(role)}`;
}
