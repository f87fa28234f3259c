/** Reasons for which a reader comes back from the provider and is not signed in. */
export type LoginProblem =
  /** The reader, or the provider for them, said no. */
  | "denied"
  /** The provider refuses the request: its registration of this client is another one. */
  | "refused"
  /** The provider does not answer, or with failures. */
  | "unreachable"
  /** The answer belongs to no attempt of this browser, was used before, came too late or was not made for this client. */
  | "invalid"
  /** The access token is not good for this service. */
  | "token"
  /** Too many readers come back at once. */
  | "busy";

/** The end of an attempt, and the path of the console to go on at. */
export type LoginOutcome = { readonly returnTo: string } & (
  { readonly session: string } | { readonly problem: LoginProblem }
);

/** Signing in to the console with a provider of OpenID Connect, as a client whose tokens never reach the browser. */
export interface Login {
  /** The provider's name for readers. */
  readonly name: string;
  /** Begins an attempt. UNAVAILABLE when the provider cannot be reached. */
  begin(returnTo: string): Promise<{
    /** Address at which the browser goes on. */
    readonly url: string;
    /** Name of the attempt, which comes back with the answer. */
    readonly name: string;
    /** Text for the browser to keep until then. */
    readonly kept: string;
  }>;
  /** Names the attempt that the provider's answer belongs to. */
  nameOf(answer: URLSearchParams): string;
  /** Ends an attempt. `kept`: what the browser kept of it; `address`: the browser's IP address. */
  finish(answer: URLSearchParams, kept: string | undefined, address: string | undefined): Promise<LoginOutcome>;
  /** Ends a session here and at the provider; gives the ID token that tells the provider who signs out. */
  end(session: string): Promise<string | undefined>;
  /** Finds the address at which the browser signs out at the provider; `undefined` where there is none. */
  leave(idToken: string | undefined): Promise<string | undefined>;
}

/** Path of a session's own address: an access token that is not good there is not good for the console. */
export const SESSION_PATH = "/console/session";
