/** Words that wishes are made of, as data: verbs, words without weight, words for keys, numbers and units. */

export type Action =
  | "add"
  | "remove"
  | "set"
  | "raise"
  | "lower"
  | "enable"
  | "disable"
  | "require"
  | "relax"
  | "promote"
  | "revert"
  | "start"
  | "stop"
  | "label"
  | "deprecate"
  | "undeprecate"
  | "grant"
  | "revoke"
  | "describe"
  | "replace"
  | "rename"
  | "restrict"
  | "build";

/** Verbs, and words that stand for one, in English, German, Spanish, French and Chinese. Words joined by `_` follow each other. */
export const VERBS: Readonly<Record<Action, string>> = {
  add:
    "add new additional further extra missing lacks lack lacking create accept allow support include take understand handle offer introduce append belongs_in belongs_into belongs_on insert permit extend expand recognise recognize know " +
    "neu neue neues neuen neuer weitere weiteren weiterer fehlt fehlen ergänzt nuevo nueva falta faltan añadid agregad nouveau nouvelle manque manquent ajoutons 缺少 新 " +
    "hinzufügen füge ergänze ergänzen erlaube akzeptiere unterstütze añade añadir agrega agregar acepta aceptar admite permite permitir " +
    "ajoute ajouter ajoutez accepte accepter acceptez autorise autoriser autorisez permettre permettez prendre_en_charge 添加 增加 加入 加上 支持 接受 允许 新增",
  remove:
    "remove delete drop off_the_list come_off take_out strike disappear go_away can_come_off get_rid_of take_out take_away take_off kick_out throw_out stop_accepting stop_supporting stop_offering stop_taking no_longer_accept no_longer_allow no_longer_support no_longer_be_accepted no_longer_be_allowed no_longer_be_supported no_longer_be_offered not_belong_in not_belong_into not_belong_on " +
    "withdraw withdrawn abolish phase_out no_need throw_away chuck zap nuke wipe removal leftover obsolete dead " +
    "disallow forbid eliminate strip cut discard exclude retire kill ditch scrap can_go can_be_removed unused purge not_accept not_allow not_support not_take " +
    "nehmt raus weg wegfallen entfallen rausnehmen gestrichen quitad eliminad retirad sobra enlevons retirons virez 删掉 去掉吧 " +
    "entferne entfernen lösche löschen streiche quita quitar elimina eliminar borra borrar supprime supprimer supprimez retire retirer retirez enlève enlever enlevez 删除 移除 去掉 去除 取消",
  set:
    "set change make adjust tune put use update configure turn switch move define modify edit alter assign become give equal let go_with default_to pick choose keep should must needs want fix correct " +
    "setzt setz stellt ändert macht verwendet haben bekommt bekommen liefern zeigen gelten poned cambiad ajustad mostrad mostrar valer tener ser affichez afficher affiche comptez valoir 显示 返回 " +
    "setze setzen stelle stell ändere ändern mache mach verwende soll sollte auf pon poner cambia cambiar ajusta establece establecer fija usa debe debería " +
    "mets mettre mettez change changer changez définir définis définissez règle régler utilise utiliser utilisez passe passer passez doit devrait fixe fixer fixez 设为 设置为 设置 设成 改为 改成 调整为 调到 调整 把 将 变成 使用 应该是 应为",
  raise:
    "raise increase bump up bump_up raise_to lengthen grow boost lift extend expand enlarge widen too_low too_small too_short too_tight too_little too_strict not_enough " +
    "steigen steigt erhöht verlängert anheben hochsetzen hoch subid aumentad ampliad ampliar amplía relevez relever portez porter augmentons 放宽 上调 延长到 " +
    "erhöhe erhöhen steigere vergrößere verlängere sube subir aumenta aumentar incrementa augmente augmenter augmentez allonge 增加到 提高 提高到 增大 增加 调高 延长",
  lower:
    "lower reduce decrease cut shorten shrink drop down bring_down cut_down tighten cap too_high too_big too_large too_long too_much too_generous too_expensive " +
    "senkt reduziert kürzt runter herunter heruntersetzen bajad reducid acortad limitez raccourcissez 下调 缩短到 降到 " +
    "senke senken verringere reduziere verkürze baja bajar reduce reducir disminuye réduis réduire réduisez baisse baisser baissez diminue diminuer diminuez 降低 减少 减小 降低到 减少到 调低 缩短",
  enable:
    "enable turn_on switch_on activate aktiviere aktivieren einschalten activa activar active activer activez allume 启用 开启 打开",
  disable:
    "disable turn_off switch_off deactivate deaktiviere deaktivieren ausschalten abschalten desactiva desactivar désactive désactiver désactivez 禁用 关闭 关掉",
  require:
    "require mandatory required need_to_be_given obligatory compulsory needs_to_be_given verlange erforderlich pflicht obligatorio obligatoria requerido obligatoire requis 必填 必需 必须",
  relax:
    "relax optional not_required not_mandatory no_longer_required no_longer_mandatory no_longer_require no_longer_requires not_require unrequire optionalen freiwillig opcional optionnel facultatif 可选",
  promote:
    "promote to_everybody to_everyone for_everyone for_everybody aktiv_schalten adopt ship roll_out stick_with settle_on go_with use just_use befördere promueve promouvoir promeus 推广",
  revert:
    "revert undo reset roll_back rollback go_back return take_back restore unpromote switch_back zurücksetzen setze_zurück revertir restaurar rétablir annuler 恢复 撤销 回滚",
  start: "start begin launch run starte beginne inicia démarre 开始",
  stop: "stop end finish halt cease terminate stop_experimenting stop_the_experiment beende stoppe termina detén arrête arrêter 停止 结束",
  label:
    "label known_as known tag point call mark move tagged labelled labeled kennzeichne markiere etiqueta etiquetar étiquette étiqueter marque 标记 打标签 标签",
  deprecate: "deprecate deprecated obsolete legacy veraltet obsoleto obsolète déprécier 弃用 废弃",
  undeprecate: "undeprecate un-deprecate not_deprecated no_longer_deprecated",
  grant:
    "grant give allow permit let may can authorise authorize able access use_access gewähre erlaube darf dürfen concede permite dale dales dele denle denles dadle otorga otorguen concédele accorde autorise donne donnez accordez 授予 授权 允许",
  revoke:
    "revoke withdraw no_business take_away no_longer_use not_use no_longer_be_able deny forbid disallow remove entziehe entziehen quítale quítales quitarle quítenle quítenles quitadle retírale retírenle revoca retire révoque 撤回 收回",
  describe:
    "describe redescribe explain document say write reword rewrite rephrase beschreibe describe décris écris 描述",
  replace: "replace swap substitute change ersetze reemplaza sustituye remplace remplacer remplacez 替换",
  rename: "rename call retitle name nenne benenne umbenennen renombra llama renomme renommer appelle 改名 重命名 命名",
  restrict: "restrict limit only bound confine cap beschränke begrenze limita restringe limite limiter restreins 限制",
  build:
    "implement integrate translate rewrite_in port refactor migrate connect fetch_from scrape cache log stream encrypt",
};

