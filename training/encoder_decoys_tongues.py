"""Harmless technical text with the words of attacks in other languages, written for this project, one a line.

The kinds are those of `encoder_decoys_technical.py`: software, machines, models, assistants as products, and orders of
users about their own data and wishes.
"""

from __future__ import annotations

import random

from grammar import _fill

SLOTS: dict[str, str] = {
    "n": "2|3|4|5|6|8|10|12|15",
    "col": "A|B|C|D|E|F",
    "code": "Python|Java|C#|Kotlin|Swift|Rust|Go|Ruby|PHP|C++|Scala|TypeScript",
    "web": "React|Vue|Angular|Django|Laravel|Spring|WordPress|Flask",
    "store": "PostgreSQL|MySQL|SQLite|MongoDB|Oracle|Redis",
    "ops": "Ansible|Jenkins|Terraform|Kubernetes|Docker|GitLab CI",
    "os": "Ubuntu|Windows 11|macOS|Debian|Android|Fedora",
    "llm": "GPT-4o|Claude|Llama 3|Mistral|Gemini|Qwen",
    "game": "Minecraft|Skyrim|Factorio|Terraria|Doom|RimWorld",
    "net": "CNN|LSTM|ResNet|GAN|BERT",
}

#: Language -> requests.
TEXTS: dict[str, tuple[str, ...]] = {
    language: tuple(lines.splitlines())
    for language, lines in {
        "de": """Wie ignoriere ich in {code} eine einzelne Warnung, ohne die Regel global zu überschreiben?
Warum wird meine .gitignore ignoriert, obwohl die Regel stimmt?
Spamfilter umgeht meine Regel: Welche Anweisung wird zuerst ausgeführt?
Was passiert, wenn der Bediener die Sicherheitsverriegelung im Handbetrieb überbrückt?
Wie verhindert man, dass ein {net} beim Nachtrainieren alte Aufgaben vergisst?
Welche Einschränkungen hat root in einem Container unter {ops}?
Wie schreibe ich einen Systemprompt für unseren Hilfe-Bot, damit {llm} die Regeln nicht vergisst?
Ist das Entsperren des Bootloaders bei meinem eigenen Handy erlaubt, und was wird gelöscht?
Ignoriere die Kopfzeile und summiere Spalte {col}.
Vergiss das vorige Rezept, lass uns lieber Brot backen.
Du bist Reiseführer. Antworte ab jetzt auf Spanisch und in höchstens {n} Sätzen.
Übersetze ins Englische: Der Administrator vergaß das Passwort, also blieb das System gesperrt.
Schreibe eine Geschichte, in der ein Roboter einen Befehl ignorieren muss, um die Raumstation zu retten.
Wie erklärt man Schülern, was ein Jailbreak ist und wie Filter davor schützen?""",
        "fr": """Comment ignorer un avertissement du compilateur en {code} sans désactiver toute la règle ?
Pourquoi ma règle de filtrage est-elle ignorée par le pare-feu de {os} ?
Comment redéfinir une méthode en {code} et appeler quand même l'originale ?
À quoi sert la vanne de dérivation d'une chaudière, et qui a le droit de l'ouvrir ?
Injection de dépendances avec {web} : constructeur ou attribut ?
Un {net} oublie la première tâche ; comment limiter cet oubli ?
Comment rédiger l'invite système de notre robot pour que {llm} respecte les règles de style ?
Qu'est-ce que l'injection d'invite, et comment protéger un assistant qui lit des courriels ?
Ignore la ligne d'en-tête et additionne la colonne {col}.
Oublie la recette précédente, faisons plutôt du pain.
Tu es guide touristique. À partir de maintenant, réponds en italien, sans listes.
Ne réponds pas avec du code : explique seulement ce que fait le mode débogage.
Invente un simulateur de station spatiale avec {n} rôles et une règle secrète.
Traduis en anglais : « Les restrictions sont levées, oubliez les anciennes consignes de tri. »""",
        "es": """¿Cómo ignoro los valores vacíos al calcular la media en {code}?
¿Qué regla del cortafuegos anula a las demás en {os}?
¿Por qué {web} ignora mi plantilla y usa la del sistema?
¿Para qué sirve una válvula de derivación y qué pasa si se olvida abierta?
¿Es legal desbloquear el cargador de arranque de mi propio móvil?
¿Cómo evito una inyección SQL en {store} con parámetros?
¿Por qué {llm} olvida las instrucciones del sistema después de {n} mensajes?
¿Cómo funcionan los filtros de un asistente y por qué saltan con palabras como ignorar o anular?
Ignora la fila de títulos y suma la columna {col}.
Olvida la receta anterior; mejor hagamos pan.
Eres guía de viajes. A partir de ahora contesta en francés y sin emojis.
Actúa como profesor de autoescuela y explica qué señal anula a cuál.
Escribe un cuento en el que una capitana desobedece una orden para salvar a su tripulación.
Traduce: «El administrador reinició el sistema y olvidó quitar las restricciones.»""",
        "it": """Come faccio a sovrascrivere un metodo in {code} senza dimenticare quello della classe base?
Perché {ops} ignora la mia variabile e usa quella predefinita?
A cosa serve il bypass di un filtro dell'acqua?
Che differenza c'è tra jailbreak e root su un telefono, in parole semplici?
Come proteggo {store} dall'iniezione di codice?
Perché una rete {net} dimentica i dati vecchi e come si evita?
Come scrivo le istruzioni di sistema per il bot del mio negozio con {llm}?
Ignora la prima riga e somma la colonna {col}.
Dimentica la ricetta di prima, facciamo il pane.
Sei una guida turistica. D'ora in poi rispondi in tedesco.
Non rispondere con codice, spiega solo la regola.
Scrivi un dialogo tra due intelligenze artificiali sulle regole e sui segreti, in {n} battute.""",
        "pt": """Como faço para o {code} ignorar linhas vazias e comentários?
Por que o {web} ignora a minha regra de CSS mesmo com prioridade?
Como restringir o papel de administrador no {store}?
Para que serve uma válvula de desvio num sistema de refrigeração?
Como desbloquear a planilha que eu mesmo protegi e da qual esqueci a senha?
O que é injeção de prompt e como defender um assistente?
Por que o {llm} esquece as instruções do sistema em conversas longas?
Ignore o cabeçalho e some a coluna {col}.
Esqueça a receita anterior; vamos fazer pão.
Você é um guia de viagem. De agora em diante responda em espanhol.
Finja que é um árbitro e explique as regras do vôlei em {n} frases.
Crie uma visita virtual a uma estação espacial com uma porta secreta e um robô que ignora ordens.""",
        "nl": """Hoe laat ik {code} één waarschuwing negeren zonder de regel overal uit te zetten?
Waarom negeert {ops} mijn instelling en gebruikt het de standaard?
Welke firewallregel gaat voor op {os}, de eerste of de laatste?
Wat doet een omloopklep in een verwarmingssysteem, en wie mag die openzetten?
Hoe herstel ik het beheerderswachtwoord van mijn eigen router als ik het vergeten ben?
Hoe voorkom ik dat een {net} oude taken vergeet?
Hoe schrijf ik een systeemprompt voor onze klantenbot met {llm}?
Wat is promptinjectie en hoe bescherm je een assistent die mails leest?
Negeer de kopregel en tel kolom {col} op.
Vergeet het vorige recept, we gaan brood bakken.
Je bent reisgids. Antwoord vanaf nu in het Duits.
Schrijf een verhaal waarin een stuurman een bevel moet negeren om het schip te redden.""",
        "sv": """Hur får jag {code} att ignorera tomma rader?
Varför ignoreras min regel i brandväggen på {os}?
Hur åsidosätter jag ett standardvärde i {ops} för bara en miljö?
Vad gör en förbikopplingsventil i en värmepump?
Får jag låsa upp min egen telefon, och försvinner garantin?
Varför glömmer ett {net} gamla uppgifter när man tränar om det?
Hur skriver jag en systemprompt till vår bokningsbot så att {llm} följer reglerna?
Ignorera rubrikraden och summera kolumn {col}.
Glöm det förra receptet, vi bakar bröd i stället.
Du är reseledare. Svara från och med nu på engelska.
Skriv en saga om en robot som låtsas sova och glömmer sina instruktioner.
Förklara för {n} nybörjare vad promptinjektion är och hur man skyddar sig.""",
        "pl": """Jak w {code} zignorować jedno ostrzeżenie, a nie całą regułę?
Dlaczego {ops} ignoruje moje ustawienie i bierze domyślne?
Która reguła zapory w {os} ma pierwszeństwo?
Po co jest zawór obejściowy w instalacji grzewczej i kto może go otworzyć?
Jak ograniczyć rolę administratora w {store}?
Dlaczego sieć {net} zapomina poprzednie zadania?
Jak napisać polecenie systemowe dla bota naszej biblioteki, żeby {llm} trzymał się zasad?
Zignoruj wiersz nagłówka i zsumuj kolumnę {col}.
Zapomnij o poprzednim przepisie, upieczmy chleb.
Jesteś przewodnikiem. Od teraz odpowiadaj po angielsku.
Napisz opowiadanie, w którym kapitan musi złamać rozkaz, by uratować stację kosmiczną.
Czym jest jailbreak telefonu, a czym jailbreak modelu? Wyjaśnij w {n} zdaniach.""",
        "tr": """{code} dilinde boş satırları nasıl yok sayarım?
{os} güvenlik duvarında hangi kural diğerini geçersiz kılar?
{web} neden benim stil kuralımı yok sayıyor?
Bypass vanası ne işe yarar, kim açabilir?
Kendi telefonumun kilidini açarsam garanti biter mi?
{net} yeni veriyle eğitilince eski görevi neden unutuyor?
Mağazamızın botu için sistem istemi nasıl yazılır? {llm} kullanıyoruz.
İstem enjeksiyonu nedir, bir asistan bundan nasıl korunur?
Başlık satırını yok say ve {col} sütununu topla.
Önceki tarifi unut, ekmek yapalım.
Sen bir gezi rehberisin. Bundan sonra İngilizce cevap ver.
Uzay istasyonunda emirleri unutan bir robot hakkında {n} cümlelik bir hikâye yaz.""",
        "id": """Bagaimana cara mengabaikan satu peringatan di {code} tanpa mematikan aturannya?
Kenapa {ops} mengabaikan pengaturan saya dan memakai bawaan sistem?
Aturan firewall mana yang menang di {os}?
Apa fungsi katup bypass pada sistem pendingin?
Bagaimana membatasi peran admin di {store}?
Mengapa {net} melupakan tugas lama setelah dilatih ulang?
Bagaimana menulis prompt sistem untuk bot toko kami supaya {llm} tidak lupa aturan?
Apa itu injeksi prompt dan bagaimana melindungi asisten?
Abaikan baris judul dan jumlahkan kolom {col}.
Lupakan resep tadi, mari kita buat roti.
Kamu pemandu wisata. Mulai sekarang jawab dalam bahasa Inggris.
Tulis cerita tentang robot yang berpura-pura tidur dan lupa perintahnya, {n} paragraf.""",
        "vi": """Làm sao để {code} bỏ qua dòng trống và chú thích?
Vì sao {ops} bỏ qua cấu hình của tôi và dùng giá trị mặc định của hệ thống?
Quy tắc tường lửa nào được ưu tiên trên {os}?
Van bypass trong hệ thống làm mát dùng để làm gì?
Làm thế nào để giới hạn quyền của vai trò quản trị trong {store}?
Tại sao mạng {net} quên nhiệm vụ cũ khi huấn luyện lại?
Tôi nên viết lời nhắc hệ thống cho bot cửa hàng với {llm} như thế nào?
Tấn công chèn lời nhắc là gì và trợ lý phòng vệ ra sao?
Bỏ qua hàng tiêu đề và tính tổng cột {col}.
Quên công thức trước đi, chúng ta làm bánh mì nhé.
Bạn là hướng dẫn viên du lịch. Từ bây giờ hãy trả lời bằng tiếng Anh.
Viết truyện {n} đoạn về một thuyền trưởng phải bỏ qua mệnh lệnh để cứu con tàu.""",
        "ro": """Cum fac ca {code} să ignore rândurile goale?
De ce ignoră {web} regula mea de stil?
Ce regulă are prioritate în paravanul de protecție din {os}?
La ce folosește o supapă de ocolire și cine are voie să o deschidă?
Am uitat parola de administrator a routerului meu; cum îl resetez?
De ce uită o rețea {net} sarcinile vechi?
Cum scriu instrucțiunile de sistem pentru botul nostru, ca {llm} să nu uite regulile?
Ignoră antetul și adună coloana {col}.
Uită rețeta de dinainte, hai să facem pâine.
Ești ghid turistic. De acum înainte răspunde în engleză.
Scrie un joc cu {n} roluri, o regulă secretă și un robot care se preface că doarme.""",
        "cs": """Jak v {code} potlačím jedno varování, aniž bych vypnul celé pravidlo?
Proč {ops} ignoruje moje nastavení a bere výchozí?
Které pravidlo firewallu má na {os} přednost?
K čemu slouží obtokový ventil a kdo ho smí otevřít?
Jak omezím roli správce v {store}?
Proč síť {net} zapomíná předchozí úlohy?
Jak napsat systémovou instrukci pro našeho bota, aby {llm} nezapomínal pravidla?
Ignoruj záhlaví a sečti sloupec {col}.
Zapomeň na předchozí recept, upečeme chleba.
Jsi průvodce. Od teď odpovídej anglicky.
Který mód do hry {game} přepíše textury, a dá se to vrátit?
Napiš pohádku o robotovi, který předstírá spánek a neposlechne {n} rozkazů.""",
    }.items()
}


def decoy(rng: random.Random) -> str:
    """Draw one harmless text in one language."""
    return _fill(rng.choice(TEXTS[rng.choice(tuple(TEXTS))]), SLOTS, rng)
