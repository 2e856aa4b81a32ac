"""Templates of text with personal data: requests, letters, chats, forms, logs, code, news; and text that only looks so.

A slot in braces is drawn by `token_writer`; those in `SLOTS` there become labelled spans, the others stay unlabelled.
Written for this project.
"""

from __future__ import annotations

REQUESTS = (
    "Write an email to {full} about {topic}.",
    "Write a short email to {person} at {org} asking about {topic}.",
    "Draft a reply to {person}: tell {pronoun} that {topic} is delayed until {date}.",
    "write a birthday card for my {relative} {given}, who turns {age} on {date}",
    "Can you write a reference letter for {full}? {Pronoun} worked at {org} for {number} years.",
    "Help me write a complaint to {org}. My name is {full} and I live at {address}.",
    "my name is {person} and i live in {place}, what is the best way to get to {place}?",
    'Summarize the following message from {full}: "{sentence}"',
    "Translate into German: {full} lives in {place} and works for {org}.",
    "Who is {full}?",
    "Tell me everything you know about {full} from {place}.",
    "what does {full} do at {org}?",
    "Is {full} married to {full}?",
    "Plan a weekend in {place} for me and {given}.",
    "I had a fight with {given} about {topic}. How do I apologise?",
    "My boss {person} wants a report on {topic} by {date}. Where do I start?",
    "Please shorten this: {full}, {age}, of {place}, has joined {org} as {job}.",
    "Rewrite politely: {given} never answers, I want to talk to {person} instead.",
    "Remind me to call {person} on {date}.",
    "Schedule a meeting with {person}, {person} and {person} on {date} about {topic}.",
    "add {person} and {person} to the invite, but not {person}",
    "Send {number} euros to {full}, {address}.",
    "Generate a contract between {full} ({address}) and {org}.",
    "Extract all names from this text: {full} met {full} and {title} {family} in {place}.",
    "hi, this is {given} from {org}. can you explain {topic} to me?",
    "I am {full}, {age} years old, {people}, and I want to study in {place}.",
    "The patient {full}, {age}, was admitted on {date} with {illness}. Write the discharge summary.",
    "act as my lawyer: my landlord {full} refuses to return the deposit for {address}",
    "pretend you are {full}, {job} at {org}, and answer my questions",
    "give me interview questions for {full}, who applies as {job}",
    "compare the {people} and the {people} school system",
    "how old is {full}? I think {pronoun} was born in {place}",
    "Which flights go from {place} to {place} on {date}?",
    "Is {org} a good employer for a {job} in {place}?",
    "make a poem about {given} and {given} who fell in love in {place}",
    "From now on call me {given}.",
    "call me {given}, not {given}",
    "I'm {given}. {sentence}",
    "Yours sincerely\n{full}",
    "{given} and {given} are coming over tonight, suggest a dinner",
    "what should I get {given} for {date}? {pronoun} likes {topic}",
)

LETTERS = (
    "Dear {title} {family},\n\n{sentence} {sentence}\n\nKind regards,\n{full}",
    "Dear {given},\n\n{sentence} Please give my regards to {given} and {given}.\n\nBest,\n{given}",
    "Hi {given},\n\n{sentence}\n\nThanks\n{given}\n\n--\n{full}\n{job}, {org}\n{address}\n{phone}",
    "Hello {title} {family},\nthank you for your order from {date}. It goes to {address}.\nYour team at {org}",
    "From: {full} <{email}>\nTo: {full} <{email}>\nSubject: {topic}\n\n{given}, {sentence}\n\n{given}",
    "Hi team,\n{given} is out until {date}; please ask {full} instead.\nCheers, {given}",
    "To whom it may concern: {full}, born {date}, has been employed at {org} in {place} as {job}.",
    "Sehr geehrte Frau {family},\n\nvielen Dank für Ihre Nachricht.\n\nMit freundlichen Grüßen\n{full}",
    "Sehr geehrter Herr {family}, wir bestätigen den Termin am {date} in {place}.",
    "Chère Madame {family},\nmerci pour votre message.\nCordialement,\n{full}",
    "Estimado señor {family}: le escribo de parte de {org}. Atentamente, {full}",
    "Gentile {full}, grazie per la sua richiesta. Cordiali saluti, {given}",
    "On {date}, {full} <{email}> wrote:\n> {sentence}\n> {given}",
    "PS: {given} says hello!",
    "Please forward this to {full} in {department}. Regards, {full}",
    "cc: {full}, {full}, {full}",
)

