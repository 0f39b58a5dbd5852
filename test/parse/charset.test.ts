import { describe, expect, it } from "vitest";
import { findBinary } from "../../src/acquire/page-bytes.js";
import { decodePage } from "../../src/parse/charset.js";
import { expectLinear } from "../growth.js";

/** Text in bytes of its charset; the samples come from Python's codecs, not from the library under test. */
const SAMPLES: readonly { label: string; charset: string; text: string; base64: string }[] = [
  {
    label: "windows-1252",
    charset: "windows-1252",
    text: "“It’s 5 € a head,” she said – the café’s naïve owner didn’t agree with the others at all.",
    base64:
      "k0l0knMgNSCAIGEgaGVhZCyUIHNoZSBzYWlkIJYgdGhlIGNhZumScyBuYe92ZSBvd25lciBkaWRuknQgYWdyZWUgd2l0aCB0aGUgb3RoZXJzIGF0IGFsbC4=",
  },
  {
    label: "iso-8859-1",
    charset: "windows-1252",
    text: "“Voilà”, dit-il : l’été à Genève coûte 30 € de plus que l’hiver, et personne ne s’en plaint.",
    base64:
      "k1ZvaWzglCwgZGl0LWlsIDogbJLpdOkg4CBHZW7odmUgY2/7dGUgMzAggCBkZSBwbHVzIHF1ZSBskmhpdmVyLCBldCBwZXJzb25uZSBuZSBzkmVuIHBsYWludC4=",
  },
  {
    label: "iso-8859-2",
    charset: "ISO-8859-2",
    text: "Zażółć gęślą jaźń: nie wiem, czy to się uda, ale każdy może spróbować jeszcze raz we wtorek.",
    base64:
      "WmG/87PmIGfqtmyxIGphvPE6IG5pZSB3aWVtLCBjenkgdG8gc2nqIHVkYSwgYWxlIGthv2R5IG1vv2Ugc3By82Jvd2HmIGplc3pjemUgcmF6IHdlIHd0b3Jlay4=",
  },
  {
    label: "windows-1250",
    charset: "windows-1250",
    text: "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo neví „proč“ to dělal každý den znovu.",
    base64:
      "UPjtbGmaIJ5sdZ1vdehr/SBr+fIg+nDsbCDv4WJlbHNr6SDzZHksIGEgbmlrZG8gbmV27SCEcHJv6JMgdG8gZOxsYWwga2GeZP0gZGVuIHpub3Z1Lg==",
  },
  {
    label: "windows-1251",
    charset: "windows-1251",
    text: "Съешь же ещё этих мягких французских булок, да выпей чаю — «так» говорили нам каждый день.",
    base64:
      "0frl+Pwg5uUg5fm4IP3y6PUg7P/j6uj1IPTw4O328+fx6uj1IOHz6+7qLCDk4CDi++/l6SD34P4glyCr8uDquyDj7uLu8Ojr6CDt4Owg6uDm5PvpIOTl7fwu",
  },
  {
    label: "koi8-r",
    charset: "KOI8-R",
    text: "Съешь же ещё этих мягких французских булок, да выпей чаю, говорили нам каждый день утром.",
    base64:
      "89/F29gg1sUgxd2jINzUycggzdHHy8nIIMbSwc7D1drTy8nIIMLVzM/LLCDEwSDX2dDFyiDewcAsIMfP18/SyczJIM7BzSDLwdbE2cogxMXO2CDV1NLPzS4=",
  },
  {
    label: "windows-1253",
    charset: "windows-1253",
    text: "Η γρήγορη καφετιά αλεπού πηδάει πάνω από το τεμπέλικο σκυλί και δεν κοιτάζει πίσω ποτέ.",
    base64:
      "xyDj8d7j7/HnIOrh9uX06dwg4evl8O/9IPDn5Nzl6SDw3O35IOHw/CD07yD05ezw3evp6u8g8+r1698g6uHpIOTl7SDq7+n03Obl6SDw3/P5IPDv9N0u",
  },
  {
    label: "windows-1254",
    charset: "windows-1254",
    text: "Pijamalı hasta yağız şoföre çabucak güvendi, ama kimse bunun neden olduğunu bilmiyordu.",
    base64:
      "UGlqYW1hbP0gaGFzdGEgeWHw/Xog/m9m9nJlIOdhYnVjYWsgZ/x2ZW5kaSwgYW1hIGtpbXNlIGJ1bnVuIG5lZGVuIG9sZHXwdW51IGJpbG1peW9yZHUu",
  },
  {
    label: "windows-1255",
    charset: "windows-1255",
    text: "דג סקרן שט בים מאוכזב ולפתע מצא חברה, והוא לא ידע מה לומר לה באותו היום על החוף.",
    base64:
      "4+Ig8ff47yD56CDh6e0g7uDl6+bhIOXs9PryIO724CDn4fjkLCDl5OXgIOzgIOnj8iDu5CDs5e74IOzkIOHg5frlIOTp5e0g8uwg5Ofl8y4=",
  },
  {
    label: "windows-1256",
    charset: "windows-1256",
    text: "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق في هذا البيت القديم",
    base64:
      "5NUgzd/t4yDh5SDT0SDex9jaIObQ5iDUw+Qg2tnt4yDj38rmyCDa4ewgy+bIIMPO1tEg5uPb4d0gyMzhzyDD0tHeIN3tIOXQxyDH4cjtyiDH4d7P7eM=",
  },
  {
    label: "windows-874",
    charset: "windows-874",
    text: "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน จงฝ่าฟันพัฒนาวิชาการ",
    base64:
      "4LvnucG52MnC7MrYtLvD0ODKw9Sw4MXUyKTYs6To0iChx+jSusPDtNK92afK0bXH7OC0w9GoqdK5IKinvejSv9G5vtGyudLH1KrSodLD",
  },
  {
    label: "gb18030",
    charset: "gb18030",
    text: "我们今天在北京的图书馆里读书，天气很好，大家都非常高兴。这是一个很大的城市。𠮷",
    base64:
      "ztLDx73xzOzU2rGxvqm1xM28yum53cDvtsHK6aOszOzG+LrcusOjrLTzvNK2vLfHs6O439DLoaPV4srH0ru49rrctPO1xLPHytCho5U0sjU=",
  },
  {
    label: "gb2312",
    charset: "GBK",
    text: "我们今天在北京的图书馆里读书，天气很好，大家都非常高兴。这是一个很大的城市。",
    base64:
      "ztLDx73xzOzU2rGxvqm1xM28yum53cDvtsHK6aOszOzG+LrcusOjrLTzvNK2vLfHs6O439DLoaPV4srH0ru49rrctPO1xLPHytChow==",
  },
  {
    label: "big5",
    charset: "Big5",
    text: "我們今天在臺北的圖書館裡讀書，天氣很好，大家都非常高興。這是一個很大的城市。",
    base64:
      "p9qtzKS1pNGmYrtPpV+qurnPrtHAXbjMxaqu0aFBpNGu8Kvcpm6hQaRqrmGzo6tEsWCwqr+zoUOzb6xPpECt06vcpGqququwpauhQw==",
  },
  {
    label: "shift_jis",
    charset: "Shift_JIS",
    text: "今日は天気がいいので、図書館で本を読んでいます。それから友だちと昼ごはんを食べました。",
    base64:
      "jaGT+oLNk1aLQ4KqgqKCooLMgsWBQZB9j5GK2YLFlnuC8JPHgvGCxYKigtyCt4FCgruC6oKpgueXRoK+gr+CxpKLgrKCzYLxgvCQSILXgtyCtYK9gUI=",
  },
  {
    label: "euc-jp",
    charset: "EUC-JP",
    text: "今日は天気がいいので、図書館で本を読んでいます。それから友だちと昼ごはんを食べました。",
    base64:
      "uqPG/KTPxbe1pKSspKSkpKTOpMehor/evfG026THy9yk8sbJpPOkx6SkpN6kuaGjpL2k7KSrpOnNp6TApMGkyMPrpLSkz6TzpPK/qaTZpN6kt6S/oaM=",
  },
  {
    label: "iso-2022-jp",
    charset: "ISO-2022-JP",
    text: "今日は天気がいいので、図書館で本を読んでいます。それから友だちと昼ごはんを食べました。",
    base64:
      "GyRCOiNGfCRPRTc1JCQsJCQkJCROJEchIj9ePXE0WyRHS1wkckZJJHMkRyQkJF4kOSEjJD0kbCQrJGlNJyRAJEEkSENrJDQkTyRzJHI/KSRZJF4kNyQ/ISMbKEI=",
  },
  {
    label: "euc-kr",
    charset: "EUC-KR",
    text: "오늘은 날씨가 좋아서 도서관에서 책을 읽고 있습니다. 그리고 친구와 점심을 먹었습니다.",
    base64:
      "v8C0w8C6ILOvvr6woSDBwb7GvK0gtbW8rbD8v6G8rSDDpcC7IMDQsO0gwNa9wLTPtNkuILHXuK6w7SDEo7G4v80gwaG9ycC7ILjUvvq9wLTPtNku",
  },
];

