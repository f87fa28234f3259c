/** Who calls. Both come from the caller's credentials, never from its input. */
export interface CallingPrincipal {
  readonly tenant: string;
  readonly actor: string;
}
