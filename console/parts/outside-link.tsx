import type { ReactNode } from "react";
import { Text } from "./text.tsx";

/** Beginnings of the addresses outside this service that pages lead to: clients that a link adds a server to. */
const DECLARED = [
  "cursor://anysphere.cursor-deeplink/",
  "vscode:mcp/",
  "vscode-insiders:mcp/",
  "lmstudio://add_mcp?",
  "goose://extension?",
  "https://kiro.dev/launch/mcp/",
] as const;

/** Link to a declared place outside this service. Any other address is a text: it could be an attacker's. */
export function OutsideLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  if (!DECLARED.some((start) => to.startsWith(start))) return <Text>{to}</Text>;
  return (
    <a href={to} rel="noreferrer noopener" {...(to.startsWith("https:") ? { target: "_blank" } : {})}>
      {children}
    </a>
  );
}