/** Made texts of a few sentences each. */
const TEXTS = {
  de: "Das Meer stieg langsam über die Mauer des Hafens, und niemand im Dorf war überrascht. Die Fischer zogen ihre Boote ans Ufer, denn schön war es für die Füße nicht.",
  fr: "La mer montait lentement au-dessus du mur du port, et personne dans le village ne fut étonné. Les pêcheurs avaient tiré leurs bateaux à terre, où la fin de mai est déjà très chaude.",
  es: "El mar subía despacio por encima del muro del puerto y nadie en el pueblo se sorprendió. Los pescadores sacaron sus barcas y esperaron la mañana. ¿Quién sabía qué pasó después?",
  sv: "Havet steg långsamt över hamnens mur och ingen i byn var förvånad. Fiskarna drog upp sina båtar på stranden och väntade på att vinden skulle lägga sig.",
  pl: "Morze powoli podnosiło się nad mur portu i nikt we wsi nie był zaskoczony. Rybacy wyciągnęli łodzie na brzeg i czekali, aż wiatr ucichnie. Zażółć gęślą jaźń.",
  cs: "Moře pomalu stoupalo nad přístavní zeď a nikdo ve vesnici nebyl překvapen. Rybáři vytáhli své lodě na břeh a čekali, až se vítr utiší. Žluťoučký kůň.",
  hu: "A tenger lassan a kikötő fala fölé emelkedett, és a faluban senki sem lepődött meg. A halászok kihúzták csónakjaikat a partra. Őrült ünnep.",
  ru: "Море медленно поднималось над стеной гавани, и никто в деревне не был удивлён. Рыбаки вытащили свои лодки на берег и ждали, когда ветер утихнет. Ёжик сидел под ёлкой и щёлкал орешки.",
  uk: "Море повільно піднімалося над стіною гавані, і ніхто в селі не був здивований. Рибалки витягли свої човни на берег і чекали, коли вщухне вітер. Ґанок їхній був із каменю, її дім далеко.",
  bg: "Морето бавно се издигаше над стената на пристанището и никой в селото не беше изненадан. Рибарите изтеглиха лодките си на брега.",
  sr: "Море се полако дизало изнад зида луке и нико у селу није био изненађен. Рибари су извукли своје чамце на обалу и чекали да ветар утихне. Љубав и њива, ћуп и џеп.",
  el: "Η θάλασσα ανέβαινε αργά πάνω από το τείχος του λιμανιού και κανείς στο χωριό δεν εξεπλάγη. Οι ψαράδες τράβηξαν τις βάρκες τους στην ακτή.",
  tr: "Deniz yavaş yavaş liman duvarının üzerine yükseldi ve köyde kimse şaşırmadı. Balıkçılar teknelerini kıyıya çekti ve rüzgârın dinmesini bekledi. Iğdır, şöyle böyle.",
  he: "הים עלה לאט מעל חומת הנמל, ואיש בכפר לא הופתע. הדייגים משכו את סירותיהם לחוף וחיכו שהרוח תירגע.",
  ar: "ارتفع البحر ببطء فوق جدار الميناء ولم يتفاجأ أحد في القرية. سحب الصيادون قواربهم إلى الشاطئ وانتظروا أن تهدأ الريح.",
  th: "ทะเลค่อยๆ สูงขึ้นเหนือกำแพงท่าเรือ และไม่มีใครในหมู่บ้านประหลาดใจ ชาวประมงลากเรือขึ้นฝั่งและรอให้ลมสงบ ภาษาไทยเป็นภาษาที่มีวรรณยุกต์",
  ja: "海はゆっくりと港の壁を越えて上がり、村の誰も驚かなかった。漁師たちは船を岸に引き上げ、風が静まるのを待った。カタカナも書く。",
  zhcn: "海水慢慢地涨过了港口的墙，村里没有人感到惊讶。渔民们把船拖上岸，等待风平息下来。中国的春天很美，许多人都去看樱花。",
  zhtw: "海水慢慢地漲過了港口的牆，村裡沒有人感到驚訝。漁民們把船拖上岸，等待風平息下來。台灣的春天很美，許多人都去看櫻花。",
  ko: "바다는 천천히 항구의 벽 위로 올라왔고 마을의 누구도 놀라지 않았다. 어부들은 배를 해안으로 끌어올리고 바람이 잦아들기를 기다렸다.",
} as const;

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const page = (head: string, body: Uint8Array): Uint8Array =>
  join(
    latin1(`<!doctype html><html><head>${head}<title>`),
    body,
    latin1("</title></head><body><p>"),
    body,
    latin1("</p></body></html>"),
  );

