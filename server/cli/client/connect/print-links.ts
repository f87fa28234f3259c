import { CairnError } from "../../../errors.ts";
import {
  type InstallLinks,
  type LinkClient,
  toInstallLinks,
  toLaunchLinks,
} from "../../../http/install/install-links.ts";
import type { ConnectTarget } from "../connect-target.ts";
import { findAnswer, type ServiceAccess } from "../service-url.ts";
import type { Launch } from "./client-files.ts";

/** Ways in which users give their client the token, which no link holds. */
const TOKEN_NOTES: Readonly<Record<LinkClient, { readonly title: string; readonly token: string }>> = {
  cursor: { title: "Cursor", token: "Cursor takes the token from its environment, CAIRN_TOKEN." },
  vscode: { title: "VS Code", token: "VS Code asks for the token once, and keeps it." },
  "vscode-insiders": { title: "VS Code Insiders", token: "VS Code asks for the token once, and keeps it." },
  lmstudio: {
    title: "LM Studio",
    token: "Put the header `Authorization` with `Bearer <token>` into LM Studio's mcp.json.",
  },
  kiro: {
    title: "Kiro",
    token:
      "Kiro takes the token from its environment, CAIRN_TOKEN, once its setting `Mcp Approved Env Vars` names that.",
  },
  goose: {
    title: "Goose",
    token: "Add the header `Authorization` with `Bearer <token>` in Goose's settings of the extension.",
  },
};

export interface LinkRequest {
  readonly target: ConnectTarget;
  readonly service: ServiceAccess;
  /** Name of the one client to print links for; absent: all. */
  readonly client: string | undefined;
  /** Present for links that have clients start `cairn stdio`. */
  readonly launch: Launch | undefined;
}

interface Printing {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Prints links that install a server. With one client, standard output has only its links. */
export async function printLinks(
  { target, service, client, launch }: LinkRequest,
  { out, err }: Printing,
): Promise<void> {
  if (client !== undefined && !isLinkClient(client)) {
    const known = Object.keys(TOKEN_NOTES).join(", ");
    throw new CairnError(
      "BAD_REQUEST",
      `\`${client}\` documents no install links; these do: ${known}. Others take \`--write\`.`,
    );
  }
  const signsIn = launch === undefined && (await hasIssuer(service));
  const hasToken = target.hasToken && !signsIn;
  const links =
    launch === undefined ? toInstallLinks({ ...target, hasToken }) : toLaunchLinks({ ...target, ...launch });
  const say = (line: string) => err(`cairn: ${line}`);
  say(target.meaning);
  if (launch !== undefined) say("These links hold paths of this machine; they are good on it alone.");
  if (signsIn) say("The links hold no token and need none: clients get their own by OAuth when their user signs in.");
  if (hasToken && launch === undefined) say("The links hold no token, so they can be sent to others.");
  const clients = client === undefined ? (Object.keys(TOKEN_NOTES) as LinkClient[]) : [client];
  for (const name of clients) {
    const { title, token } = TOKEN_NOTES[name];
    if (client === undefined) out(`\n--- ${title}\n`);
    printLink(links, name, out);
    if (hasToken && launch === undefined) say(token);
  }
}

function printLink(links: InstallLinks, name: LinkClient, out: (line: string) => void): void {
  const { link, web } = links[name];
  out(link);
  if (web !== undefined) out(web);
}

function isLinkClient(name: string): name is LinkClient {
  return Object.hasOwn(TOKEN_NOTES, name);
}

/** Checks that the service has an issuer of tokens, where clients get theirs. */
async function hasIssuer(service: ServiceAccess): Promise<boolean> {
  return (await findAnswer(service, "/.well-known/oauth-protected-resource")) !== undefined;
}