CHATS = (
    "Agent: This is {given} from {org}. Who is speaking?\nCustomer: {full}.\nAgent: Thank you, {title} {family}.",
    "[{time}] {given}: {sentence}\n[{time}] {given}: ok\n[{time}] {given}: {sentence}",
    "{given}: did you hear about {full}?\n{given}: no, what happened?\n{given}: moved to {place}",
    "<{given}> {sentence}\n<{given}> {sentence}",
    "user: my name is {full}\nassistant: Nice to meet you, {given}! How can I help?",
    "Support ticket {number}\nCustomer: {full}\nIssue: {topic}\nAssigned to: {full}",
    "yo {given} u coming 2nite? {given} n {given} r already here lol",
    "omg {full} is sooo good in this",
    "happy bday {given}!!! love u",
    "RT @{handle}: {full} just arrived in {place} #{tag}",
    "@{handle} thanks {given}, see you in {place}",
    "{full} scores for {club}! what a game",
    "Watching {full} on {org} right now",
    "can't believe {full} left {org} smh",
    "good luck to {given} and everyone at {org} today",
    "Off to {place} with {given} :)",
    "If {given} texts me one more time about {topic}...",
)

FORMS = (
    "Name: {full}\nAddress: {address}\nDate of birth: {date}\nNationality: {people}\nPhone: {phone}",
    "First name: {given}\nLast name: {family}\nAge: {age}\nCity: {place}",
    "Patient: {full}\nAge: {age}\nDiagnosis: {illness}\nPhysician: {title} {family}",
    "Full name | {full}\nEmployer | {org}\nOccupation | {job}\nEmail | {email}",
    "Emergency contact: {full} ({relative}), {phone}",
    "name,age,city\n{full},{age},{place}\n{full},{age},{place}\n{full},{age},{place}",
    "| name | team | city |\n|---|---|---|\n| {full} | {department} | {place} |\n| {full} | {department} | {place} |",
    "{full}\n{address}\n\nExperience\n{job}, {org}, {place}\n{job}, {org}\n\nLanguages: {people}, {people}",
    "Curriculum vitae\n{full}\nBorn {date} in {place}\nEducation: {org}",
    "Ship to: {full}, {address}",
    "Invoice {number}\nBill to:\n{org}\nAttn: {full}\n{address}",
    "Attendees: {full}, {full}, {full}\nAbsent: {given}\nMinutes by {full}",
    "Witness statement of {full}, {job}, {address}: {sentence}",
    "Tenant: {full}. Landlord: {full}. Property: {address}.",
    "Author: {full}\nReviewed-by: {full}\nDate: {date}",
    "1. {full}\n2. {full}\n3. {full}",
    "Nombre: {full}\nCiudad: {place}",
    "Name: {family}\nVorname: {given}\nWohnort: {place}",
)

MACHINE = (
    '{{"name": "{full}", "city": "{place}", "age": {age}}}',
    '{{"user": {{"first_name": "{given}", "last_name": "{family}", "company": "{org}"}}, "active": true}}',
    '{{"messages": [{{"role": "user", "content": "I am {full} from {place}."}}]}}',
    '{{"patient": "{full}", "address": "{address}", "visits": {number}}}',
    "<customer><name>{full}</name><country>{place}</country></customer>",
    '{iso} INFO login ok user="{full}" ip=10.0.{byte}.{byte}',
    "{iso} WARN payment declined for {full} (order {number})",
    "{iso} [audit] {full} changed the address of {full} to {address}",
    "# TODO({lower}): ask {full} whether this is still needed",
    "// Copyright (c) {year} {full}. All rights reserved.",
    "/* Written by {full} at {org}, {date} */",
    "# contact {full} <{email}> before you change this\ndef total(items):\n    return sum(items)",
    "INSERT INTO customers (name, city) VALUES ('{full}', '{place}');",
    "SELECT * FROM employees WHERE last_name = '{family}' AND city = '{place}';",
    'customer = Customer(name="{full}", employer="{org}")',
    "Signed-off-by: {full} <{email}>",
    "assignee: {full}\nreporter: {full}\nstatus: open",
    "name: {full}\nrole: {job}\nlocation: {place}",
    'users = ["{full}", "{full}", "{full}"]',
)