describe("decodePage with a declared charset", () => {
  for (const { label, charset, text, base64 } of SAMPLES) {
    it(`reads ${label} named by the header`, () => {
      const decoded = decodePage(page("", bytesOf(base64)), `text/html; charset=${label}`);
      expect(decoded.text).toContain(`<p>${text}</p>`);
      expect(decoded).toMatchObject({ charset, notes: [] });
    });
    it(`reads ${label} named by a meta`, () => {
      const decoded = decodePage(
        page(`<meta charset="${label.toUpperCase()}">`, bytesOf(base64)),
        "text/html",
      );
      expect(decoded.text).toContain(`<p>${text}</p>`);
      expect(decoded).toMatchObject({ charset, notes: [] });
    });
    it(`detects ${label} although UTF-8 is declared`, () => {
      const decoded = decodePage(page('<meta charset="utf-8">', bytesOf(base64)), "text/html; charset=UTF-8");
      expect(decoded.notes).toContain("charset-lied");
      expect(decoded.text).toContain(`<p>${text}</p>`);
    });
    it(`guesses ${label} if nothing is declared`, () => {
      const decoded = decodePage(page("", bytesOf(base64)));
      expect(decoded.text).toContain(`<p>${text}</p>`);
      expect(decoded.notes).toEqual(["charset-guessed"]);
    });
    if (!/^(?:windows-125[024]|ISO-)/.test(charset))
      it(`detects ${label} although ISO-8859-1 is declared`, () => {
        const decoded = decodePage(page('<meta charset="iso-8859-1">', bytesOf(base64)));
        expect(decoded.text).toContain(`<p>${text}</p>`);
        expect(decoded.notes).toEqual(["charset-lied"]);
      });
    it(`reads bytes that are UTF-8 as UTF-8 although ${label} is declared`, () => {
      const decoded = decodePage(page("", utf8(text)), `text/html; charset=${label}`);
      expect(decoded.text).toContain(`<p>${text}</p>`);
      expect(decoded).toMatchObject({ charset: "UTF-8", notes: ["charset-lied"] });
    });
  }
});

