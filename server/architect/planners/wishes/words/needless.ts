/** Says of something that nobody needs it. */
export const NEEDLESS =
  /\b(?:superfluous|redundant|surplus|dispensable|überflüssig\w*|entbehrlich\w*|superflu\w*|sobran?)\b|多余/iu;