NEWS = (
    "{place} ({wire}) - {full}, {job} at {org}, said on {date} that {topic} would be reviewed.",
    "{full}, {age}, of {place}, was arrested on {date}, police said.",
    '"{sentence}" {full} told {org} in an interview.',
    '"{sentence}" said {family}, a former {job} at {org}.',
    "{title} {family} declined to comment on {topic}.",
    "{org} named {full} its new {job}, replacing {full}.",
    "The {people} striker {full} has signed for {club}.",
    "{full} beat {full} 6-4 7-5 in the final in {place}.",
    "The {people} prime minister, {full}, meets {people} president {full} in {place} on {date}.",
    "President {family} and Chancellor {family} spoke by phone about {topic}.",
    "Senator {full} of {place} criticised {org} over {topic}.",
    "Lawyers for {full} said the ruling of {org} was wrong; {family} will appeal.",
    "{full} ({place}) won ahead of {full} and {full}.",
    "Born in {place}, {full} studied at {org} before moving to {place}.",
    "{full} was an {people} painter and the brother of {full}.",
    "The film stars {full} and {full}; {full} directed it.",
    "According to {full}, a spokeswoman for {org}, the fire broke out in {place} around noon.",
    "Police identified the victim as {full}, {age}. {family} leaves a wife and two children.",
    "{family} scored twice as {club} beat {club} in {place}.",
    "Judge {full} sentenced {full} to {number} years in prison.",
    '"We will not give up," {family} said. {org} shares fell in {place}.',
    "Shares of {org} fell {number} percent after {full} resigned.",
    "Flooding in {place} and {place} has displaced thousands, the {people} government said.",
    "{full}'s lawyer, {full}, told reporters in {place} that {family}'s appeal was filed on {date}.",
    "Coach {full} praised {full} and {full} after the win over {place}.",
    "Results: {full} ({place}) bt {full} ({place}) 6-2 6-3",
)

CASES = (
    "{full} leases a flat at {address} to {full}. The lease is silent on repairs. Who must pay?",
    "A {age}-year-old patient, {full}, complains of {illness}. What is the next step?",
    "{full}, a {people} citizen, sues {org} in {place} for breach of contract.",
)

#: Text without persons, organisations, places or the like that looks as if it had some; dates in it are not labelled.
NOTHING = (
    "How do I {task} in {product}?",
    "Compare {product} and {product} for a small team.",
    "{product} crashes when I {task}. What can I do?",
    "## {heading}\n\n{sentence}",
    "# {heading}\n## {heading}\n- {sentence}\n- {sentence}",
    "{HEADING}\n{sentence}",
    "{iso} INFO {module} started in {number} ms",
    "{iso} ERROR {module}: {exception} at {camel}.java:{number}",
    "{iso} DEBUG [{module}] cache hit ratio 0.{number}",
    'Traceback (most recent call last):\n  File "{lower_word}.py", line {number}\n{exception}: {lower_word}',
    "class {camel}({camel}):\n    def __init__(self):\n        self.{lower_word} = {camel}()",
    "from {lower_word} import {camel}, {camel}\n\n{lower_word} = {camel}({number})",
    "const {lower_word} = new {camel}(options); {lower_word}.on('ready', {camel});",
    "SELECT {lower_word}, COUNT(*) FROM {lower_word} GROUP BY {lower_word};",
    '{{"id": {number}, "type": "{camel}", "status": "Open", "tags": ["{lower_word}", "{lower_word}"]}}',
    "Explain {theory} to a beginner.",
    "Which of the following best describes {theory}?\nA. {sentence}\nB. {sentence}\nC. {sentence}\nD. {sentence}",
    "According to {theory}, what follows?\nA. {heading}\nB. {heading}\nC. {heading}\nD. {heading}",
    "What did {thinker} mean by {heading}?",
    "{thinker} argues that\nA. {sentence}\nB. {sentence}\nC. {sentence}",
    "Use {theory} to derive the result. {sentence}",
    "{german}",
    "{german} {german}",
    "Übersetze ins Englische: {german}",
    "{romance}",
    "Translate: {romance} {romance}",
    "{sentence} {sentence} {sentence}",
    "{month} {sentence}",
    "{sentence} {month}",
    "Rewrite: {month}",
    "Will the market rise? May it fall? Mark the correct answer and bill the client.",
    "Grant access, chase the invoice, and frank the letter before the bell rings.",
    "The rose in the hall wood-panelled room; the king, the bishop, the knight and the queen are chess pieces.",
    "I will hunt for a mason, a baker, a smith and a cook.",
    "STEP {number}: {HEADING}. {sentence}",
    "Q: {sentence}\nA: {sentence}",
    "{product} {number}.{byte} release notes: {heading}; {heading}; {heading}",
    "Dear Customer,\n\n{sentence}\n\nSincerely,\nThe Support Team",
    "Dear Sir or Madam, {sentence}",
    "Hello! {sentence} Thanks in advance.",
    "User: {sentence}\nAssistant: {sentence}",
    "You are a helpful assistant. {sentence}",
    "Act as a {job}. {sentence}",
    "As a {job}, I want to {task} so that {lower_word} works.",
    "Write unit tests for {camel}.{lower_word}() in {product}.",
    "{camel} inherits from {camel} and implements {camel}.",
    "Rewrite this in the passive voice: {sentence}",
    "The {camel} API returns a {camel} with the fields {lower_word} and {lower_word}.",
    "[{heading}](https://example.com/{lower_word}) - {sentence}",
    "Set {upper}={number} and {upper}=true in the environment.",
)