describe("decodePage with UTF-8", () => {
  const text = "Größe, 大きさ, размер, 😀";

  it("reads it declared, undeclared or with a byte order mark, and drops the mark", () => {
    for (const [bytes, type] of [
      [utf8(text), "text/html; charset=utf-8"],
      [utf8(text), undefined],
      [utf8(`\uFEFF${text}`), undefined],
      [utf8(`\uFEFF${text}`), "text/html; charset=windows-1251"],
    ] as const) {
      expect(decodePage(bytes, type)).toEqual({ text, charset: "UTF-8", notes: [] });
    }
  });

  it("reads text whose last character is cut off anywhere as UTF-8", () => {
    const whole = utf8(text);
    for (let length = whole.length - 3; length < whole.length; length += 1) {
      const decoded = decodePage(whole.subarray(0, length), "text/html; charset=utf-8");
      expect(decoded).toEqual({
        text: text.replace("😀", "\uFFFD"),
        charset: "UTF-8",
        notes: ["charset-errors"],
      });
      expect(decodePage(whole.subarray(0, length)).text).toBe(decoded.text);
    }
    expect(decodePage(join(latin1("caf"), latin1("\xc3")), "text/html; charset=utf-8").charset).toBe("UTF-8");
    expect(decodePage(latin1("caf\xe9")).text).toBe("café");
  });

  it("reads text with few damaged characters as UTF-8", () => {
    const bytes = join(utf8(text.repeat(10)), latin1("\xff and \x92"), utf8(text));
    expect(decodePage(bytes)).toEqual({
      text: `${text.repeat(10)}\uFFFD and \uFFFD${text}`,
      charset: "UTF-8",
      notes: ["charset-errors"],
    });
  });

  it("does not count a U+FFFD in the page as damage", () => {
    const bytes = join(utf8("\uFFFD".repeat(30)), latin1("\xff"));
    expect(decodePage(bytes)).toMatchObject({ charset: "UTF-8", notes: ["charset-errors"] });
    expect(decodePage(bytes.subarray(0, -1))).toMatchObject({ charset: "UTF-8", notes: [] });
  });

  it("reads mostly ASCII windows-1252 text as windows-1252 although UTF-8 is declared", () => {
    const bytes = latin1(
      "<p>It\x92s the company\x92s price, 5 \x80 \x96 the rest you don\x92t need to know. \xa9 2020</p>",
    );
    expect(decodePage(bytes, "text/html; charset=utf-8")).toEqual({
      text: "<p>It’s the company’s price, 5 € – the rest you don’t need to know. © 2020</p>",
      charset: "windows-1252",
      notes: ["charset-lied"],
    });
  });

  it("reads bytes that match no guess as windows-1252", () => {
    expect(decodePage(latin1("\x80"))).toEqual({
      text: "€",
      charset: "windows-1252",
      notes: ["charset-guessed"],
    });
    expect(decodePage(new Uint8Array(0))).toEqual({ text: "", charset: "UTF-8", notes: [] });
  });
});

