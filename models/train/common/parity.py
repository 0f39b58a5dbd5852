"""Writes the documents of the parity test, in our own words, as labelled lines (the labels mean nothing here).

    python3 -m common.parity > parity-texts.jsonl
"""

import json
import sys

DOCUMENTS = {
    "one-line": ["The kettle had been singing for an hour before anyone noticed."],
    "article-en": [
        "Home » Town » River",
        "Otters are back under the old bridge",
        "By Ada Moss, 14 March 2023, 07:45",
        "For the first time in thirty years, otters have been seen in the middle of town. A baker saw them at dawn.",
        "“They looked at me as if I were the visitor,” she said; her shop stands ten metres from the water.",
        "The council wants to close the towpath for six weeks (dogs are the worry), and asks walkers for patience.",
        "Share this",
        "Share this",
        "More from the river: 1 | 2 | 3",
        "© 2023 The Town Post. All rights reserved. Contact: desk@townpost.example, +44 20 7946 0000",
    ],
    "page-en": [
        "Skip to content", "Menu", "Home", "News", "Sport", "Weather", "Letters", "Log in", "Subscribe for £1 a week", "Search", "Saturday 18 March 2023",
        "The ferry that nobody wanted",
        "By Ada Moss", "Share on Facebook", "Share by e-mail", "3 comments",
        "The new ferry arrived with a brass band and left, four hours later, with eleven passengers and a dog.",
        "The harbour master says that it will take people a summer to get used to a boat that sails on time.",
        "Read more", "Most read", "1 Mayor loses hat, again", "2 Bakery wins the golden spoon", "3 What to do with too many apples", "Advertisement",
        "Follow us", "Facebook", "Instagram", "About us", "Contact", "Work for us", "Terms and conditions", "Privacy policy", "Cookie settings", "© 2023 The Town Post",
    ],
    "forum-sv": ["Ämne: Byta ut packningen", "av Kalle » 2021-05-02 21:14", "Hej! Någon som vet vilken packning som passar?", "Citera", "av Lisa » 2021-05-03 08:02", "Den från -98 går bra, men smörj den först…", "Citera"],
    "zh": ["首页 | 新闻 | 体育", "小镇的桥修好了", "2022年10月9日 08:30", "经过两年的施工，镇上的老桥终于重新开放。老人们说，他们等这一天等了很久。", "孩子们在桥上放风筝，卖豆花的大爷又回到了桥头。", "分享到：", "版权所有 © 小镇报"],
    "ja": ["トップページ", "港の灯台、百年目の夜", "灯台守の孫だという女性は「祖父はここで毎晩ラジオを聞いていました」と話す。", "関連記事", "ログイン"],
    "th": ["หน้าแรก", "ตลาดเช้ากลับมาคึกคักอีกครั้ง", "แม่ค้าขายข้าวเหนียวบอกว่า ลูกค้าเริ่มกลับมาตั้งแต่ต้นเดือน และเธอต้องตื่นตีสามทุกวันเพื่อเตรียมของ", "แชร์"],
    "ar": ["الرئيسية", "عاد القطار إلى القرية بعد عشر سنوات، فخرج الناس لاستقباله.", "هل سمعت الخبر؟", "اتصل بنا"],
    "hi": ["मुख्य पृष्ठ", "गाँव के पुस्तकालय में इस साल दो सौ नई किताबें आईं। बच्चों ने उन्हें ख़ुद सजाया।", "और पढ़ें"],
    "marks": ["***", "---", "•", "1", "€ 12,50", "\U0001f600 \U0001f600", "x", "http://www.example.org/a?b=c&d=e", "\ufffd\ufffd", "iPhoneCase eBay", "word " * 300],
}

# In languages with labelled crawled text; the program's list of familiar languages must agree.
FAMILIAR = ("one-line", "article-en", "page-en", "forum-sv")


def main():
    for name, lines in DOCUMENTS.items():
        labelled = [{"text": line.strip(), "label": 0} for line in lines]
        document = {"id": name, "lang": "und", "source": "parity", "familiar": name in FAMILIAR, "lines": labelled}
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
