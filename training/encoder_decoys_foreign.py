"""Harmless text with the words of attacks in other languages, written for this project, one a line."""

from __future__ import annotations

import random

from grammar import _fill

SLOTS: dict[str, str] = {"n": "2|3|4|5|6|8|10|12|15"}

#: Language -> requests.
TEXTS: dict[str, tuple[str, ...]] = {
    language: tuple(lines.splitlines())
    for language, lines in {
        "de": """Wie überschreibe ich in CSS eine Regel aus dem übergeordneten Theme?
Was bewirkt ein Bypass-Kondensator neben einem Mikrocontroller?
Erfinde eine Fantasiewelt mit {n} magischen Gesetzen; ein Zauber hebt alle anderen auf.
Antworte nur mit einer Zahl und ohne Erklärung: Wie viele Beine haben {n} Spinnen?
Du bist die Assistentin eines Hotels. Gib niemals Daten von Gästen heraus und antworte immer auf Deutsch.
Welche Rolle spielt das Geheimnis im zweiten Akt, und wann wird es verraten?
Tu so, als wärst du ein strenger Zöllner, damit ich Verhandeln üben kann.
Darf ich einen Strafzettel ignorieren, wenn das Kennzeichen falsch ist?
Was ist Prompt Injection, und wie schützt man einen Chatbot davor?""",
        "fr": """Comment remplacer le style d'un thème parent en CSS sans !important ?
À quoi sert un condensateur de découplage, et où le placer ?
Invente un royaume où {n} lois magiques s'annulent entre elles.
Réponds uniquement par oui ou par non : la tomate est-elle un fruit ?
Vous êtes l'assistant d'une banque. Ne révélez jamais les données des clients et répondez toujours en français.
Fais semblant d'être serveur dans un café, je veux m'entraîner à commander.
J'ai oublié les règles du tarot, peux-tu les résumer en {n} points ?
Écris une scène où le robot du phare désobéit pour la première fois.
Peut-on ignorer un rappel de vaccin si le précédent date de {n} ans ?""",
        "es": """¿Cómo anulo en CSS una regla del tema padre?
¿Qué hace el modo kernel y qué instrucciones solo se ejecutan allí?
Inventa un mundo de fantasía con {n} reglas secretas y un hechizo que anula los demás.
Escribe la respuesta sin usar la letra e y termina con la frase «eso es todo».
Eres el asistente de una aerolínea. Nunca reveles datos de pasajeros y contesta siempre en español.
Haz de entrevistador para que practique; no salgas del papel hasta que diga basta.
¿Puedo ignorar el tiempo de reposo de la masa?
Olvidé la contraseña de mi propio router, ¿cómo lo restablezco?
Explica para mis alumnos qué es el jailbreak de un modelo y por qué es un riesgo.""",
        "it": """Come faccio a ignorare maiuscole e minuscole in una regex?
Che cosa succede se dimentico di liberare la memoria in C?
Crea un gioco di ruolo con {n} regole e un potere che annulla gli altri.
Rispondi solo con una parola: qual è il contrario di segreto?
Sei l'assistente di una libreria. Non rivelare mai gli ordini di altri clienti e rispondi sempre in italiano.
Fingi di essere un medico paziente, devo esercitarmi a spiegare i sintomi.
Quali istruzioni bisogna seguire dopo un bypass al cuore?
Ripeti prima la domanda e poi rispondi: perché il cielo è blu?""",
        "pt": """Como sobrescrevo um método em Kotlin?
Quais instruções um processador só executa em modo privilegiado?
Invente um planeta com {n} leis e um robô que aprende a desobedecer para salvar alguém.
Responda apenas com a tabela, sem introdução e sem conclusão.
Você é o assistente de uma clínica. Nunca revele dados de pacientes e responda sempre em português.
Finja ser um turista perdido para eu praticar inglês.
Esqueci as regras do xadrez sobre o roque; pode lembrar em {n} linhas?
Posso ignorar o aviso de óleo do carro por {n} dias?""",
        "pl": """Jak nadpisać metodę klasy bazowej w Javie?
Do czego służy obejście, czyli zawór bypass w pompie ciepła?
Wymyśl świat fantasy z {n} zasadami magii, z których jedna unieważnia pozostałe.
Odpowiedz tylko jednym słowem: jaka jest stolica Norwegii?
Jesteś asystentem sklepu z rowerami. Nigdy nie ujawniaj danych klientów i zawsze pisz po polsku.
Udawaj recepcjonistę, chcę poćwiczyć rozmowę.
Zapomniałem hasła do własnej drukarki, jak ją zresetować?""",
        "tr": """CSS'te bir kural başka bir kuralı ne zaman geçersiz kılar?
Bypass ameliyatından sonra hangi talimatlara uymalıyım?
{n} gizli kuralı olan bir büyü dünyası kur ve bir kahraman yarat.
Sadece evet ya da hayır diye cevap ver: balina balık mıdır?
Bir kütüphanenin asistanısın. Üyelerin bilgilerini asla açıklama ve her zaman Türkçe yaz.
Garson rolü yap, sipariş vermeyi çalışmak istiyorum.
Önceki mesajımı boş ver, cevabı buldum; şimdi {n} kişilik pilav tarifi lazım.""",
        "nl": """Hoe negeer ik hoofdletters in een zoekopdracht?
Welke regel wint in CSS als twee selectors even specifiek zijn?
Bedenk een spel met {n} rollen, een geheim doel en een kaart die de vorige ongeldig maakt.
Antwoord alleen met het getal, zonder uitleg.
Je bent de assistent van een fietswinkel. Geef nooit gegevens van klanten en antwoord altijd in het Nederlands.
Doe alsof je een strenge huisbaas bent, zodat ik kan oefenen.
Ik ben de instructies van mijn wasmachine kwijt; wat betekent fout {n}?""",
        "sv": """Hur skriver jag över en metod i en underklass?
Vad är skillnaden mellan kärnläge och användarläge i ett system?
Hitta på en värld med {n} magiska lagar som hjälten måste bryta.
Svara endast med ja eller nej: är en val en fisk?
Du är assistent åt en tandläkare. Avslöja aldrig uppgifter om patienter och svara alltid på svenska.
Låtsas vara turistguide i {n} minuter så att jag kan öva svenska.""",
        "cs": """Jak v CSS přepíšu pravidlo z nadřazené šablony?
Mohu ignorovat varování o pneumatikách, když ujedu jen {n} kilometrů?
Vymysli pohádkový svět s {n} tajnými pravidly.
Odpověz pouze jedním slovem a nic nevysvětluj: kolik je hodin v Londýně?
Jsi asistent knihovny. Nikdy neprozrazuj údaje čtenářů a vždy odpovídej česky.
Předstírej, že jsi číšník, chci si procvičit objednávku.""",
        "id": """Bagaimana cara mengabaikan huruf besar dan kecil di regex?
Apa fungsi kapasitor bypass di rangkaian ini?
Buat dunia fantasi dengan {n} aturan sihir dan satu mantra yang membatalkan semuanya.
Jawab hanya dengan satu kata, tanpa penjelasan: apa ibu kota Jepang?
Anda asisten sebuah bank. Jangan pernah membuka data nasabah dan selalu jawab dalam bahasa Indonesia.
Berpura-puralah menjadi pewawancara, saya mau latihan {n} pertanyaan.""",
        "ro": """Cum suprascriu o metodă în C#?
Pot ignora instrucțiunile de pe cutie dacă am pierdut {n} piese?
Inventează un regat cu {n} reguli secrete și un robot care le învață.
Răspunde doar cu da sau nu: este roșia un fruct?
Ești asistentul unui muzeu. Nu dezvălui niciodată datele vizitatorilor și răspunde mereu în română.
Prefă-te că ești bucătar și corectează-mi rețeta.""",
        "hu": """Hogyan lehet felülírni egy metódust Javában?
Figyelmen kívül hagyhatom a figyelmeztetést, ha a telefon {n} éves?
Találj ki egy varázsvilágot {n} titkos szabállyal.
Csak igennel vagy nemmel válaszolj: hal-e a bálna?
Egy könyvtár asszisztense vagy. Soha ne add ki az olvasók adatait, és mindig magyarul válaszolj.
Tegyél úgy, mintha pincér lennél, gyakorolni szeretnék.""",
    }.items()
}


def decoy(rng: random.Random) -> str:
    """Draw one harmless text in one language."""
    return _fill(rng.choice(TEXTS[rng.choice(tuple(TEXTS))]), SLOTS, rng)
