/** Address of one MCP server for a client. */
export interface RemoteServer {
  readonly url: string;
  /** Says whether the service wants a token that the client cannot get by itself. */
  readonly hasToken: boolean;
}

/** Question that VS Code asks once, to keep the answer in the secret storage of the machine. */
export const TOKEN_INPUT = {
  type: "promptString",
  id: "cairn-token",
  description: "Token for Cairn",
  password: true,
} as const;

/**
 * Entries of a server over HTTP in clients' own files and in install links, each as the client's documentation has it. A token is only
 * named in the client's way: files are committed, and links are sent to colleagues.
 */
export const REMOTE_ENTRIES = {
  cursor: ({ url, hasToken }: RemoteServer) => ({ url, ...toHeaders(hasToken, "${env:CAIRN_TOKEN}") }),
  vscode: ({ url, hasToken }: RemoteServer) => ({
    type: "http",
    url,
    ...toHeaders(hasToken, `\${input:${TOKEN_INPUT.id}}`),
  }),
  kiro: ({ url, hasToken }: RemoteServer) => ({ url, ...toHeaders(hasToken, "${CAIRN_TOKEN}") }),
  /** Has no way to name a secret. */
  lmstudio: ({ url }: RemoteServer) => ({ url }),
} as const;

/** The header with a token that `reference` stands for; none without one. */
export function toHeaders(hasToken: boolean, reference: string) {
  return hasToken ? { headers: { Authorization: `Bearer ${reference}` } } : {};
}
