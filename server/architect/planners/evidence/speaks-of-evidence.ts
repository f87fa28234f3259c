/** Checks that a text is about the results of arms, so that evidence has to support its request. */
export function speaksOfEvidence(text: string): boolean {
  return /\b(?:rewards?|winner|won|is better|was better|best arm|winning arm|tuning found|did better|does better|performed better|performs better|evidence)\b/i.test(
    text,
  );
}
