/** Finds the notes of the release that a tag names. @throws {Error} with what does not fit. */
export function findNotes(tag: string, packageVersion: string, changelog: string): string;
