/** Words that are in every other sentence and so tell nothing about what is wanted. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those some any all both each such own same other
   i me my we us our you your he him his she her it its they them their one ones
   am is are was were be been being do does did done has have had having
   can could will would shall should may might must
   and or but if so then than as because while of at by for with without about into onto to from in on off up
   out over under again further here there when where why how what which who whom whose
   please tell show give get want need like know let help thanks thank just only very too also really
   ok okay hey hi hello now right not no nor yes got gonna dont doesnt didnt cant wont isnt im
   whats hows wheres whos thats theres lets much many more most few bit going look see think say use using via per eg ie etc`.split(
    /\s+/,
  ),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
