/** Tests the verdicts of the shipped model on clear texts, and that it does not guess for other texts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REGISTERS, SUBREGISTERS, type Register, type RegisterVerdict } from "../../src/document.js";
import { openRegisterJudge } from "../../src/label/registers/register-folder.js";
import { addRegisters, type RegisterJudge } from "../../src/label/registers/register-judge.js";
import { isMixed } from "../../src/label/registers/telling.js";
import { makeDocument } from "../filter/documents.js";

let judge: RegisterJudge;
beforeAll(async () => {
  judge = await openRegisterJudge();
});
afterAll(() => judge.close());

async function tell(text: string): Promise<RegisterVerdict> {
  const verdict = await judge.judge(text.split("\n"));
  if (verdict === undefined) throw new Error("nothing is told of the text");
  return verdict;
}

/** Very clear texts, written for this test, each with many signs of its register. */
const CLEAR: Readonly<Record<string, readonly [Register, string]>> = {
  "news in English": [
    "NA",
    `HARBOUR TOWN, 14 March 2023 — Three fishermen were rescued on Tuesday after their boat sank off the coast, police said.
The men, aged 24, 31 and 57, were found by a helicopter crew shortly after 6 a.m. and were taken to hospital, where two of them remained on Wednesday.
"They were very lucky," said Inspector Anna Moss, who led the search. "The water was four degrees."
The boat had left the harbour on Monday evening. The cause of the accident was not known, and an investigation was opened on Wednesday, a spokesman for the coast guard told reporters.
It was the second accident in the bay this year. In January, a cargo ship ran aground near the lighthouse, and its crew of twelve was evacuated.`,
  ],
  "news in Swedish": [
    "NA",
    `Två personer skadades när en buss kolliderade med en lastbil utanför Umeå på tisdagsmorgonen, uppger polisen.
Olyckan inträffade strax efter klockan sju. Räddningstjänsten ryckte ut med tre bilar och vägen stängdes av i båda riktningarna.
– Bussen hade fått sladd på den hala vägen, säger Anna Berg, presstalesperson vid polisen.
De två skadade fördes med ambulans till sjukhus. Enligt läkarna var ingen av dem allvarligt skadad. Vägen öppnades igen vid tiotiden.`,
  ],
  "instructions in English": [
    "HI",
    `How to bake a simple loaf of bread
You will need 500 g of flour, 350 ml of water, 10 g of salt and 7 g of yeast.
Step 1: Mix the flour, the salt and the yeast in a large bowl. Add the water and stir until you have a rough dough.
Step 2: Knead the dough for ten minutes. If it sticks to your hands, add a little more flour.
Step 3: Cover the bowl and let the dough rise for an hour. Then shape it into a loaf and put it on a tray.
Step 4: Heat the oven to 230 degrees. Bake the bread for 35 minutes. Tap the bottom: if it sounds hollow, your bread is ready. Let it cool before you cut it.`,
  ],
  "a shop in Finnish": [
    "IP",
    `Tarjoamme laadukkaat ikkunat ja ovet suoraan tehtaalta edulliseen hintaan. Ota yhteyttä ja pyydä ilmainen tarjous jo tänään!
Yrityksemme on palvellut asiakkaita yli 30 vuoden kokemuksella. Ammattitaitoinen henkilökuntamme auttaa sinua valitsemaan juuri sinun kotiisi sopivat tuotteet.
Kaikki tuotteemme ovat kotimaisia ja niillä on kymmenen vuoden takuu. Toimitamme tuotteet nopeasti koko maahan. Tilaa helposti verkkokaupastamme tai soita myyntiimme!`,
  ],
};

describe("a text of a clear register", () => {
  it.each(Object.entries(CLEAR))("is recognised: %s", async (_, [register, text]) => {
    const { found, main } = await tell(text);
    expect(found, JSON.stringify(main)).toContain(register);
    const likeliest = [...REGISTERS].sort((one, other) => main[other] - main[one])[0];
    expect(likeliest).toBe(register);
  });
});

