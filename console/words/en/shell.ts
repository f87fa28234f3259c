/** Texts of the frame, in English. */
export const words = Object.freeze({
  away: "The service does not answer. What is shown may be old; it is asked again until it does.",
  begin: "Go to the versions.",
  groups: { versions: "Versions", use: "In use", change: "Changes", service: "Service" },
  menu: "Pages",
  nobody: "anonymous",
  openMenu: "Menu:",
  person: "Your name",
  personWhy:
    "Callers need no token here. The name stands in records, and lets one person approve what another asked for.",
  signIn: "Sign in",
  signInKept: "The token stays in a cookie that scripts cannot read, until you sign out or the browser ends.",
  signInWhy: "This service needs a token. Paste one that you were given, or make one where the service runs.",
  signOut: "Sign out",
  skip: "Skip to the page",
  theme: "Colours",
  themes: { system: "System", light: "Light", dark: "Dark" },
  token: "API token",
  unknownPage: "No page is at this address",
});