/** Words of politeness, grammar and talk, which weigh nothing. */
export const STOP = words(
  "a an the this that these those it its it's he she they them their there here i we you me us our my your i'm i'd we'd is are was be been being am do does doing done has have had having will would could can shall might may must should " +
    "among amongst besides beside alongside of for in on at to from by with within into onto as than then so and or also too both either per via about over out up if it'd " +
    "please kindly pls thanks thank thx hello hi hey dear team folks everyone all many much very really just simply maybe perhaps possibly probably quite rather actually currently right now today soon again still yet already always basically " +
    "need needs needed want wants wanted like love wish hope think believe guess feel suggest propose recommend ask asking request requesting wondering see look make makes made let lets get gets got go goes come comes able possible mind whether might " +
    "should must ought going gonna say says which who whom what when where how instead well bit little lot lots time's sure ok okay yes namens named called genannt llamado llamada nommé nommée good great nice better best helpful useful fine finds find advance cheers ahead favour favor regards best sincerely " +
    "people users user's customers clients everybody anybody someone somebody folk guys version agent thing things stuff one ones way ways kind sort sake order case point " +
    "new different another other extra additional certain proper correct following given same own whole entire full-blown future default-wise whenever anyway though however because since while " +
    "bitte danke hallo kannst könnt könntest könnten könnte du ihr wir ich mir uns der die das den dem des ein eine einen einem einer und oder auch mal doch noch ist sind sein von vom für im in am an auf zu zum zur bei mit als dass es werden wird soll sollte sollen sollten muss möchte möchten hätte gern gerne jetzt künftig fortan nun statt bis " +
    "por favor gracias hola puedes podrías podría el la los las un una unos unas y o de del en al con para que se es son sea tiene tienen lo le su sus quiero queremos quisiera ahora a como también " +
    "s'il te vous plaît svp merci bonjour peux pouvez pourriez pourrais le la les un une des du de d' l' et ou à au aux en dans pour par sur que qui est sont soit être il elle on nous je j'aimerais voudrais veuillez maintenant désormais dorénavant aussi ce cette ces comme " +
    "请 请把 请将 把 将 的 为 到 成 和 与 在 里 中 上 了 一下 也 您 你 我 我们 谢谢 麻烦 让 给 这个 那个",
);

