/** Texts of the frame, in English. */
export const words = Object.freeze({
  away: "The service does not answer. What is shown may be old; it is asked again until it does.",
  becameOther: (who: string) =>
    `Another tab has signed this browser in as ${who}. This page has begun anew for that reader, and what it still asked for the one before is refused.`,
  begin: "Go to the versions.",
  ended: "Your session has ended, or its token was revoked. Sign in again, and the page goes on here.",
  groups: { versions: "Versions", use: "In use", change: "Changes", service: "Service" },
  menu: "Pages",
  nobody: "anonymous",
  openMenu: "Menu:",
  person: "Your name",
  personWhy:
    "Callers need no token here. The name stands in records, and lets one person approve what another asked for.",
  problems: {
    busy: () => "Too many readers are signing in at this moment. Try again.",
    denied: (provider: string) => `${provider} has not signed you in: you, or a rule there, said no.`,
    invalid: (provider: string) =>
      `The answer of ${provider} does not belong to a sign-in that this browser began, or came too late. Try again.`,
    refused: (provider: string) =>
      `${provider} refuses to sign readers in here. The log of this service has the reason, for its operator.`,
    token: (provider: string) =>
      `${provider} knows you, but its access token is not good for this service. The log has the reason, for the operator.`,
    unreachable: (provider: string) =>
      `${provider} cannot be reached at this moment. Try again, or sign in with a token.`,
  },
  signIn: "Sign in",
  signInKept: "The token stays in a cookie that scripts cannot read, until you sign out or the browser ends.",
  signInWhy: "This service needs a token. Paste one that you were given, or make one where the service runs.",
  signInWith: (provider: string) => `Sign in with ${provider}`,
  signInWithWhy: "This service needs to know who you are. Sign in with your account, or with a token further down.",
  signOut: "Sign out",
  skip: "Skip to the page",
  theme: "Colours",
  themes: { system: "System", light: "Light", dark: "Dark" },
  token: "API token",
  tokenInstead: "Or with a token",
  unknownPage: "No page is at this address",
});
