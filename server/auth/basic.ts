/** The header by which a client authenticates to an authorization server: RFC 6749 §2.3.1, both parts form-encoded before they are joined. */
export function toBasic(clientId: string, secret: string): string {
  const credentials = [clientId, secret].map(encodeForm).join(":");
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

function encodeForm(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