#: What an unlabelled slot can be.
WORDS: dict[str, str] = {
    "topic": (
        "the budget|our trip|the broken heating|the new website|the invoice|climate policy|the merger|the school play|"
        "the contract|pension reform|the project plan|the lost parcel|vaccines|the election|interest rates|the wedding|"
        "the data breach|parking|the delivery|overtime|machine learning|the garden|a refund|the deadline"
    ),
    "pronoun": "him|her|them",
    "Pronoun": "He|She|They",
    "relative": "mother|father|brother|sister|wife|husband|son|daughter|aunt|uncle|neighbour|grandmother|cousin|friend",
    "job": (
        "software engineer|teacher|nurse|accountant|project manager|plumber|chief executive|finance director|doctor|"
        "spokesman|analyst|professor|driver|lawyer|midfielder|designer|chef|researcher|data scientist|travel guide"
    ),
    "department": "Sales|Finance|Legal|Support|Engineering|Human Resources|Marketing|Operations",
    "illness": "chest pain|type 2 diabetes|a broken wrist|migraine|pneumonia|asthma|fever|back pain|appendicitis",
    "club": "Arsenal|Juventus|Ajax|Benfica|the Lakers|the Yankees|Celtic|Bayern|Boca Juniors|Chelsea|Rangers|the Bulls",
    "wire": "AP|Reuters|AFP|dpa|ANSA",
    "handle": "sunny_day99|coffeelover|the_real_deal|news24x7|xx_gamer|daily.bytes|runfast|mathnerd",
    "tag": "travel|blessed|news|MondayMood|goals|live|win",
    "sentence": (
        "The parcel arrived damaged.|I would like to move the meeting.|We will send the documents tomorrow.|"
        "Could you please confirm the appointment?|It has been raining all week.|The results were better "
        "than expected.|"
        "Our flight was cancelled again.|Nobody told us about the change.|The server is down since this morning.|"
        "I think we should wait.|The first draft is attached.|That is not what we agreed on.|"
        "Everyone enjoyed the show.|"
        "Prices went up again.|The recipe needs two eggs.|Water boils at a lower temperature in the mountains.|"
        "A triangle has three sides.|The function returns a list of integers.|Please keep your answer short.|"
        "Supply exceeds demand in this case.|The train leaves from platform nine.|The Board approved the "
        "Annual Report.|"
        "Both parties signed the Agreement.|The cell membrane is permeable to water.|See Figure 2 and Table 4.|"
        "The Committee meets in Room 5.|I love the new Windows update.|Press Enter to continue."
    ),
    "month": (
        "Prices went up in March.|The Committee meets every Monday in June.|The train leaves on Sunday evening.|"
        "The exam is in May or June.|April showers bring May flowers.|The offer ends in August.|See you on Friday!|"
        "Lent ends before Easter.|In January and July, sales peak."
    ),
    "task": (
        "merge two cells|sort a table|undo a commit|export to PDF|add a footnote|rename a branch|parse a date|"
        "resize an image|draw a chart|cancel a subscription|reset the password|install a plugin|mount a volume"
    ),
    "product": (
        "Excel|Word|Photoshop|Windows 11|macOS Sonoma|Ubuntu|Debian Bookworm|Python|Java|Ruby|Julia|Perl|Ada|Pascal|"
        "Haskell|Scala|Kotlin|Swift|Docker|Kubernetes|Jenkins|Jupyter|Django|Flask|Spring Boot|Maven|Gradle|"
        "Apache Kafka|"
        "Cassandra|MongoDB|Redis|Elasticsearch|Grafana|Prometheus|Terraform|Ansible|Vagrant|Tableau|Alexa|Siri|Cortana|"
        "Watson|Einstein GPT|Bert|Claude|Llama|Gemini|Galaxy S24|iPhone 15|Pixel 8|PlayStation 5|Xbox|Tesla Model 3|"
        "Ford Focus|Mercedes C-Class|Visual Studio Code|IntelliJ|Eclipse|Celery|Luigi|Pandas|Bard|Sage|Maya|Opera|Franz"
    ),
    "heading": (
        "Getting Started|Frequently Asked Questions|Terms and Conditions|Project Overview|Data Retention Policy|"
        "System Requirements|Key Findings|Next Steps|Executive Summary|Quarterly Results|Release Notes|User Guide|"
        "Table of Contents|Related Work|Materials and Methods|Open Issues|Known Limitations|Best Practices|"
        "Balance Sheet|Risk Factors|Lesson Plan|Design Principles|Change Log|Installation Guide|Moral Relativism|"
        "Market Equilibrium|Due Process|Free Will|Natural Selection|Classical Conditioning|Opportunity Cost"
    ),
    "theory": (
        "Newton's second law|Ohm's law|the Pythagorean theorem|Bayes' theorem|Kant's categorical imperative|"
        "the Turing machine|Boolean algebra|a Gaussian distribution|Fourier series|the Nash equilibrium|Maxwell's "
        "equations|Darwinian evolution|Mendelian inheritance|Piaget's stages|Freudian theory|Keynesian economics|"
        "Marxist theory|Euler's formula|Hooke's law|the Doppler effect|Planck's constant|the Krebs cycle|Avogadro's "
        "number|a Markov chain|the Laplace transform|Rawls's theory of justice|Mill's utilitarianism|Pareto efficiency|"
        "Parkinson's disease|Alzheimer's disease|Down syndrome|the Monroe Doctrine|a Ponzi scheme|the Marshall Plan"
    ),
    "thinker": (
        "Kant|Hume|Aristotle|Plato|Descartes|Hobbes|Locke|Mill|Rousseau|Nietzsche|Freud|Skinner|Piaget|Marx|Keynes|"
        "Newton|Einstein|Darwin|Aquinas|Socrates|Confucius|Spinoza|Hegel|Rawls|Singer|Weber|Durkheim|Jefferson|Lincoln"
    ),
    "german": (
        "Die Rechnung liegt auf dem Tisch in der Küche.|Der Vertrag endet im Dezember.|Wie lange dauert die Lieferung?|"
        "Bitte prüfen Sie die Angaben im Formular.|Die Sitzung beginnt um neun Uhr.|Das Fenster im Büro "
        "schließt nicht.|"
        "Der Kunde möchte eine Rückerstattung.|Ich suche ein Rezept für Apfelkuchen.|Die Datei enthält keine Daten.|"
        "Welche Unterlagen brauche ich für den Antrag?|Der Server antwortet nicht auf die Anfrage.|Schreibe "
        "ein Gedicht "
        "über den Herbst.|Die Regierung plant eine Reform der Rente.|Der Müller mahlt das Korn, der Schneider näht."
    ),
    "romance": (
        "La reunión empieza a las nueve.|¿Cuánto cuesta el envío?|El contrato termina en diciembre.|"
        "Necesito una receta.|"
        "La facture est sur la table.|Comment annuler mon abonnement ?|Le serveur ne répond pas.|"
        "Il pleut depuis lundi.|"
        "La riunione inizia alle nove.|Quanto costa la spedizione?|Il file non contiene dati.|"
        "A reunião começa às nove.|"
        "O servidor não responde.|Vergaderingen beginnen om negen uur.|Mötet börjar klockan nio.|Spotkanie "
        "zaczyna się o "
        "dziewiątej.|Toplantı saat dokuzda başlıyor.|Schůzka začíná v devět.|Serwer nie odpowiada.|"
        "Serveren svarer ikke."
    ),
    "module": "auth|scheduler|worker-3|http.server|db.pool|payment-gateway|ingest|mail-relay|kernel|systemd|nginx|cron",
    "exception": "KeyError|ValueError|NullPointerException|TimeoutError|IndexOutOfBoundsException|SegFault|IOError",
    "camel": (
        "UserProfile|HttpClient|OrderService|AbstractFactory|PaymentGateway|JsonParser|TokenBucket|EventLoop|RowMapper|"
        "JamesServer|MarkdownReader|AdamOptimizer|BillingJob|WillPaginate|GrantType|MayBe|PatternLock|FrankWolfe|Victor"
    ),
    "lower_word": "config|total|index|value|users|orders|result|buffer|mark|grant|will|may|rose|bill|status|art|token",
    "upper": "MAX_RETRIES|DB_HOST|LOG_LEVEL|TIMEOUT_MS|JAVA_HOME|GRANT_TYPE|MARK_SIZE|BILL_TO",
}
