/** A tenant's name as that of a folder and as a part of addresses, which must not lead elsewhere (`..`). */
export function toFolderName(tenant: string): string {
  return encodeURIComponent(tenant).replace(/^\./, "%2E");
}

export function readFolderName(name: string): string | undefined {
  try {
    const tenant = decodeURIComponent(name);
    return toFolderName(tenant) === name ? tenant : undefined;
  } catch {
    // Whatever it is, it is no log.
    return undefined;
  }
}
