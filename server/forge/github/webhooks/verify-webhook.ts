import type { WebhookConfig } from "../config.ts";
import { loadReferencedSecret } from "../../../config/secret-reference.ts";
import { CairnError } from "../../../errors.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Says whether GitHub sent `body`, which has to be the bytes as they came: `signature` is the header `X-Hub-Signature-256`, an
 * HMAC-SHA256 of them under the secret that the webhook was made with. Takes as long for a wrong one as for a right one,
 * so that nobody can find it digit by digit.
 */
export function verifyWebhook(secret: string, body: Uint8Array, signature: string | undefined): boolean {
  // Anybody can sign with nothing.
  if (secret === "" || !isSignature(signature)) return false;
  const expected = createHmac("sha256", secret).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature.slice("sha256=".length), "hex"));
}

/** Says whether `text` has the form of the header. */
export function isSignature(text: string | undefined): text is string {
  return text !== undefined && /^sha256=[0-9a-f]{64}$/.test(text);
}

/** Least length: somebody who has overheard one delivery can try as many secrets against it as they like. */
const MIN_SECRET = 16;

export async function loadWebhookSecret({ secret }: WebhookConfig): Promise<string> {
  const loaded = await loadReferencedSecret("CAIRN_GITHUB_WEBHOOK_SECRET", secret);
  if (loaded.length >= MIN_SECRET) return loaded;
  const message = `The secret that CAIRN_GITHUB_WEBHOOK_SECRET names needs at least ${MIN_SECRET} characters.`;
  throw new CairnError("BAD_REQUEST", message);
}
