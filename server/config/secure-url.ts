const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Says whether `host` is this machine and nobody else's. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Says whether `text` is an https URL, or an http one that does not leave this machine: elsewhere others could read and answer. */
export function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}
