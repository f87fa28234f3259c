/** Patterns of how German, Spanish, French and Chinese say that a block is to be applied, of clauses in lower case. */

const DE_VERB =
  "übernehmen|anwenden|einspielen|einbauen|einpflegen|einsetzen|eintragen|umsetzen|ausrollen|mergen|aktualisieren|ersetzen|so ändern|so anpassen|so einstellen";
const DE_THING = "das|dies|dieses?|diesen?|den|die|es|alles|folgendes|folgende[nrs]?|so|genau so|wie folgt";
const ES_VERB =
  "aplica(?:r|d|dlo|lo)?|aplique(?:n|lo|nlo)?|aplícalo|aplíquelo|adopta(?:r|d)?|incorpora(?:r|d|lo)?|integra(?:r|d)?|fusiona(?:r|d)?|pon(?:er|ed|lo|edlo)?|usa(?:r|d)?|toma(?:r|d)?|reemplaza(?:r|d)?|cambia(?:r|d)?";
const FR_VERB =
  "appliqu(?:er|ez|e)|repren(?:dre|ez|ds)|intégr(?:er|ez|e)|fusionn(?:er|ez|e)|adopt(?:er|ez|e)|mettre|mettez|mets|prendre|prenez|remplac(?:er|ez|e)|utilis(?:er|ez|e)|déploy(?:er|ez)";

/** Says that what stands beside it is to be applied, or how something is to be. */
export const FOREIGN_ORDERS: readonly RegExp[] = [
  /^so (?:soll(?:te|ten|en)?|muss|müsste|möchte|hätte|will|wollen|wünsche)(?: ich| wir)? .{0,100}(?:aussehen|lauten|sein|werden|haben|stehen|gern|gerne)$/,
  /^.{1,100} (?:soll(?:te|en|ten)?|muss|müssen) (?:\S+ ){0,4}(?:so|wie folgt|folgendermaßen|genau so|wie hier|wie unten)(?: \S+){0,3} (?:aussehen|lauten|sein|werden|stehen)$/,
  new RegExp(
    `^(?:bitte |(?:bitte )?(?:${DE_THING})(?: [^,;:]{1,60})?? (?:bitte )?|(?:in|bei|für|nach) \\S+ (?:bitte )?)+(?:\\S+ ){0,6}?(?:${DE_VERB})$`,
  ),
  /^(?:bitte )?(?:übernimm|übernehmt|übernehmen sie|nimm|nehmt|nehmen sie|ändere|ändern sie)(?: bitte)? (?:das|dies|folgendes|den|die|diese\S*|alles)(?: [^,;:]{1,60})?$/,
  /^así (?:debería|debe|tiene que|ha de|quiero que|queremos que|quisiera que|me gustaría que|tendría que) .{1,100}$/,
  /^(?:.{1,100} )?(?:debería|debe|deben|tiene que|tendría que) (?:quedar|ser|verse|estar|decir) (?:así|como sigue|como abajo|de esta manera)$/,
  new RegExp(
    `^(?:por favor |favor de )?(?:${ES_VERB})(?: (?:esto|este|esta|estos|estas|lo siguiente|el|la|los|las)(?: [^,;:]{1,60})?)?$`,
  ),
  /^(?:para|a) (?:aplicar|incorporar|fusionar)(?: .{1,40})?$/,
  /^voil[àa] (?:à quoi|comment|ce que|ce à quoi) .{1,80} (?:doit|devrait|devra|doivent|je veux|je voudrais|nous voulons|j'aimerais)(?: .{1,60})?$/,
  /^.{1,100} (?:doit|devrait|devra|doivent) (?:ressembler à (?:ceci|cela|ça)|être (?:ainsi|comme (?:suit|ça|ceci|ci-dessous)))$/,
  /^(?:c'est )?à (?:reprendre|appliquer|intégrer|fusionner|mettre en place|mettre en ligne)(?: .{1,40})?$/,
  new RegExp(
    `^(?:(?:merci de|veuillez|prière de|s'il (?:vous|te) plaît|svp|pourriez-vous|peux-tu) |merci d')?(?:${FR_VERB})(?: (?:ceci|cela|ça|ce|cette|ces|le|la|les|tel)(?: [^,;:]{1,60})?)?$`,
  ),
  /^(?:请|麻烦)?(?:你|您)?(?:把|将)?.{0,60}(?:改成|改为|换成|设为|设成|设置为|更新为|更新成|替换为|调整为|变成)(?:下面|如下|以下|这样|这个).{0,12}$/,
  /^(?:请|麻烦)?(?:你|您)?(?:直接)?(?:应用|采用|合并|使用|套用|执行|按照?)(?:一下)?(?:下面|以下|这个|这些|此|上面|上述).{0,16}$/,
  /^.{1,60}(?:应该|应当|要|需要)(?:是|变成|改成|长)?(?:这样|如下|下面).{0,10}$/,
];

/** Puts forward what stands beside it. */
export const FOREIGN_OFFERS: readonly RegExp[] = [
  /^(?:(?:hier|anbei|unten) (?:ist|kommt|steht|sind|folgt) |das (?:ist|wäre) )?(?:die|der|das|unsere?|meine?) (?:neuen?|gewünschten?|endgültigen?|korrigierten?|aktualisierten?|überarbeiteten?) \S+(?: .{1,60})?$/,
  /^(?:aquí (?:está|están|va|van|tienes?|tienen)|esta es|estos son) (?:la|el|los|las|mi|nuestra) .{0,20}(?:nuev[ao]s?|corregid[ao]s?|actualizad[ao]s?|definitiv[ao]s?)(?: .{1,60})?$/,
  /^(?:voil[àa]|voici|c'est) (?:la|le|les|ma|notre|nos) (?:nouvelle?s?|nouveaux?|bonne|version)(?: .{1,60})?$/,
  /^(?:这是|以下是|下面是|这里是)(?:.{0,20}的)?(?:新的?|最新的?|修改后的?|更新后的?).{1,20}$/,
];

/** Words of these languages that take an order back, put it off, or make it somebody else's. */
export const FOREIGN_DOUBT =
  /(?<!\p{L})(?:nicht|keine?[mnrs]?|nie|niemals|ohne|wenn|falls|sofern|sobald|erst|nachdem|ob|warum|vielleicht|todavía|aún|nunca|si|cuando|sin|no|pas|jamais|sauf|quand|lorsque|peut-être|dice[n]?|dijo|quiere|sagt|sagte|schreibt|schrieb|meint|möchte der|will der|dit|écrit|veut|demande)(?!\p{L})|[?？]|不|别|勿|没|如果|要是|吗|说|是否/u;

export const FOREIGN_POLITENESS =
  /^(?:hallo|bitte|danke|vielen dank|hola|buenas|por favor|gracias|muchas gracias|bonjour|salut|merci|merci d'avance|s'il (?:vous|te) plaît|svp|你好|谢谢|请)$/;