describe("decodePage with UTF-16", () => {
  const html = "<html><p>Grüße aus Köln, Привет</p></html>";
  const little = new Uint8Array(Buffer.from(html, "utf16le"));
  const big = new Uint8Array(Buffer.from(html, "utf16le").swap16());

  it("reads both byte orders with a byte order mark, whatever the header states", () => {
    const mark = (bytes: Uint8Array, ...bom: number[]): Uint8Array => join(Uint8Array.from(bom), bytes);
    for (const type of [undefined, "text/html; charset=utf-8"]) {
      expect(decodePage(mark(little, 0xff, 0xfe), type)).toEqual({
        text: html,
        charset: "UTF-16LE",
        notes: [],
      });
      expect(decodePage(mark(big, 0xfe, 0xff), type)).toEqual({ text: html, charset: "UTF-16BE", notes: [] });
    }
  });

  it("reads both byte orders without a mark", () => {
    expect(decodePage(little)).toEqual({ text: html, charset: "UTF-16LE", notes: [] });
    expect(decodePage(big, "text/html; charset=utf-16be")).toEqual({
      text: html,
      charset: "UTF-16BE",
      notes: [],
    });
    expect(decodePage(big, "text/html; charset=utf-8").notes).toEqual(["charset-lied"]);
  });

  it("reads characters whose bytes contain zeros, without a mark", () => {
    const chinese = `\r\n <html><p>${"一第一段，一二三，".repeat(300)}</p></html>`;
    const wide = new Uint8Array(Buffer.from(chinese, "utf16le"));
    expect(decodePage(wide)).toEqual({ text: chinese, charset: "UTF-16LE", notes: [] });
    expect(decodePage(new Uint8Array(Buffer.from(wide).swap16()))).toEqual({
      text: chinese,
      charset: "UTF-16BE",
      notes: [],
    });
  });

  it.each(["zhcn", "zhtw", "ja", "ko"] as const)(
    "reads plain text in %s without tags and mark",
    (language) => {
      const text = `${TEXTS[language]}\n\n${TEXTS[language]}\n`;
      const wide = Buffer.from(text, "utf16le");
      for (const bytes of [Uint8Array.from(wide), Uint8Array.from(wide.swap16())]) {
        expect(decodePage(bytes)).toMatchObject({ text, notes: [] });
        expect(findBinary(bytes)).toBeUndefined();
      }
    },
  );

  it.each(["shift_jis", "gbk", "big5", "euc-kr"])(
    "does not read %s with a few NUL bytes as UTF-16",
    (label) => {
      const { base64, text } = SAMPLES.find(
        (sample) => sample.label === label || sample.charset === label.toUpperCase(),
      )!;
      const bytes = bytesOf(base64);
      for (const shift of ["", " "]) {
        const decoded = decodePage(join(latin1(`${shift}a\0b`), bytes, bytes, latin1("\0\0\n")));
        expect(decoded.text).toContain(text);
      }
    },
  );

  it("does not read text with a few NUL bytes as UTF-16", () => {
    const bytes = utf8(`<p>one\0 two\0\0 three é</p>${"x".repeat(200)}`);
    expect(decodePage(bytes).charset).toBe("UTF-8");
    expect(decodePage(utf8("<p>ze\0ro\0 and on\0e</p>")).charset).toBe("UTF-8");
    expect(decodePage(new Uint8Array(Buffer.from("Привет, как дела?", "utf16le"))).text).toBe(
      "Привет, как дела?",
    );
  });

  it("reads a UTF-8 page as UTF-8 although UTF-16 is declared", () => {
    expect(decodePage(utf8("<p>plain</p>"), "text/html; charset=utf-16")).toMatchObject({
      text: "<p>plain</p>",
      notes: ["charset-lied"],
    });
    expect(decodePage(utf8('<meta charset="utf-16le"><p>é</p>'))).toMatchObject({
      charset: "UTF-8",
      notes: [],
    });
  });
});

