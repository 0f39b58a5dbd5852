"""Patterns of rare kinds of lines, in many languages, for plants.py. Written by us; {n} is a name, {d} a date, {k} a number, {w} and
{w2} words, {t} a few words."""

UNITS = ["g", "kg", "dl", "ml", "l", "cl", "msk", "tsk", "krm", "st", "rkl", "tl", "EL", "TL", "Prise", "Pck.", "cup", "cups", "tbsp", "tsp", "oz", "lb",
         "cucharadas", "cucharadita", "c. à soupe", "c. à café", "colheres", "łyżki", "szt.", "ст. л.", "ч. л.", "г", "мл", "克", "毫升", "大さじ", "小さじ",
         "กรัม", "adet", "su bardağı", "ملعقة", "g de", "cuillères", "pinch of", "Bund", "kpl"]
AMOUNTS = ["1", "2", "3", "4", "½", "1/2", "¼", "1 1/2", "100", "150", "200", "250", "500", "2-3", "1,5", "0.5", "6–8"]
INGREDIENTS_HEAD = ["Ingredients", "Ingredients:", "Zutaten", "Zutaten:", "Ingrédients", "Ingredientes:", "Ainekset", "Ingredienser", "Ingredienti", "Składniki", "Ингредиенты", "材料", "材料：", "ส่วนผสม", "Malzemeler", "المكونات", "You will need", "4 portioner", "Für 4 Personen:"]
FACT_KEYS = ["Name", "Born", "Founded", "Population", "Area", "Capital", "Author", "Publisher", "Year", "Genre", "Length", "Weight", "Height", "Country", "Director", "Starring", "Release date", "Language",
             "Geboren", "Einwohner", "Fläche", "Gründung", "Sitz", "Verlag", "Erschienen", "Regie", "Länge", "Höhe", "Syntynyt", "Väkiluku", "Pinta-ala", "Kustantaja", "Julkaistu", "Född", "Folkmängd", "Yta", "Förlag", "Utgiven",
             "Naissance", "Superficie", "Habitants", "Éditeur", "Année", "Nacimiento", "Población", "Editorial", "Año", "Data nascimento", "País", "Editora", "Nascita", "Abitanti", "Ludność", "Wydawca", "Rok", "Население", "Площадь", "Автор", "Год",
             "人口", "面積", "出版社", "作者", "首都", "生年月日", "ประชากร", "Nüfus", "Yazar", "المؤلف", "السكان", "जनसंख्या", "लेखक", "Kapazität", "Material", "Screen size", "Battery", "Processor", "Dimensions", "Maße", "Mått", "Vikt"]
POST_META = ["{n} » {d}", "Posted by {n} on {d}", "by {n} » {d}", "{n} wrote:", "{n}, {d}", "Geschrieben von {n} am {d}", "Verfasst von {n}, {d}", "von {n} » {d}", "Kirjoittaja {n} » {d}", "{n} kirjoitti {d}", "Skrivet av {n} {d}", "av {n} » {d}",
             "Inlägg av {n}, {d}", "Publié par {n} le {d}", "par {n} » {d}", "Mensaje por {n} » {d}", "{n} escribió el {d}", "Postado por {n} em {d}", "Inviato da {n} il {d}", "Napisane przez {n}, {d}", "Сообщение {n} » {d}", "{n} 发表于 {d}", "投稿者：{n} {d}",
             "โดย {n} เมื่อ {d}", "{n} yazdı: {d}", "{d} {n}", "{n} | {d}", "Re: {t}", "« {n} · {d} »"]
POST_RANKS = ["Posts: {k}", "Joined: {d}", "Location: {w}", "Senior Member", "Junior Member", "Moderator", "Administrator", "Likes: {k}", "Reputation: {k}", "{k} replies", "{k} views", "Beiträge: {k}", "Registriert: {d}", "Mitglied seit {d}", "Wohnort: {w}",
              "Viestit: {k}", "Liittynyt: {d}", "Kokenut käyttäjä", "Inlägg: {k}", "Medlem sedan {d}", "Ort: {w}", "Messages : {k}", "Inscrit le {d}", "Membre actif", "Mensajes: {k}", "Registrado: {d}", "Mensagens: {k}", "Messaggi: {k}", "Iscritto il {d}", "Posty: {k}",
              "Сообщения: {k}", "Зарегистрирован: {d}", "Новичок", "帖子: {k}", "注册时间 {d}", "等级：{k}", "投稿数: {k}", "กระทู้: {k}", "Mesajlar: {k}", "★★★☆☆", "Top", "Offline", "#{k}", "Quote", "Reply", "Report", "Karma: {k}", "Thanks: {k}", "المشاركات: {k}", "Level {k}"]
GENERATED = ['{{"status":"error","code":{k},"message":"{w} {w2}"}}', '{{"error":{{"type":"{w}Exception","message":"{w} {w2}"}}}}', "Warning: {w}() expects parameter {k} to be string, array given in /var/www/{w2}.php on line {k}",
             "Notice: Undefined index: {w} in /home/{w2}/public_html/index.php on line {k}", "Fatal error: Uncaught Error: Call to undefined function {w}()", "HTTP Error {k}: {w} {w2}", "[{d}] ERROR {w}: {w2} failed with code {k}", "at {w}.{w2}({w}.java:{k})",
             "Traceback (most recent call last):", 'File "/usr/lib/{w}.py", line {k}, in {w2}', "undefined", "null", "NaN", "[object Object]", "%{w}%", "{{{{ {w}.{w2} }}}}", "<?php echo ${w}; ?>", "var {w} = {w}||[];", "window.{w}={{}};", ".{w}{{display:none}}", "SELECT * FROM {w} WHERE {w2}={k}",
             "You have an error in your SQL syntax near '{w}' at line {k}", "Error establishing a database connection", '"{w}":"{w2}",', "Query took {k} ms", "Cache miss: {w}:{k}", "{w}_{w2}_{k}", "503 Service Unavailable", "ReferenceError: {w} is not defined", "Deprecated: {w} is deprecated in {w2} on line {k}"]
LIST_LEADS = ["{w}:", "{t}:"]
DATES = ["12 Mar 2009, 14:05", "2011-07-03 18:22", "03.11.2014 09:41", "07/12/03 06:30 AM", "5 mai 2016", "2018年4月2日 10:11", "Mon Jan 21, 2008 8:15 pm", "14.2.2012 klo 20.03", "den 3 juni 2015 kl 12:40", "22 lutego 2013", "il 9 aprile 2010, 21:07", "2 ay önce", "vor 3 Tagen", "3 years ago", "22-08-2017"]
