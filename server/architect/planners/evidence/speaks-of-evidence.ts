/** Whether a text is about how well arms did, so that what it asks for has to be supported by that. */
export function speaksOfEvidence(text: string): boolean {
  return /\b(?:rewards?|winner|won|is better|was better|best arm|winning arm|tuning found|did better|does better|performed better|performs better|evidence)\b/i.test(
    text,
  );
}
