const STAYS =
  /^(?:stays?|remains?|keep|leave|is fine|is ok(?:ay)?|unchanged|untouched|no changes?|nothing|as is|same(?: as (?:now|before|today))?|bleibt|bleiben|unverändert|passt|queda|se queda|igual|sin cambios|reste|inchangée?|ne change pas|不变|保持不变|不动)(?!\p{L})/iu;
const REST =
  /^(?:[\s.!]|(?:it|they|them|is|are|as|the|same|way|this|that|that way|unchanged|untouched|alone|like|just|so|now|fine|good|for|so|wie|sie|er|es|ist|sind|como|está|están|comme|elle|il|est|pareil|gleich|to do|change|changes|here|please)(?!\p{L}))*$/iu;

/** Tells whether an item of a list says of what it names only that it stays as it is: "3. label beta: stays as it is". */
export function isStay(text: string): boolean {
  const [, said = ""] = /^[\p{L}\p{N}_./` -]{2,60}?\s*(?:[:：]|\s[-–—]+)\s*(.*)$/su.exec(text.trim()) ?? [];
  const found = STAYS.exec(said);
  return found !== null && REST.test(said.slice(found[0].length));
}