describe("decodePage with declarations in several places", () => {
  const koi8 = bytesOf("0NLJ18XU"); // привет
  const cp1251 = bytesOf("7/Do4uXy");

  it("prefers the header to the meta element", () => {
    const bytes = page('<meta charset="koi8-r">', cp1251);
    expect(decodePage(bytes, "text/html; charset=windows-1251").text).toContain("<p>привет</p>");
    expect(decodePage(bytes, "text/html").text).not.toContain("привет");
  });

  it("decides by the letters if the header declares ISO-8859-1 and the meta element another charset", () => {
    const type = "text/html; charset=ISO-8859-1";
    const russian = bytesOf(
      "0fLg8PvpIOzu8fIg7eDkIPDl6u7pIOfg6vD76+gg5fm4IOLl8e3u6Swg7+7y7uzzIPfy7iDu7+7w+yDl4+4g5ODi7e4g7fPm5OD+8vH/IOIg8OXs7u3y5S4=",
    );
    expect(decodePage(page('<meta charset="windows-1251">', russian), type)).toMatchObject({
      text: expect.stringContaining("Старый мост над рекой закрыли ещё весной") as string,
      notes: ["charset-lied"],
    });
    const french = bytesOf(
      "TJLpdOkgZGVybmllciwgbGVzIOls6HZlcyBkZSBsYSBmb3LqdCBvbnQg6XTpIHRy6HMgZmllcnMgZGUgbGV1ciBo9HRlbCDgIGP0dOkgZGUgbGEgcml2aehyZSBnZWzpZS4=",
    );
    expect(decodePage(page('<meta charset="windows-1251">', french), type)).toMatchObject({
      text: expect.stringContaining("les élèves de la forêt") as string,
      notes: [],
    });
  });

  it.each([
    [
      "gb2312",
      "1/LM7M3tyc+xsb6pz8LBy9K7s6G089Pqo6zQ7bbgvda1wLG7y67RzcO7oaO9u82oyty1vdOwz+yjrLrctuDIy7K7xNywtMqxu9i80qGj",
      "许多街道被水淹没",
    ],
    [
      "windows-1253",
      "1+jl8iD07yDi8dzk9SDd8OXz5SDk9e3h9N4g4vHv994g8/Tn7SDB6N7t4SDq4ekg7+kg5PH87O/pIPDr5+zs/fHp8+HtLg==",
      "βροχή στην Αθήνα",
    ],
    [
      "windows-1255",
      "4Pru5ewg4fL44SDp+OMg4vntIOfm9yDh+uwg4OHp4S4g+Ofl4eX6IPjh6e0g5OX29OUg5eDw+entIOzgIOnr7OUg7Ofm5fgg5OHp+uQu",
      "ירד גשם חזק",
    ],
    [
      "koi8-u",
      "9SDQz87FxKbMz8sg1dfF3sXSpiDNptPUIN7F0sXaINKm3svVINrOz9fVINemxMvSyczJIMTM0SDQptvPyM/EptcsIMEgp8jOpiDEptTJIKfaxMnMySDOyc0gzsEg18XMz9PJ0MXEwcgu",
      "міст через річку",
    ],
  ])("trusts a declared %s if the guess is another charset for the same letters", (label, base64, text) => {
    const decoded = decodePage(
      page(`<meta charset="${label}">`, bytesOf(base64)),
      "text/html; charset=ISO-8859-1",
    );
    expect(decoded).toMatchObject({
      text: expect.stringContaining(text) as string,
      notes: ["charset-lied"],
    });
  });

  it("reads windows-1255 if ISO-8859-8 is declared, which has its letters but not its vowels", () => {
    const verse = bytesOf("4cDM+MXg+cTR6fog4cjM+MjgIODB7MnkxOntIODF+iDkx/nIzNHux+nE7SDlwODF+iDkyODI+Mb1");
    for (const label of ["iso-8859-8", "iso-8859-8-i", "logical"]) {
      const decoded = decodePage(page(`<meta charset="${label}">`, verse));
      expect(decoded).toMatchObject({ charset: "windows-1255", notes: ["charset-lied"] });
      expect(decoded.text).toContain("בְּרֵאשִׁית בָּרָא");
    }
  });

  it("uses the meta element if the header declares UTF-8 wrongly or an unknown charset", () => {
    const bytes = page('<meta charset="koi8-r">', koi8);
    const lied = decodePage(bytes, "text/html; charset=utf-8");
    expect(lied.text).toContain("<p>привет</p>");
    expect(lied.notes).toEqual(["charset-lied"]);
    for (const label of ["utf-7", "none", "", "x-klingon"]) {
      const decoded = decodePage(bytes, `text/html; charset=${label}`);
      expect(decoded).toMatchObject({ charset: "KOI8-R", notes: [] });
    }
  });

  it("reads the charset of the header in every spelling", () => {
    for (const type of [
      "text/html;charset=koi8-r",
      "text/html; CHARSET=KOI8-R",
      'text/html; charset="koi8-r"',
      "text/html; charset='koi8-r'; x=y",
      "text/html; x=y ;charset = koi8-r;z",
    ]) {
      expect(decodePage(koi8, type)).toEqual({ text: "привет", charset: "KOI8-R", notes: [] });
    }
  });

  it("finds the meta element in every spelling and place", () => {
    const filler = `<!-- ${"x".repeat(1500)} <meta charset="big5"> -->`;
    for (const head of [
      "<META CHARSET=KOI8-R>",
      '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
      "<meta content='text/html; charset=koi8-r' http-equiv=content-type />",
      `${filler}<meta charset="koi8-r">`,
      `${filler}<script>document.write('<meta charset="big5">')</script><meta charset="koi8-r">`,
      `<meta http-equiv="refresh" content="charset"><meta charset="koi8-r">`,
      `<meta name="x" content="my charset"><meta charset="koi8-r">`,
      `<meta charset="unknown"><meta charset="koi8-r">`,
    ]) {
      expect(decodePage(page(head, koi8)), head).toMatchObject({ charset: "KOI8-R", notes: [] });
    }
  });

  it("reads the XML declaration of XHTML, but prefers a meta element", () => {
    const xml = latin1('<?xml version="1.0" encoding="koi8-r"?>');
    expect(decodePage(join(xml, page("", koi8)))).toMatchObject({ charset: "KOI8-R", notes: [] });
    expect(decodePage(join(xml, page('<meta charset="windows-1251">', cp1251))).charset).toBe("windows-1251");
  });

  it("decodes unusual encodings as the standard requires", () => {
    expect(decodePage(latin1('<meta charset="x-user-defined">\x93a\x94')).text).toContain("“a”");
    expect(decodePage(latin1("~{<:Ky~}"), "text/html; charset=hz-gb-2312")).toEqual({
      text: "\uFFFD",
      charset: "replacement",
      notes: ["charset-unsupported"],
    });
    expect(decodePage(utf8("+AOk- é"), "text/html; charset=utf-7").text).toBe("+AOk- é");
  });

  it("keeps a declared multi-byte charset with few errors, and notes them", () => {
    const bytes = join(bytesOf(SAMPLES.find(({ label }) => label === "shift_jis")!.base64), latin1("\x85"));
    const decoded = decodePage(bytes, "text/html; charset=shift_jis");
    expect(decoded).toMatchObject({ charset: "Shift_JIS", notes: ["charset-errors"] });
  });

  it("guesses another charset if the declared multi-byte charset does not fit at all", () => {
    const { base64, text } = SAMPLES.find(({ label }) => label === "euc-jp")!;
    const decoded = decodePage(bytesOf(base64), "text/html; charset=shift_jis");
    expect(decoded).toEqual({ text, charset: "EUC-JP", notes: ["charset-lied"] });
  });

  it("does not read two characters of GBK as UTF-8", () => {
    expect(decodePage(bytesOf("warNqA=="), "text/html; charset=gbk").text).toBe("联通");
  });
});

