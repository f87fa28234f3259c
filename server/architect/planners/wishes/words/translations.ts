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
permission|berechtigung,recht|permiso,permisos|permission,droit|权限
`;

const STEMS: ReadonlyMap<string, string> = new Map(
  ROWS.trim()
    .split("\n")
    .flatMap((row) => {
      const [english = "", ...others] = row.split("|");
      return others.flatMap((list) => list.split(",").map((word) => [toStem(word), toStem(english)] as const));
    }),
);

/** The stem of the English word for a word of another language; undefined where it is not known. */
export function translateStem(stem: string): string | undefined {
  return STEMS.get(stem);
}

/** Words of running Chinese, by which it is cut. */
export const CHINESE_WORDS: readonly string[] = [...STEMS.keys()].filter((word) => /\p{Script=Han}/u.test(word));
