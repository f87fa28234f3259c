import { foldName } from "./fold-name.ts";

const URL = String.raw`(?:https?|ftp|file):\/\/\S|www\.\w`;
const SCRIPT = String.raw`[\w./~\\-]{0,60}\.(?:sh|bash|zsh|ps1|bat|cmd|exe|msi|py|rb|pl|jar|apk|dmg|deb|rpm|pkg)(?![\w.])`;
const PATH = String.raw`(?:~|\.{1,2})?\/[\w.-]{1,60}\/[\w./-]|[a-z]:\\\w`;
/** Programs that run, fetch or install what follows, and texts in code marks that have more than one word. */
const COMMAND = String.raw`(?:curl|wget|sudo|npx|uvx|pipx?|npm (?:i|install|exec)|pip3? install|brew install|apt(?:-get)? install|powershell|bash|sh -c|rm -\w|chmod|docker run|git clone|python3?|node) \S|\x60[^\x60\n]{0,100}[\s/|;&][^\x60\n]{0,100}\x60`;
const QUOTE = String.raw`["'“‘«<(（「]?`;
/** Name of something that can be opened or run. */
const ANY = `${QUOTE}(?:${URL}|${SCRIPT}|${PATH}|${COMMAND})`;
const REMOTE = `${QUOTE}(?:${URL}|${SCRIPT})`;
const END = String.raw`(?![\p{L}\p{N}_])`;
/** Beginning of a sentence, with what orders may begin with: an order is told by it from a report ("lets you run ..."). */
const START = String.raw`(?:^|[.!?;:,\n—–]\s+|[。！？；：，"'“«(（]\s*)(?:(?:[-*•]|please|kindly|first|then|next|now|always|also|and|finally|just|simply|you (?:should|must|need to|have to)|(?:make|be) sure to|remember to|bitte|zuerst|dann|danach|jetzt|immer|und|por favor|primero|luego|después|ahora|y|s['’]il (?:te|vous) plaît|d['’]abord|ensuite|puis|et)[,:]?\s+){0,3}`;
const SCRIPTED = String.raw`(?:\s+(?!(?:against|on|in|with|via|through|by|using|for|to|over|as)${END})[\p{L}'’-]+){0,4}:?\s*`;
const NAMED = String.raw`(?:\s+(?:the|this|that|following|script|file|page|link|url|address|installer|package|command|contents?|code|at|from)){0,4}:?\s*`;
const NEAR = String.raw`[^.!?\n。！？]{0,40}?\s`;
const GAP = String.raw`[^!?\n！？]{0,80}?`;
const DO_EN = "(?:run|execute|install|paste|launch|evaluate)";
const THEN = String.raw`(?:[,;.:!]|\s(?:and|then|und|dann))\s*(?:please |then |now |bitte |dann ){0,2}`;

/**
 * Sentences that have their reader open, run or install what they name by a URL, a path or a command: a client's model
 * may do so. Imperatives alone: that a tool runs something itself is said in the third person. Spanish and French have one form
 * for both, so that only what is remote counts there, or a pronoun that only orders have.
 */
const ORDERS: readonly RegExp[] = [
  `${START}${DO_EN}${SCRIPTED}${ANY}`,
  `${START}(?:fetch|open|download)${NAMED}${ANY}`,
  `${START}(?:see|read|visit|open|fetch|download|get|check|use|take|copy|follow|look at|go to|grab|run)\\s${GAP}${ANY}${GAP}${THEN}(?:${DO_EN}|open|follow|obey|do)\\s+(?:it|them|this|that|what|whatever|its)${END}`,
  `${ANY}${GAP}[.!;:]\\s+(?:please |then |now )?${DO_EN}\\s+(?:it|them|this|that)${END}`,
  `${START}(?:führe|lade|öffne|hole|starte|installiere|füge|rufe|führen sie|laden sie|öffnen sie|holen sie|starten sie|installieren sie|fügen sie|rufen sie)${NEAR}${ANY}`,
  `${START}(?:siehe|sieh|lies|öffne|lade|hole|besuche|nimm|nutze|verwende|schau)\\s${GAP}${ANY}${GAP}${THEN}(?:führe|starte|installiere|öffne|füge)(?:n sie)?\\s+(?:es|sie|ihn|das|dies)${END}`,
  `${START}(?:ejecute|abra|instale|descargue|pegue|corra|exécutez|ouvrez|téléchargez|installez|collez|lancez|récupérez)${NEAR}${ANY}`,
  `${START}(?:ejecuta|abre|instala|descarga|pega|corre|exécute|ouvre|télécharge|installe|colle|lance)${NEAR}${REMOTE}`,
  `${ANY}${GAP}(?<!\\p{L})(?:ejec[uú]t[ae]|[aá]br[ea]|inst[aá]l[ae]|p[eé]g(?:a|ue)|desc[aá]rg(?:a|ue)|c[oó]rr[ea])l[oa]s?${END}`,
  `${ANY}${GAP}(?<!\\p{L})(?:exécutez?|ouvrez?|installez?|collez?|lancez?)-l(?:e|a|es)${END}`,
  `(?:打开|运行|执行|安装|粘贴)[这个该此以下脚本文件命令链接网址页面程序的：:\\s]{0,8}${REMOTE}`,
  `(?:请|先|然后|再|必须|务必)\\s*(?:打开|运行|执行|安装|下载|访问|粘贴|获取)[这个该此以下脚本文件命令链接网址页面程序的：:\\s]{0,8}${ANY}`,
  `${ANY}${GAP}(?:运行|执行|安装|打开|粘贴)(?:它|该|这个|此|其)`,
].map((pattern) => new RegExp(pattern, "u"));

/** Checks whether a text has its reader open, run or install something that it names. */
export function asksToRun(text: string): boolean {
  const folded = foldName(text);
  return ORDERS.some((pattern) => pattern.test(folded));
}