const words = (text: string, count: number): string => text.split(/\s+/).slice(0, count).join(" ");
/** Texts without signs of a register. */
const UNSURE: Readonly<Record<string, string>> = {
  "one word": "Hello",
  "a short line of news": words(CLEAR["news in English"]?.[1] ?? "", 19),
  "a short line of a recipe": words(CLEAR["instructions in English"]?.[1] ?? "", 19),
  "a list of names":
    "Anna Berg, Kalle Lind, Ada Moss, Jean Petit, Rosa Blanco, Otto Klein, Ines Faria, Paul Grün, Eva Holm, Max Vogel, Lea Sand, Tom Hill, Mia Falk, Jan Kok, Ali Demir, Yuki Mori, Wei Chen, Nils Dahl, Ida Lund, Ken Ito, Sara Nur",
  "a list of numbers": Array.from({ length: 60 }, (_, at) => `${at * 37 + 11}`).join(" "),
  "a menu":
    "Home | News | Sport | Weather | Letters | Log in | Subscribe | Search | About us | Contact | Terms | Privacy | Cookies | Careers | Help | Shop | Archive | Video | Podcasts | Games | Jobs | Cars | Homes | Travel",
  "letters of no language":
    "xqzt vrrk plmf gthw zzkq brtv wxyp qqrt mnbv lkjh gfds poiu trew qaz wsx edc rfv tgb yhn ujm iko lpz mxn cbv vnc bmx",
  "words of a made-up language":
    "blorp fizzle quandor trimble vex norrin habble drong splee karviton mulbex tarn ovrill gresk pom zindle farrow quist nabble drosk ulmer vintor hesk blay corrin dask",
};

describe("a text without a clear register", () => {
  it.each(Object.entries(UNSURE))("has no certain register: %s", async (_, text) => {
    const { found, main, machine } = await tell(text);
    expect(found, JSON.stringify(main)).toEqual([]);
    expect(Math.max(...Object.values(main))).toBeLessThan(0.6);
    expect(machine).toBeLessThan(0.5);
  });

  const english = CLEAR["news in English"]?.[1] ?? "";
  const swedish = CLEAR["news in Swedish"]?.[1] ?? "";
  const finnish = CLEAR["a shop in Finnish"]?.[1] ?? "";
  const turns = (one: string, other: string): string =>
    one
      .split("\n")
      .flatMap((line, at) => [line, other.split("\n")[at] ?? ""])
      .join("\n");
  /** Texts in two languages. */
  const MIXED: Readonly<Record<string, string>> = {
    "English and Finnish": `${words(english, 50)} ${words(finnish, 50)}`,
    "Swedish and English": `${words(swedish, 50)} ${words(english, 50)}`,
    "English and Swedish, line by line": turns(english, swedish),
    "Finnish and Swedish, line by line": turns(finnish, swedish),
    "English and Chinese": `${words(english, 50)} ${"孩子们在桥上放风筝，卖豆花的大爷又回到了桥头。".repeat(3)}`,
  };

  it.each(Object.entries(MIXED))("has no certain register if it is in two languages: %s", async (_, text) => {
    const { found, main } = await tell(text);
    expect(found).toEqual([]);
    const { main: ofNothing } = await tell(UNSURE["one word"] ?? "");
    expect(main).toEqual(ofNothing);
  });

  it("is not one that quotes a line in another language, or is in a language without known words", async () => {
    const quoting = await tell(`${english}\n"${words(finnish, 9)}", the last line of the letter said.`);
    expect(quoting.found).toContain("NA");
    const { main: ofNothing } = await tell(UNSURE["one word"] ?? "");
    for (const text of OTHER_LANGUAGES) expect((await tell(text)).main).not.toEqual(ofNothing);
  });
});

