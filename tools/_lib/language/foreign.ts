import { CHINESE_TIMES, FRENCH_TIMES, GERMAN_TIMES, SPANISH_TIMES, type Turn } from "./foreign-times.ts";

/**
 * Words of other languages that requests are made of, and what they are in English: `phrase = english`, or `phrase` alone for words
 * that English does not need. Names, and all else that is not listed, stay as they are.
 */
const GERMAN = `
guten morgen = good morning; guten tag = hello; guten abend = good evening; hallo = hello; servus = hello; moin = hello; grüß gott = hello; grüezi = hello
vielen dank = thanks; danke schön = thanks; danke = thanks; besten dank = thanks; auf wiedersehen = bye; tschüss = bye; tschüß = bye; gute nacht = good night
was kannst du = what can you do; was können sie = what can you do; wer bist du = who are you; hilfe = help; bitte; alles
vergiss es = forget it; abbrechen = cancel; schon gut = never mind; ja = yes; nein = no
wetter = weather; wettervorhersage = weather forecast; vorhersage = forecast; temperatur = temperature; temperaturen = temperature; grad = degrees
regnet = rain; regnen = rain; regen = rain; schneit = snow; schneien = snow; schnee = snow; wind = wind; windig = windy; stürmt = storm; sturm = storm; gewitter = thunder; nebel = fog; neblig = foggy
warm = warm; heiß = hot; heiss = hot; kalt = cold; kühl = cool; sonnig = sunny; sonne = sunshine; bewölkt = cloudy; wolken = clouds; trocken = dry; nass = wet; schwül = humid; glatt = icy; eis = ice
schirm = umbrella; regenschirm = umbrella; jacke = jacket; mantel = coat; handschuhe = gloves; mütze = hat; sonnenbrille = sunglasses; draußen = outside; draussen = outside
heute abend = this evening; heute nacht = tonight; heute früh = this morning; heute morgen = this morning; heute = today; morgen früh = tomorrow morning; morgen abend = tomorrow evening; morgen nachmittag = tomorrow afternoon; übermorgen = day after tomorrow; vorgestern = day before yesterday; gestern = yesterday; morgen = tomorrow
gerade = now; jetzt = now; momentan = now; im moment = now; derzeit = now; gegen abend = in the evening; am abend = in the evening; abends = in the evening; abend = evening; am morgen = in the morning; morgens = in the morning; vormittag = morning; am nachmittag = in the afternoon; nachmittag = afternoon; mittags = noon; mittag = noon; mitternacht = midnight; nachts = at night; in der nacht = at night; nacht = night
diese woche = this week; nächste woche = next week; dieses wochenende = this weekend; am wochenende = this weekend; nächstes wochenende = next weekend; wochenende = weekend; nächsten = next; nächster = next; kommenden = coming; letzten = last; diesen = this
montag = monday; dienstag = tuesday; mittwoch = wednesday; donnerstag = thursday; freitag = friday; samstag = saturday; sonnabend = saturday; sonntag = sunday
januar = january; februar = february; märz = march; april = april; mai = may; juni = june; juli = july; august = august; oktober = october; dezember = december
heiligabend = christmas eve; heiligen abend = christmas eve; weihnachten = christmas; silvester = new year's eve; neujahr = new year's day; ostern = easter; pfingsten = pentecost; christi himmelfahrt = ascension day; himmelfahrt = ascension day; fronleichnam = corpus christi; aschermittwoch = ash wednesday; muttertag = mother's day; vatertag = father's day; ferien = holidays; sommerferien = summer holidays; urlaub = holidays; karneval = carnival; sommer = summer; winter = winter; frühling = spring; herbst = autumn
in fahrenheit = in fahrenheit; in celsius = in celsius; halb = half to; viertel nach = quarter past; viertel vor = quarter to; um = at; uhr = o'clock; am = on; auf = in; bei = in; für = for; an = on; während = during; vor = before; bis = until; zwischen = between; ab = from; seit = since; jeden tag = every day; jeden = every; jede = every; nach = in; wie viel; wie viele
wie; wird; werden; ist; sind; war = was; es; das; der; die; den; dem; des; ein; eine; einen; einer; ich; wir; du; man; mir; mich; uns; denn; mal; denn; noch; so; brauche; brauchen; muss; müssen; soll; sollte; kann; kannst; könnte; gibt; gibts; zu; und = and; oder = or; von; im = in; sag; sagen; zeig; zeige; welches; welche; was; nicht = not; kriegen; bekommen; haben; hat; ob; dort; da; wohl; etwa; mit = with; ohne = without; vom = of; zum = for
`;
const SPANISH = `
buenos días = good morning; buenos dias = good morning; buen día = hello; buenas tardes = good afternoon; buenas noches = good evening; buenas = hello; hola = hello; qué tal = hello
muchas gracias = thanks; mil gracias = thanks; gracias = thanks; adiós = bye; adios = bye; hasta luego = bye; chao = bye; ayuda = help; qué puedes hacer = what can you do; que puedes hacer = what can you do; qué sabes hacer = what can you do; quién eres = who are you; por favor; cancelar = cancel; olvídalo = forget it; sí = yes
pronóstico del tiempo = weather forecast; qué tiempo = weather; el tiempo = the weather; tiempo = weather; clima = weather; pronóstico = forecast; temperatura = temperature; temperaturas = temperature; grados = degrees
llueve = rain; lloviendo = rain; lloverá = rain; llover = rain; lluvia = rain; nieva = snow; nevando = snow; nevará = snow; nevar = snow; nieve = snow; viento = wind; tormenta = storm; niebla = fog; calor = hot; frío = cold; frio = cold; caliente = hot; soleado = sunny; sol = sunshine; nublado = cloudy; nubes = clouds; seco = dry; húmedo = humid; hielo = ice
paraguas = umbrella; chaqueta = jacket; abrigo = coat; guantes = gloves; fuera = outside
pasado mañana = day after tomorrow; mañana por la mañana = tomorrow morning; mañana por la tarde = tomorrow afternoon; mañana por la noche = tomorrow night; esta mañana = this morning; esta tarde = this afternoon; esta noche = tonight; anoche = last night; anteayer = day before yesterday; hoy = today; ayer = yesterday; mañana = tomorrow; ahora mismo = now; ahora = now; en este momento = now
por la mañana = in the morning; por la tarde = in the afternoon; por la noche = at night; a mediodía = at noon; al mediodía = at noon; mediodía = noon; medianoche = midnight; de la mañana = am; de la tarde = pm; de la noche = pm
este fin de semana = this weekend; el próximo fin de semana = next weekend; próximo fin de semana = next weekend; fin de semana = weekend; la próxima semana = next week; la semana que viene = next week; próximo = next; próxima = next; que viene = next; pasado = last; este = this
lunes = monday; martes = tuesday; miércoles = wednesday; miercoles = wednesday; jueves = thursday; viernes = friday; sábado = saturday; sabado = saturday; domingo = sunday
enero = january; febrero = february; marzo = march; abril = april; mayo = may; junio = june; julio = july; agosto = august; septiembre = september; octubre = october; noviembre = november; diciembre = december
nochebuena = christmas eve; navidad = christmas; nochevieja = new year's eve; año nuevo = new year's day; semana santa = holy week; pascua = easter; pentecostés = pentecost; día de la madre = mother's day; día del padre = father's day; vacaciones = holidays; verano = summer; invierno = winter; primavera = spring; otoño = autumn
en = in; para = for; durante = during; antes de = before; después de = after; hasta = until; entre = between; desde = from; cada día = every day; cada = every; todos los días = every day; de = of; del = of; a las = at; a la = at; el; la; los; las; un; una; y = and; o = or; qué; que; cómo; como; cuál; cuánto; cuántos; cuanto; cuantos; hace; hará; hara; hacer; va; vas; a; está = ; estará; es; será; son; hay; habrá; necesito; necesitaré; necesitamos; puedo; puedes; me; te; se; nos; lo; dime; dame; mi; al = in; mucho; mucha; muy; con = with; sin = without; no = not
`;
const FRENCH = `
bonjour = hello; bonsoir = good evening; salut = hello; coucou = hello; merci beaucoup = thanks; merci = thanks; bonne journée; bonne soirée; bonne nuit = good night; au revoir = bye; à bientôt = bye; aide = help; aidez-moi = help; que peux-tu faire = what can you do; que sais-tu faire = what can you do; que pouvez-vous faire = what can you do; qu'est-ce que tu peux faire = what can you do; qu'est-ce que tu sais faire = what can you do; qui es-tu = who are you; s'il te plaît; s'il vous plaît; svp; laisse tomber = forget it; annuler = cancel; annule = cancel; oui = yes; non = no
quel temps fait-il = weather; quel temps fera-t-il = weather; quel temps il fait = weather; quel temps = weather; le temps = the weather; temps = weather; météo = weather; meteo = weather; prévisions = forecast; prévision = forecast; température = temperature; températures = temperature; degrés = degrees; fait-il = is it; fera-t-il = will it be; va-t-il = will it; pleut-il = rain; neige-t-il = snow
il pleut = rain; il pleuvra = rain; qu'il pleuvra = rain; pleut = rain; pleuvra = rain; pleuvoir = rain; pluie = rain; neige = snow; neigera = snow; neiger = snow; vent = wind; venteux = windy; orage = thunder; orages = thunder; tempête = storm; brouillard = fog; chaud = hot; froid = cold; frais = cool; ensoleillé = sunny; soleil = sunshine; nuageux = cloudy; nuages = clouds; sec = dry; humide = humid; verglas = ice; gèle = freezing; gelera = freezing
parapluie = umbrella; veste = jacket; manteau = coat; gants = gloves; dehors = outside
après-demain = day after tomorrow; demain matin = tomorrow morning; demain après-midi = tomorrow afternoon; demain soir = tomorrow evening; demain = tomorrow; avant-hier = day before yesterday; hier soir = last night; hier = yesterday; aujourd'hui = today; aujourd’hui = today; ce matin = this morning; cet après-midi = this afternoon; ce soir = this evening; cette nuit = tonight; maintenant = now; en ce moment = now; actuellement = now
le soir de noël = christmas eve evening; la veille de noël = christmas eve; réveillon de noël = christmas eve; noël = christmas; saint-sylvestre = new year's eve; nouvel an = new year's day; jour de l'an = new year's day; pâques = easter; toussaint = 1 november; pentecôte = pentecost; l'ascension = ascension day; fête des mères = mother's day; fête des pères = father's day; vacances = holidays; le 14 juillet = 14 july; été = summer; hiver = winter; printemps = spring; automne = autumn
le matin = in the morning; au matin = in the morning; matin = morning; l'après-midi = in the afternoon; dans l'après-midi = in the afternoon; après-midi = afternoon; le soir = in the evening; au soir = in the evening; soir = evening; la nuit = at night; dans la nuit = at night; nuit = night; à midi = at noon; midi = noon; minuit = midnight; heures = o'clock; heure = o'clock
ce week-end = this weekend; ce weekend = this weekend; le week-end prochain = next weekend; week-end prochain = next weekend; week-end = weekend; la semaine prochaine = next week; semaine prochaine = next week
lundi = monday; mardi = tuesday; mercredi = wednesday; jeudi = thursday; vendredi = friday; samedi = saturday; dimanche = sunday; prochain = next; prochaine = next; dernier = last
janvier = january; février = february; mars = march; avril = april; mai = may; juin = june; juillet = july; août = august; septembre = september; octobre = october; novembre = november; décembre = december
à = in; au = in; aux = in; en = in; dans = in; sur = in; pour = for; vers = at; chez = in; pendant = during; durant = during; avant = before; après = after; jusqu'à = until; entre = between; depuis = since; chaque jour = every day; chaque = every; tous les jours = every day; de = of; du = of; d' = of; est-ce qu'il va = will it; est-ce qu'il; est-ce que; est-ce qu'; qu'est-ce que; quel; quelle; quels; quelles; combien; comment; le; la; les; l'; un; une; des; je; j'; tu; on; nous; vous; il; elle; fait; fera; faire; va; vont; est; sera; sont; y a-t-il; y aura-t-il; y; ai; as; a; avoir; aurai; besoin; faut; faut-il; falloir; prendre; prends; dois; dois-je; dis-moi; donne-moi; et = and; ou = or; avec = with; sans = without; pas = not; ne; n'; se; ça; cela; qu'; que; beaucoup; très; encore; mon; ma
`;
const CHINESE = `
你好 = hello; 嗨 = hello; 您好 = hello; 早上好 = good morning; 晚上好 = good evening; 谢谢 = thanks; 多谢 = thanks; 再见 = bye; 帮助 = help; 你能做什么 = what can you do; 你会什么 = what can you do; 你会做什么 = what can you do; 你可以做什么 = what can you do; 你是谁 = who are you; 取消 = cancel; 算了 = never mind
天气预报 = weather forecast; 天气 = weather; 预报 = forecast; 气温 = temperature; 温度 = temperature; 多少度 = temperature; 几度 = temperature; 下雨 = rain; 雨 = rain; 下雪 = snow; 雪 = snow; 刮风 = wind; 风 = wind; 台风 = storm; 暴雨 = rain storm; 雾 = fog; 热 = hot; 冷 = cold; 凉 = cool; 暖和 = warm; 晴 = sunny; 多云 = cloudy; 阴 = cloudy; 潮湿 = humid; 带伞 = umbrella; 雨伞 = umbrella; 伞 = umbrella; 外套 = jacket; 外面 = outside
明天早上 = tomorrow morning; 明天上午 = tomorrow morning; 明天下午 = tomorrow afternoon; 明天晚上 = tomorrow evening; 明早 = tomorrow morning; 明晚 = tomorrow evening; 今天早上 = this morning; 今天下午 = this afternoon; 今天晚上 = this evening; 今晚 = this evening; 昨晚 = last night; 大后天 = in 3 days; 后天 = day after tomorrow; 明天 = tomorrow; 今天 = today; 昨天 = yesterday; 前天 = day before yesterday; 现在 = now; 目前 = now; 此刻 = now
早上 = in the morning; 上午 = in the morning; 中午 = at noon; 下午 = in the afternoon; 晚上 = in the evening; 半夜 = midnight; 午夜 = midnight; 夜里 = at night
这个周末 = this weekend; 本周末 = this weekend; 这周末 = this weekend; 下个周末 = next weekend; 下周末 = next weekend; 周末 = weekend; 下周一 = next monday; 下周二 = next tuesday; 下周三 = next wednesday; 下周四 = next thursday; 下周五 = next friday; 下周六 = next saturday; 下周日 = next sunday; 下周天 = next sunday; 这周 = this week; 下周 = next week
星期一 = monday; 星期二 = tuesday; 星期三 = wednesday; 星期四 = thursday; 星期五 = friday; 星期六 = saturday; 星期日 = sunday; 星期天 = sunday; 周一 = monday; 周二 = tuesday; 周三 = wednesday; 周四 = thursday; 周五 = friday; 周六 = saturday; 周日 = sunday; 周天 = sunday
平安夜 = christmas eve; 圣诞节 = christmas; 圣诞 = christmas; 除夕 = chinese new year's eve; 春节 = chinese new year; 元旦 = new year's day; 中秋节 = on mid-autumn festival; 端午节 = on dragon boat festival; 清明节 = on qingming festival; 元宵节 = on lantern festival; 重阳节 = on double ninth festival; 七夕 = on qixi festival; 劳动节 = 1 may; 母亲节 = on mother's day; 父亲节 = on father's day; 国庆节 = 1 october; 夏天 = summer; 冬天 = winter; 春天 = spring; 秋天 = autumn
华氏度 = fahrenheit; 华氏 = fahrenheit; 摄氏度 = celsius; 摄氏 = celsius
怎么样; 怎样; 如何; 是什么样; 什么; 请问; 请; 告诉我; 告诉; 帮我; 查一下; 查查; 看看; 我想知道; 想知道; 会不会; 要不要; 有没有; 是不是; 需要; 需不需要; 多少; 吗; 呢; 吧; 啊; 的; 会; 要; 在; 是; 有; 我; 你; 度; 那边; 那里; 这里; 去; 带; 用; 显示; 好
`;

