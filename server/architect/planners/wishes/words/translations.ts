import { toStem } from "./words.ts";

/**
 * What names of tools and fields are mostly made of, in English and then in German, Spanish, French and Chinese: manifests are
 * written in English, and wishes in any language. Rows are concepts; words of a language are separated by commas.
 */
const ROWS = `
order|bestellung,bestellungen,auftrag|pedido,pedidos,orden|commande,commandes|订单
product|produkt,produkte,artikel|producto,productos,artículo|produit,produits|产品,商品
search|suche,suchen,produktsuche|búsqueda,buscar|recherche,rechercher|搜索,查找
price|preis,preise|precio,precios|prix|价格
shipping|versand,lieferung|envío,envíos|livraison,expédition|运费,配送,发货
free|kostenlos,gratis,frei|gratis|gratuit,gratuite|免费
quote|angebot|cotización,presupuesto|devis|报价
return|rückgabe,retoure,rücksendung|devolución,devoluciones|retour,retours|退货
request|anfrage|solicitud|demande,requête|请求,申请
payment|zahlung,zahlungsart,bezahlung|pago,pagos|paiement,paiements|付款,支付,付款方式
checkout|kasse|caja|caisse|结账
customer|kunde,kunden|cliente,clientes|client,clients|客户,顾客
ticket|ticket,tickets|ticket,incidencia|ticket,tickets|工单,票
comment|kommentar,kommentare|comentario,comentarios|commentaire,commentaires|评论,备注
reply|antwort,antworten|respuesta,respuestas|réponse,réponses|回复,答复
message|nachricht,nachrichten|mensaje,mensajes|message,messages|消息,留言
note|notiz,notizen,hinweis|nota,notas|note,notes|备注
gift|geschenk|regalo|cadeau|礼物,礼品
language|sprache,sprachen|idioma,idiomas,lengua|langue,langues|语言
translation|übersetzung,übersetzungen,übersetzen|traducción,traducciones|traduction,traductions|翻译
signature|signatur,unterschrift|firma|signature|签名
review|bewertung,bewertungen,rezension|reseña,reseñas|avis|评论,评价
photo|foto,fotos,bild,bilder|foto,fotos|photo,photos|照片,图片
tag|schlagwort,schlagworte|etiqueta,etiquetas|mot-clé|标签
priority|priorität|prioridad|priorité|优先级
channel|kanal,kanäle|canal,canales|canal,canaux|渠道
reason|grund,gründe|motivo,razón|raison,motif|原因,理由
address|adresse,anschrift|dirección|adresse|地址
city|stadt|ciudad|ville|城市
country|land|país|pays|国家
date|datum|fecha|date|日期
tracking|sendungsverfolgung,verfolgung|seguimiento|suivi|跟踪,物流,追踪
cancel|stornieren,stornierung,abbrechen|cancelar,cancelación|annuler,annulation|取消
create|anlegen,erstellen|crear,creación|créer,création|创建,新建
close|schließen|cerrar,cierre|fermer,fermeture|关闭
send|senden,schicken,verschicken|enviar|envoyer|发送
receipt|beleg,quittung|recibo|reçu|收据
survey|umfrage|encuesta|enquête|调查
build|build,bauen|compilación,build|compilation,build|构建
log|protokoll,log,logs|registro,registros,log|journal,journaux,log|日志
line|zeile,zeilen|línea,líneas|ligne,lignes|行
machine|maschine,maschinen,rechner|máquina,máquinas|machine,machines|机器
queue|warteschlange|cola|file d'attente,file|队列
pool|pool|grupo|pool|池
artifact|artefakt,artefakte|artefacto,artefactos|artefact,artefacts|制品,结果
kind|art,typ|tipo,tipos|type,types|类型
size|größe|tamaño|taille|大小
weight|gewicht|peso|poids|重量
result|ergebnis,ergebnisse|resultado,resultados|résultat,résultats|结果
page|seite,seiten|página,páginas|page,pages|页,分页
sort|sortierung,sortieren|orden,ordenar|tri,trier|排序
category|kategorie,kategorien|categoría,categorías|catégorie,catégories|类别,分类
currency|währung|moneda|devise,monnaie|货币
discount|rabatt|descuento|remise,réduction|折扣
insurance|versicherung|seguro|assurance|保险
stock|lager,bestand|existencias|stock|库存
newsletter|newsletter|boletín|infolettre|通讯
user|benutzer,nutzer|usuario,usuarios|utilisateur,utilisateurs|用户
team|team|equipo|équipe|团队
greeting|begrüßung,gruß|saludo,saludos|salutation,accueil|问候
weather|wetter|tiempo,clima|météo|天气
unit|einheit,einheiten|unidad,unidades|unité,unités|单位
location|ort,standort|lugar,ubicación|lieu,emplacement|地点,位置
forecast|vorhersage|pronóstico|prévision,prévisions|预报
threshold|schwelle,schwellwert|umbral|seuil|阈值
round|runde,runden|ronda,rondas|tour,tours|轮
diversity|vielfalt,diversität|diversidad|diversité|多样性
spam|spam|spam|spam,pourriel|垃圾邮件
suggestion|vorschlag,vorschläge|sugerencia,sugerencias|suggestion,suggestions|建议
article|artikel|artículo,artículos|article,articles|文章
description|beschreibung|descripción|description|描述
retry|wiederholung,wiederholungen|reintento,reintentos|nouvelle tentative|重试
day|tag,tage|día,días|jour,jours|天
hour|stunde,stunden|hora,horas|heure,heures|小时
start|starten|iniciar,arrancar|démarrer,lancer|启动
strategy|strategie|estrategia|stratégie|策略
exploration|erkundung|exploración|exploration|探索
internal|intern,interne|interno,interna|interne|内部
public|öffentlich|público,pública|public,publique|公开
visibility|sichtbarkeit|visibilidad|visibilité|可见性
state|zustand,status|estado|état|状态
target|ziel|objetivo,destino|cible|目标
call|aufruf,aufrufe|llamada,llamadas|appel,appels|调用
concurrent|gleichzeitig,gleichzeitige|simultáneas,simultáneos|simultanées,simultanés|并发
postcode|postleitzahl,plz|código,postal|code postal|邮编
reason|begründung,stornogrund|razones,motivos|raisons,motifs|理由
coupon|gutschein,rabattcode|cupón,cupones|bon,coupon|优惠券
basket|warenkorb|cesta,carrito|panier|购物车
item|stück,posten|artículos,piezas|pièces,éléments|件,条
quantity|menge,anzahl|cantidad|quantité|数量
picture|bilder|imagen,imágenes|image,images|图片
stock|vorrätig,ausverkauft|agotado,agotados|épuisé,disponible|缺货,有货
speed|geschwindigkeit,tempo|velocidad|vitesse|速度
insure|versichern,versichert|asegurar|assurer,assuré|保险
carrier|spediteur,versender|transportista|transporteur|承运商
parcel|paket,pakete|paquete,paquetes|colis|包裹
confirmation|bestätigung|confirmación|confirmation|确认
level|stufe,ebene|nivel|niveau|级别
warning|warnung,warnungen|aviso,advertencia|avertissement|警告
error|fehler|error,errores|erreur,erreurs|错误
branch|zweig|rama|branche|分支
repository|repo,repositorium|repositorio|dépôt|仓库
release|veröffentlichung|lanzamiento|version|发布
environment|umgebung,umgebungsvariablen|entorno|environnement|环境变量,环境
variable|variable,variablen|variable,variables|variable,variables|变量
cache|zwischenspeicher|caché|cache|缓存
attachment|anhang,anhänge|adjunto,adjuntos|pièce,jointes|附件
subject|betreff|asunto|objet,sujet|主题
body|text,inhalt|cuerpo,texto|corps,texte|正文,内容
due|fällig,frist|vencimiento,plazo|échéance,délai|截止,到期
urgent|dringend,dringlichkeit|urgente,urgencia|urgent,urgence|紧急
assign|zuweisen,zuweisung,zuteilung|asignar,asignación|assigner,attribution|分配
escalate|eskalieren,eskalation|escalar,escalado|escalader,escalade|升级
reopen|wiederöffnen,wiedereröffnen|reabrir|rouvrir|重新打开
duplicate|duplikat|duplicado|doublon|重复
question|frage,fragen|pregunta,preguntas|question,questions|问题
formal|förmlich,formell|formal|formel|正式
tone|ton,tonfall|tono|ton|语气
style|stil|estilo|style|样式
score|punktzahl,wertung|puntuación|score,note|分数
rating|sterne,wertung|estrellas,valoración|étoiles,évaluation|评分,星
wait|warten,wartezeit|esperar,espera|attendre,attente|等待
pause|pause,wartezeit|pausa|pause|暂停
drain|stilllegen,stilllegung,leeren|drenar,vaciar|vider,vidange|下线,排空
patience|geduld,schonfrist|paciencia|patience|耐心
minute|minute,minuten|minuto,minutos|minute,minutes|分钟
horizon|horizont,vorausschau|horizonte|horizon|范围
submodule|submodul,submodule|submódulo,submódulos|sous-modules,sous-module|子模块
confidence|zuverlässigkeit|confianza|confiance|置信度
upsell|vorschläge,zusatzverkauf|sugeridos|suggestions|推荐
catalog|katalog|catálogo|catalogue|目录
track|verfolgen,sendungsverfolgung|rastrear,rastreo|suivre,suivi|跟踪
list|liste,listen,auflisten|lista,listar|liste,lister|列表,列出
show|anzeigen,zeigen|mostrar|afficher,montrer|显示,查看
answer|antworten|respuestas|réponses|答案
limit|grenze,limit|límite|limite|限制
team|mannschaft|equipos|équipes|小组
permission|berechtigung,recht|permiso,permisos|permission,droit|权限
intern|praktikant,praktikanten,praktikantin|becario,becarios,interno,internos,practicante|stagiaire,stagiaires|实习生
nurse|krankenschwester,pfleger,pflegekräfte|enfermera,enfermero,enfermeras,enfermeros|infirmière,infirmier,infirmières,infirmiers|护士
driver|fahrer,fahrerin|conductores,chófer|chauffeur,chauffeurs|司机
manager|leiter,geschäftsführer|gerente,gerentes,encargado|gérant,responsable|经理
accountant|buchhalter,buchhaltung,buchhalterin|contable,contables|comptable,comptables|会计
guest|gast,gäste|invitado,invitados|invité,invités|访客,游客
reader|leser|lector,lectores|lecteur,lecteurs|读者
worker|arbeiter|trabajador,trabajadores|travailleur,travailleurs|工人
operator|bediener,betreiber|operador,operadores|opérateur,opérateurs|操作员
developer|entwickler,entwicklerin|desarrollador,desarrolladores|développeur,développeurs|开发者,开发人员
admin|administrator,admins|administrador,administradores|administrateur,administrateurs|管理员
receptionist|empfang,rezeption|recepcionista,recepcionistas|réceptionniste,accueil|前台
vet|tierarzt,tierärzte,tierärztin|veterinario,veterinarios|vétérinaire,vétérinaires|兽医
dispatcher|disponent,disponenten|despachador|répartiteur,répartiteurs|调度员
approver|genehmiger,freigeber|aprobador,aprobadores|approbateur,approbateurs|审批人
watcher|beobachter|observador,observadores|observateur,observateurs|观察者
`;

const STEMS: ReadonlyMap<string, readonly string[]> = toStemsOf(
  ROWS.trim()
    .split("\n")
    .flatMap((row) => {
      const [english = "", ...others] = row.split("|");
      return others.flatMap((list) => list.split(",").map((word) => [toStem(word), toStem(english)] as const));
    }),
);

function toStemsOf(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(pairs, ([word]) => word);
  return new Map([...groups].map(([word, group]) => [word, group.map(([, english]) => english)]));
}

/** The stem of the English word for a word of another language, one that is `known` if there is; undefined where there is none. */
export function translateStem(stem: string, known?: { has(stem: string): boolean }): string | undefined {
  const found = STEMS.get(stem);
  return found?.find((english) => known?.has(english)) ?? found?.at(-1);
}

/** Words of running Chinese, by which it is cut. */
export const CHINESE_WORDS: readonly string[] = [...STEMS.keys()].filter((word) => /\p{Script=Han}/u.test(word));