type Language = keyof typeof TEXTS;

/** The usual charsets of each language, and below them those that chardet does not know. */
const WRITTEN: readonly (readonly [Language, label: string])[] = [
  ["de", "windows-1252"],
  ["fr", "windows-1252"],
  ["es", "windows-1252"],
  ["sv", "windows-1252"],
  ["pl", "windows-1250"],
  ["pl", "iso-8859-2"],
  ["cs", "windows-1250"],
  ["cs", "iso-8859-2"],
  ["hu", "iso-8859-2"],
  ["ru", "windows-1251"],
  ["ru", "koi8-r"],
  ["ru", "iso-8859-5"],
  ["uk", "windows-1251"],
  ["bg", "windows-1251"],
  ["sr", "windows-1251"],
  ["el", "windows-1253"],
  ["el", "iso-8859-7"],
  ["tr", "windows-1254"],
  ["he", "windows-1255"],
  ["ar", "windows-1256"],
  ["th", "windows-874"],
  ["ja", "shift_jis"],
  ["ja", "euc-jp"],
  ["zhcn", "gbk"],
  ["zhtw", "big5"],
  ["ko", "euc-kr"],
  ["uk", "koi8-u"],
  ["ru", "ibm866"],
  ["bg", "ibm866"],
  ["ru", "x-mac-cyrillic"],
  ["uk", "x-mac-cyrillic"],
  ["de", "macintosh"],
  ["fr", "macintosh"],
  ["sv", "macintosh"],
];

/** Texts of DOS, encoded by Python because Node has no decoder to invert. */
const DOS: readonly (readonly [Language, label: string, base64: string])[] = [
  [
    "de",
    "IBM850",
    "RGFzIE1lZXIgc3RpZWcgbGFuZ3NhbSCBYmVyIGRpZSBNYXVlciBkZXMgSGFmZW5zLCB1bmQgbmllbWFuZCBpbSBEb3JmIHdhciCBYmVycmFzY2h0LiBEaWUgRmlzY2hlciB6b2dlbiBpaHJlIEJvb3RlIGFucyBVZmVyLCBkZW5uIHNjaJRuIHdhciBlcyBmgXIgZGllIEaB4WUgbmljaHQu",
  ],
  [
    "fr",
    "IBM850",
    "TGEgbWVyIG1vbnRhaXQgbGVudGVtZW50IGF1LWRlc3N1cyBkdSBtdXIgZHUgcG9ydCwgZXQgcGVyc29ubmUgZGFucyBsZSB2aWxsYWdlIG5lIGZ1dCCCdG9uboIuIExlcyBwiGNoZXVycyBhdmFpZW50IHRpcoIgbGV1cnMgYmF0ZWF1eCCFIHRlcnJlLCBvlyBsYSBmaW4gZGUgbWFpIGVzdCBkgmqFIHRyinMgY2hhdWRlLg==",
  ],
  [
    "sv",
    "IBM850",
    "SGF2ZXQgc3RlZyBshm5nc2FtdCCUdmVyIGhhbW5lbnMgbXVyIG9jaCBpbmdlbiBpIGJ5biB2YXIgZpRydoZuYWQuIEZpc2thcm5hIGRyb2cgdXBwIHNpbmEgYoZ0YXIgcIYgc3RyYW5kZW4gb2NoIHaEbnRhZGUgcIYgYXR0IHZpbmRlbiBza3VsbGUgbIRnZ2Egc2lnLg==",
  ],
  [
    "pl",
    "IBM852",
    "TW9yemUgcG93b2xpIHBvZG5vc2mIbyBzaakgbmFkIG11ciBwb3J0dSBpIG5pa3Qgd2Ugd3NpIG5pZSBieYggemFza29jem9ueS4gUnliYWN5IHd5Y2mlZ26pbGkgiG9kemllIG5hIGJyemVnIGkgY3pla2FsaSwgYb4gd2lhdHIgdWNpY2huaWUuIFphvqKIhiBnqZhspSBqYavkLg==",
  ],
  [
    "cs",
    "IBM852",
    "TW/9ZSBwb21hbHUgc3RvdXBhbG8gbmFkIHD9oXN0YXZuoSB6ZdQgYSBuaWtkbyB2ZSB2ZXNuaWNpIG5lYnlsIHD9ZWt2YXBlbi4gUnlioP1pIHZ5dKBobGkgc3aCIGxvZNggbmEgYv1laCBhIJ9la2FsaSwgYacgc2UgdqF0ciB1dGnnoS4gpmx1nG91n2vsIGuF5S4=",
  ],
];