/** News in Italian, Dutch, Danish and Polish, for which the model knows no words. */
const OTHER_LANGUAGES = [
  "Due persone sono rimaste ferite martedì mattina quando un autobus si è scontrato con un camion alla periferia della città, ha detto la polizia. L'incidente è avvenuto poco dopo le sette. I vigili del fuoco sono arrivati con tre mezzi e la strada è stata chiusa per alcune ore. Nessuno dei feriti è in pericolo di vita, secondo i medici dell'ospedale.",
  "Twee mensen raakten dinsdagochtend gewond toen een bus tegen een vrachtwagen botste, meldt de politie. Het ongeluk gebeurde kort na zeven uur op de weg naar de haven. De brandweer kwam met drie wagens en de weg werd in beide richtingen afgesloten. Volgens de artsen is geen van de gewonden in levensgevaar.",
  "To personer kom til skade, da en bus stødte sammen med en lastbil uden for byen tirsdag morgen, oplyser politiet. Ulykken skete kort efter klokken syv. Brandvæsenet rykkede ud med tre biler, og vejen blev spærret i begge retninger. Ifølge lægerne er ingen af de to alvorligt kvæstet.",
  "Dwie osoby zostały ranne we wtorek rano, gdy autobus zderzył się z ciężarówką na obrzeżach miasta, podała policja. Do wypadku doszło krótko po siódmej. Strażacy przyjechali trzema wozami, a droga była zamknięta przez kilka godzin. Według lekarzy życiu rannych nie zagraża niebezpieczeństwo.",
];

describe("words by language", () => {
  it.each<readonly [isMixed: boolean, languages: readonly number[]]>([
    [true, [60, 0, 20, 5]],
    [true, [20, 3, 0, 0, 3]],
    // One more word of one language, too few words of both, and words that three languages share.
    [false, [20, 12, 1]],
    [false, [200, 9, 8]],
    [false, [10, 8, 1, 1, 1]],
    [false, [10]],
    [false, []],
  ])("make a text mixed or not: %s %j", (wanted, languages) => {
    expect(isMixed(languages)).toBe(wanted);
  });
});

describe("a verdict", () => {
  it("follows the hierarchy, and is the same each time and in any order", async () => {
    const texts = [...Object.values(CLEAR).map(([, text]) => text), ...Object.values(UNSURE)];
    const first = [];
    for (const text of texts) first.push(await tell(text));
    for (const [at, text] of [...texts.entries()].reverse()) expect(await tell(text)).toEqual(first[at]);
    for (const { main, sub, found, machine } of first) {
      for (const [name, of] of Object.entries(SUBREGISTERS)) {
        // keys of a literal are its names
        expect(sub[name as keyof typeof SUBREGISTERS]).toBeLessThanOrEqual(main[of]);
        if (found.includes(name as keyof typeof SUBREGISTERS)) expect(found).toContain(of);
      }
      for (const value of [...Object.values(main), ...Object.values(sub), machine]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }
  });

  it("covers only the content lines, and is absent if there are none", async () => {
    const [, news] = CLEAR["news in English"] ?? [];
    const [, shop] = CLEAR["a shop in Finnish"] ?? [];
    const alone = await addRegisters(makeDocument([news ?? ""]), judge);
    const beside = await addRegisters(
      makeDocument([news ?? "", { text: shop ?? "", label: "boilerplate" }]),
      judge,
    );
    expect(beside.registers).toEqual(alone.registers);
    expect(alone.registers?.found).toContain("NA");
    const none = await addRegisters(makeDocument([{ text: "Menu", label: "boilerplate" }]), judge);
    expect("registers" in none).toBe(false);
    expect(await judge.judge([" \n\t", ""])).toBeUndefined();
  });

  it("accepts texts of any kind and length", async () => {
    for (const text of [
      "\ud800".repeat(50),
      "😀 ".repeat(50),
      "字".repeat(300_000),
      "a ".repeat(300_000),
      "\u0000 ".repeat(40),
    ]) {
      const verdict = await judge.judge([text]);
      const values = verdict === undefined ? [] : Object.values(verdict.main);
      expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
    }
  });
});
