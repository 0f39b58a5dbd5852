/** Removes the words around an author's name: labels before it, ranks after it, and credits of pictures. */

/** Labels that need a colon or a dash. */
const LABELS =
  "authors?|autor(?:[/*:]?in|e[ns]?|[ai])?|autrice|avtor|auteurs?|författare|forfatter|texte?|texto|testo|tekst|teksti|" +
  "(?:автор(?:ы|и)?|аутор)(?:\\s+(?:статьи|текста|материала|публикации))?|текст|συντάκτης|κείμενο|" +
  "ライター|文(?:・(?:写真|撮影))?|取材・文|[图圖][/／]文|ผู้เขียน|เรื่อง|tác giả|penulis|teks|yazar|szerző|piše|" +
  "نویسنده|نگارنده|خبرنگار|گزارش|الكاتب|إعداد|تحریر|مصنف|लेखक|লেখক|ਲੇਖਕ|લેખક|எழுதியவர்|ஆசிரியர்|రచయిత|ಲೇಖಕ(?:ರು)?|ലേഖകൻ|" +
  "ຜູ້ຂຽນ|អ្នកនិពន្ធ|(?:ရေးသား|စာရေး)သူ|ავტორი|հեղինակ|зохиогч|m[uü][əa]llif|муаллиф|аўтар|autor(?:ius|ė|s)|egilea|awdur|údar|" +
  "höfundur|tekijä|mwandishi|пише|撰稿|par|por|door|przez|av|af|von|di";
/** Labels with or without a colon, because no name begins with them. */
const WORDS =
  "oleh|yazan|írta|автор|συντάκτης|γράφει(?:\\s[ηο])?|بقلم|كتبت?|נכתב על ידי|מאת|نوشته|به قلم|द्वारा|(?:เขียน)?โดย|" +
  "بواسطة|توسط|লিখেছেন|ໂດຍ|ដោយ|作者|著者|執筆者?|投稿者|作成者|撰文|由|文[/／][图圖]|(?:本[报報]|[实實見见]习|[特現现][约約场場])?[记記]者|기자|글(?:쓴이|·사진)?|작성자|" +
  "kirjoittaja|kirjoittanut|julkaissut|napsala?|napísala?|napisała?|написа(?:ла?|в)|опубликовала?|опублікува(?:ла|в)|(?:đăng |viết )?bởi";
/** Participles that "by" follows: "geschrieben von", "publié par". */
const BY =
  "(?:soumis par|(?:enviado|submetido) por|ingediend door|inviato da|wysłane przez|inskickat av|indsendt af|sendt inn av|vložila?)|" +
  "(?:geschrieben|verfasst|veröffentlicht|gepostet|erstellt|ein(?:e|en)? (?:artikel|beitrag|gastbeitrag|kommentar|gastkommentar|essay|text|interview|analyse|reportage|kolumne)) von|" +
  "(?:(?:propos )?recueillis?|écrit|publié|posté|rédigé|mis en ligne) par|(?:escrito|publicado|postado|redactado) por|(?:escrit|publicat) per|" +
  "(?:scritto|pubblicato|postato|inserito) da|a cura di|(?:geschreven|geplaatst|gepubliceerd) door|" +
  "(?:skrive[nt]|skrevet|publicera[dt]|publisert|publiceret|udgivet) a[fv]|(?:napisan|opublikowan|dodan)[ey] przez|(?:scris|publicat|postat) de|" +
  "di(?:tulis|posting|poskan|publikasikan) oleh|imeandikwa na|isinulat ni|shkruar nga|geskryf deur";
const COLON = "(?:\\s*[:：=＝՝៖]\\s*|\\s+[–—-]\\s+)";

const LEADS = [
  `(?:(?:written|posted|submitted|published|reported|story|words|article|text|post|recipe|reviewed)\\s+)?by(?:\\s*[:：]\\s*|\\s+)`,
  "(?:more stories|view all posts|all posts|posts|articles|more) by\\s+",
  `(?:${LABELS})${COLON}`,
  `(?:${WORDS}|${BY})(?:${COLON}|\\s+)`,
  "(?:取材・)?文\\s*[/／|｜]\\s*",
  "[记記]者(?=\\p{Script=Han}{2,4}$)",
];
const LEAD = new RegExp(`^[\\s|·•:–—-]*(?:${LEADS.join("|")})`, "iu");
/** A name may begin with these words too, so they are cut only in a byline, or (some) before two words of a name. */
const SHOWN = /^[\s|·•:–—-]*(?:(?:par|por|door|przez|av|af|von|di|de)\s+|auth?ors?\s+)(?=\p{L})/iu;
/** These also begin names of one word: "Da Vinci". */
const SHOWN_BEFORE_TWO = /^(?:da|от|від|από)\s+(?=\p{Lu}\S*\s+\p{Lu})/u;
const STATED =
  /^(?:[Pp]ar|[Pp]or|[Dd]oor|[Pp]rzez|[Aa]v|[Aa]f|[Vv]on|[Dd]i)\s+(?=\p{Lu}[^\s,]*\s+(?:\p{Ll}{1,3}\s+)?\p{Lu})/u;
/** A reporter and the place of the report: "記者王小明／台北報導", "王小明／台北報導". */
const REPORTER = /^[记記]者[\s:：]*(\p{Script=Han}{2,4})[/／].*$/u;
const PLACE = /(?<=^\p{Script=Han}{2,4})\s?[/／]\s?\p{Script=Han}{0,8}[報报][导導道]$/u;
const RANK = /\s+(?:기자|특파원|tarafından|द्वारा)(?:\s+\S+@\S+)?$/u;
/** The full stop of a line, but not of "Jr." */
const STOP = /(?<=\p{L}{4})\.$/u;
/** Brackets around the whole byline of a Chinese or Korean paper. */
const BRACKETS = /^[[【〔]([\p{Script=Han}\p{Script=Hangul}][^\]】〕]*)[\]】〕]$/u;
const PICTURE =
  /(?:^|[\s,;|·/–—-]+)(?:photos?|fotos?|foto's|fotografie|fotografía|fotografia|фото|φωτ[οό]|写真|撮影|摄影|攝影|[圖图](?![/／]文)|사진|ภาพ|ảnh|kuvat?|fotó|fotoğraf|bild(?:er)?|images?|zdjęcia?|صورة|تصوير|عکس|צילום|תמונה)(?:\s*[:：/／]|\s+by\s).*$/iu;

/** Cuts these words off. `as`: whether the page shows the text as a byline, or states it in its markup. */
export function cutLead(text: string, as: "shown" | "stated"): string {
  const bare = text.replace(BRACKETS, "$1").replace(PICTURE, "");
  const led = bare.replace(REPORTER, "$1").replace(PLACE, "").replace(LEAD, "").replace(RANK, "");
  const cut = led === bare ? bare : led.replace(STOP, "");
  return as === "shown" ? cut.replace(SHOWN, "").replace(SHOWN_BEFORE_TWO, "") : cut.replace(STATED, "");
}