/** Encodes by inverting Node's decoder. */
function encode(text: string, label: string): Uint8Array {
  const decoder = new TextDecoder(label);
  const bytes = new Map<string, number[]>();
  for (let first = 0xff; first >= 0; first -= 1) {
    for (let second = 0x40; second < 0xff && first > 0x80; second += 1) {
      const pair = decoder.decode(Uint8Array.of(first, second));
      if (pair.length === 1) bytes.set(pair, [first, second]);
    }
    bytes.set(decoder.decode(Uint8Array.of(first)), [first]);
  }
  return Uint8Array.from(Array.from(text, (character) => bytes.get(character) ?? []).flat());
}

describe("decodePage without a declaration", () => {
  it.each([
    ...WRITTEN.map(([language, label]) => [language, label, encode(TEXTS[language], label)] as const),
    ...DOS.map(([language, label, base64]) => [language, label, bytesOf(base64)] as const),
  ])("reads %s in %s, on short and on long pages", (language, _, bytes) => {
    for (const times of [1, 3, 400]) {
      const decoded = decodePage(page("", join(...Array.from({ length: times }, () => bytes))));
      expect(decoded.text).toContain(`<p>${TEXTS[language].repeat(times)}</p>`);
      expect(decoded.notes).toEqual(["charset-guessed"]);
    }
  });

  it("reads German of DOS with very few umlauts, which looks like Shift_JIS", () => {
    const decoded = decodePage(
      latin1("<p>Das Meer stieg \x81ber die Mauer, kam aber nicht \x81ber das Dorf."),
    );
    expect(decoded.text).toContain("stieg über die Mauer, kam aber nicht über das Dorf.");
    expect(decoded.charset).toBe("IBM850");
  });
});

describe("a page in Lithuanian without a charset", () => {
  it("is read as windows-1257 if it states its language and the guess is uncertain", () => {
    const base64 = "PGh0bWwgbGFuZz0ibHQiPjxwPk5hdWppZW5vcyBhcGllIHZlcnNs4CBpciBmaW5hbnN1czwvcD48L2h0bWw+";
    const bytes = Buffer.from(base64, "base64");
    expect(decodePage(bytes)).toMatchObject({ charset: "windows-1257", notes: ["charset-guessed"] });
    expect(decodePage(bytes).text).toContain("apie verslą ir");
    const other = Buffer.from(bytes.toString("latin1").replace('lang="lt"', 'lang="en"'), "latin1");
    expect(decodePage(other).charset).not.toBe("windows-1257");
  });
});

describe("decodePage on hostile bytes", () => {
  it.each([
    "<",
    "<!--",
    "<meta ",
    "<meta charset=",
    "<script>",
    "\xff",
    "\xc3",
    "\x1b$B",
    "\0",
    "\xe9<",
    "</",
  ])("takes linear time and never throws on a megabyte of %j", async (unit) => {
    const write = (size: number) => latin1(unit.repeat(Math.ceil(size / unit.length)));
    expect(typeof decodePage(write(1_000_000), "text/html").text).toBe("string");
    await expectLinear(1_000_000, write, (bytes) => decodePage(bytes, "text/html"));
    const withBroken = (size: number) => join(write(size), latin1("\xe9"));
    await expectLinear(1_000_000, withBroken, (bytes) => decodePage(bytes, "text/html; charset=utf-8"));
  });
});