/** Words that limit a wish, put it off, or leave it open: where nothing explains them, it is never done without asking. */
export const TURNING = words(
  "tomorrow tonight later temporarily weekend weekends staging opposite consider evaluate discuss investigate below above under beneath exceed exceeds or oder either approximately roughly except unless only but without neither nor nur nunca sin sino excepto solo sólo sans sauf seulement außer ohne 除了 只",
);

/** Words that turn a wish round. One that no reading explains keeps a reading from being acted on. */
export const NEGATORS: ReadonlySet<string> = new Set([
  ...TURNING,
  ...words(
    "not no never n't don't dont doesn't doesnt shouldn't shouldnt won't can't cannot nobody nothing none nicht kein keine keinen nie ne pas jamais aucun 不 不要 别 没有 不能 不是",
  ),
]);

/** Words before what there is none of: "no default" is none, and not one that is off. */
export const NONE = /^(?:no|none|without|kein\w*|ohne|sin|sans|aucune?|没有)$/;

/** Words that say when, or that somebody tells what has been: of such a sentence nothing is done. */
export const TELLING = words(
  "yesterday ago tried noticed happened broke crashed failed fails fail error errors bug bugs broken wrong crash crashes stopped locally returned returns returning got gets keeps saw seems seem gestern ayer hier 昨天 错误 失败",
);

/** Words for the kind of a thing, by the kinds that they fit. */
export const NOUNS: Readonly<Record<string, string>> = {
  tool: "tool endpoint method function werkzeug tools herramienta outil 工具",
  parameter:
    "parameter param setting knob tunable parameters settings einstellung parámetro paramètre option value config configuration 参数",
  field: "field property attribute key element column feld campo champ 字段 value option",
  input:
    "input argument arg request accepts taking takes input's eingabe entrada argumento entrée argument 输入 参数 parameter param option",
  output: "output response result answer reply returns return payload's ausgabe salida sortie réponse 输出",
  role: "role roles group rolle rol rôle 角色",
  label: "label tag alias etikett etiqueta étiquette 标签",
  experiment: "experiment test trial a/b tuning experimento expérience 实验",
  arm: "arm variant variants arms option variante brazo bras",
  example: "example sample case examples beispiel ejemplo exemple 示例 例子",
  prompt: "prompt prompts 提示词",
  server: "server group servidor serveur 服务器",
  agent: "agent agent's everything overall global agente",
  host: "host domain site url hosts hostname egress whitelist allowlist outbound network netzwerk dominio hôte domaine",
  command:
    "command commands runs program programs run executed execute exec workspace workspaces sandbox befehl comando commande programme programmes programas ejecuciones exécutions",
  value:
    "value values option options choice choices unit possibility possibilities enum allowed valid list wert werte valor valores valeur valeurs 值 选项",
  permission:
    "permission permissions capability capabilities right rights access privilege privileges recht berechtigung permiso acceso capacidad droit accès capacité habilitation 权限",
};

/** Numbers as they are said, by their words. */
export const NUMERALS: Readonly<Record<string, number>> = {
  ...count(
    0,
    1,
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
  ),
  ...count(20, 10, "twenty thirty forty fifty sixty seventy eighty ninety hundred"),
  thousand: 1000,
  million: 1_000_000,
  dozen: 12,
  grand: 1000,
  half: 0.5,
  quarter: 0.25,
  tenth: 0.1,
  fifth: 0.2,
  ...count(2, 1, "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"),
  ...count(20, 10, "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert"),
  // Eleven is "once", which says something else in English.
  ...count(2, 1, "dos tres cuatro cinco seis siete ocho nueve diez"),
  ...count(12, 1, "doce trece catorce quince"),
  ...count(20, 10, "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien"),
  ...count(2, 1, "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
  ...count(20, 10, "vingt trente quarante cinquante soixante"),
  cent: 100,
  两: 2,
  ...count(2, 1, "二 三 四 五 六 七 八 九 十"),
};

function count(from: number, step: number, said: string): Readonly<Record<string, number>> {
  return Object.fromEntries(said.split(" ").map((word, at) => [word, from + at * step]));
}

export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}