interface Language {
  readonly name: string;
  readonly pattern: RegExp;
  readonly english: ReadonlyMap<string, string>;
  /** Ways to say times that no list of words holds. */
  readonly times: readonly Turn[];
}

const LATIN = [
  toLanguage("German", GERMAN, GERMAN_TIMES),
  toLanguage("Spanish", SPANISH, SPANISH_TIMES),
  toLanguage("French", FRENCH, FRENCH_TIMES),
] as const;
const HAN = toLanguage("Chinese", CHINESE, CHINESE_TIMES);
/** Words that say that a message is English, whatever other words it has. */
const ENGLISH =
  /(?<!\p{L})(?:the|is|are|was|what|what['’]s|how|how['’]s|will|would|do|does|did|my|your|you|please|it|it['’]s|this|that|for|with|and|of|weather|tomorrow|today|i|we|add|show|tell|give|find|search|create|delete|list|get)(?!\p{L})/giu;
/** Words that say nothing about the language: English has them, too. */
const SHARED = new Set(
  "no a an me son on as in so am ab hat war die mal sin con pour hay sol mars mon ma te mi lo al wind august april".split(
    " ",
  ),
);
/** Words in quotes are somebody's text, and stay. */
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|„[^“”]*[“”]/gu;

/** A request in German, Spanish, French or Chinese, with the words that requests are made of in English; any other as it is. */
export function toEnglish(message: string): string {
  const kept: string[] = [];
  const bare = message.replaceAll(QUOTED, (quoted) => `\uE000${kept.push(quoted) - 1}\uE000`);
  const language = findLanguage(bare);
  if (language === undefined) return message;
  const turned = turnTimes(bare.normalize("NFC"), language);
  const translated = turned.replaceAll(language.pattern, (found) => {
    const english = language.english.get(toKey(found));
    return english === undefined ? found : ` ${english} `;
  });
  return translated
    .replaceAll(/\uE000(\d+)\uE000/g, (_, at: string) => kept[Number(at)] ?? "")
    .replaceAll(/[¿¡]/g, "")
    .replaceAll("？", "?")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/ (?=[,.?!;:])/g, "")
    .trim();
}

/** The language that a message is in, where it is not English: by how many of its words each knows. */
function findLanguage(text: string): Language | undefined {
  if (/\p{Script=Han}/u.test(text)) return HAN;
  const words = text.match(/[\p{L}\p{M}]+/gu)?.length ?? 0;
  const english = text.match(ENGLISH)?.length ?? 0;
  const counted = LATIN.map((language) => ({ language, count: countWords(text, language) }));
  const [best] = counted.toSorted((one, other) => other.count - one.count);
  return best !== undefined && best.count > english && best.count * 3 >= words ? best.language : undefined;
}

/** A text with the times that a language says in its own way in English. */
function turnTimes(text: string, { times }: Language): string {
  return times.reduce((turned, { pattern, english }) => {
    return turned.replaceAll(pattern, (...found) => {
      const groups: Readonly<Record<string, string | undefined>> = found.at(-1);
      return english(groups);
    });
  }, text);
}

/** Words of a text that a language knows, but for those that are spelt the same in English. */
function countWords(text: string, { pattern, english, times }: Language): number {
  const timed = times
    .flatMap((time) => text.match(time.pattern) ?? [])
    .map((found) => (found.match(/[\p{L}\p{M}]+/gu) ?? [""]).filter((word) => !SHARED.has(toKey(word))).length);
  const rest = times.reduce((left, time) => left.replaceAll(time.pattern, " "), text.normalize("NFC"));
  return Array.from(rest.matchAll(pattern), ([found]) => {
    const key = toKey(found);
    return english.get(key) === key || SHARED.has(key) ? 0 : (found.match(/[\p{L}\p{M}]+/gu)?.length ?? 1);
  }).reduce(
    (sum, count) => sum + count,
    timed.reduce((sum, count) => sum + count, 0),
  );
}

function toLanguage(name: string, words: string, times: readonly Turn[]): Language {
  const pairs = words.split(/[;\n]/).flatMap((line): readonly (readonly [string, string])[] => {
    const [foreign = "", meaning = ""] = line.split("=").map((part) => part.trim());
    return foreign === "" ? [] : [[toKey(foreign), meaning]];
  });
  const phrases = pairs.map(([foreign]) => foreign).toSorted((one, other) => other.length - one.length);
  const any = phrases.map((phrase) => RegExp.escape(phrase).replaceAll("\\x20", String.raw`\s+`)).join("|");
  const pattern =
    name === "Chinese" ? any : String.raw`(?<![\p{L}\p{M}\p{N}_])(?:${any})(?:(?<=['’])|(?![\p{L}\p{M}\p{N}_]))`;
  return { name, pattern: new RegExp(pattern, "giu"), english: new Map(pairs), times };
}

function toKey(text: string): string {
  return text.toLowerCase().replaceAll("’", "'").replaceAll(/\s+/g, " ");
}
