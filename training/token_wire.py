"""Templates of news that names people, and of text whose capitals or names belong to nobody.

As `token_social.py`: only persons are labelled. Written for this project.
"""

from __future__ import annotations

WIRE = (
    '{full1}, {job} of {org}, said the plan would go ahead. "{sentence}" {family1} told reporters in {place}.',
    '"{sentence}" {family} said. {family} and {family} declined to comment.',
    '"{sentence}" said {full1}, {age}. {family1}, who has lived in {place} since {year}, said {pronoun} '
    "neighbours agreed.",
    "{full1} and {full2} were among the dead, officials said. {family1} had worked for {org}; {family2} was a {job}.",
    "{full1} died on {date} at {age}. Born in {place}, {family1} joined {org} in {year}. {given1} is survived by "
    "a son.",
    "{full1}, the {job} who {did}, has died. {pronoun2} was {age}.",
    "{full1}, {age}, beloved {relative} of {given} and {given}, passed away peacefully. {given1} loved gardening.",
    "In loving memory of {full1} ({year}-{year}). {given1} leaves behind {relative} {given} and grandchildren {given}, "
    "{given} and {given}.",
    "Obituary: {full}, {job}",
    "Among those present were {full}, {full}, {full} and {full}.",
    "The panel includes {full} of {org}, {full} of {org}, and {full}, a {job} from {place}.",
    "Present: Mr {family}, Mrs {family}, Dr {family}, Cllr {full}. Apologies: Mr {family}.",
    "Ministers {family}, {family} and {family} signed the agreement in {place} on {date}.",
    "{family} and {family} met {family} in {place}; {family} did not attend.",
    "{family} said on {date} that {family} had agreed to the talks.",
    "{family}'s resignation surprised {family}, who had backed the {job} for years.",
    "{family}, {family} head to runoff in {place}",
    "{family} leads {family} by {number} points in new poll",
    "{family} vows to fight {org} ruling",
    "{family}: '{quote}'",
    "{full}: {quote}",
    "{place} mayor {full} {did_news}",
    "Ex-{org} boss {full} {did_news}",
    "Former {people} president {full} {did_news} - {org}",
    "{people} singer {full} {did_news}",
    "{people} Prime Minister {family} {did_news} in {place} {url}",
    "Foreign Minister {full} and {people} counterpart {full} {did_news}.",
    "Defence Secretary {family} {did_news}, {org} reports",
    "Actor {full} {did_news}, {age}",
    "Rapper {stage} {did_news} {url}",
    "Video: {full} {did_news} {url}",
    "Opinion | {full}: why {topic} matters",
    "By {full}",
    "By {full} and {full}, {org}",
    "By {full} in {place}\n\n{sentence} {sentence}",
    '{place}, {date} ({org}) — {full1} {did_news}. {family1} said: "{sentence}"',
    "Photo: {full}/{org}",
    "Photograph by {full} for {org}",
    "Reporting by {full} in {place}; Editing by {full} and {full}",
    "(Writing by {full}; additional reporting by {full})",
    "{full} reports from {place}.",
    "Letters to the editor: {full}, {place}; {full}, {place}.",
    "{full} ({people}) bt {full} ({people}) 6-3 6-{number}",
    "Results: 1. {full} ({place}) {number} pts 2. {full} ({place}) 3. {full} ({place})",
    "{full}, {place}, def. {full}, {place}, 7-6, 6-{number}.",
    "{team}: {family} 2, {family} (pen). {team}: {family}.",
    "{family} went 3-for-4 and {family} struck out {number} as the {team} beat the {team}.",
    "{full1} had {number} points and {full2} added 14 for {team}. {family1} left with an ankle injury.",
    "{family1}, who replaced {family2} at half-time, made it 2-1. {family2} was taken to hospital.",
    "Goals from {family} and {family} gave {team} a 2-0 win over {team} at {venue}.",
    "{full} rode {horse} to victory ahead of {full} on {horse}.",
    "{full}, caught {family} b {family}, {number}",
    "{org} v. {family}: Judge {full} dismissed the suit that {full} had filed.",
    "In {family} v. {family}, the court held that {family} had no duty to {family}.",
    "Detective {full} said {full1} was last seen on {date}. Anyone with news of {given1} should call {org}.",
    "Sheriff {full} identified the suspects as {full}, {age}, and {full}, {age}, both of {place}.",
    "Mother-of-two {full1}, {age}, from {place}, {did_news}. {given1}'s {relative}, {full}, thanked neighbours.",
    "Prosecutor {family} asked {family} whether {family} had seen the letter.",
    "Pope {given} and Archbishop {family} prayed together in {place}.",
    "Queen {given} and Prince {given} visited {place}.",
    "King {given} of {place} received {full}.",
    "Sir {full} and Lady {family} attended.",
    "Lt. {full}, Sgt. {full} and Cpl. {full} were honoured.",
    "Gen. {full1} took command from Col. {full2} in {year}. {family1} thanked {family2}.",
    "Rev. {full} will lead the service.",
    "Professor {initials} of {org} agrees with {initials}.",
    "{initials} and {initials} (2019) report similar results.",
    "{initials}, the novelist, lives in {place} with {given}.",
    "{comma} ({year}). {heading}. {org}.",
    "{full} Jr. and {full} Sr. run the bakery; {full} III is a {job}.",
    "{particle} was born in {place} to {full} and {full}.",
    "{particle}, {particle} and {family} founded {org}.",
    'Speaking for {org}, {particle} called the report "wrong".',
    "The {family} brothers, {given} and {given}, own {org}.",
    "Siblings {given} and {full} grew up in {place}.",
    "{given} and {full} married in {year}; their daughter {given} is a {job}.",
    "{full}, née {family}, taught at {org}.",
    "{full} (played by {full}) falls in love with {full} (played by {full}).",
    "Directed by {full}. Written by {full} and {full}. Starring {full}, {full} and {full}.",
    "{full} on guitar, {full} on bass and {full} on drums make up {band}.",
    "{full}, lead singer of {band}, {did_news}.",
    "Guests on {show} tonight: {full}, {stage} and {full}",
    "{org} hires {full} from {org} as {job}; {family} starts in {month_name}",
    "{full} joins {org} board",
    "{full} to step down as {org} CEO",
    "{org}'s {full1} sees growth ahead; {family1} warns on costs",
    "Q: {sentence}\n{family}: {sentence}\nQ: {sentence}\n{family}: {sentence}",
    "MODERATOR: {sentence}\nMR. {UPPER_family}: {sentence}\nMS. {UPPER_family}: {sentence}",
    "Interviewer: What did {given} say?\n{full}: {sentence}",
    "{double_full} and {double_full} {did_news} in {place}.",
    "{double_full}, {age}, moved from {place} to {place}.",
    "{double} said {double} would call {double} on {date}.",
)

#: Capitals, names of things and places named after people, and words that are also names; nobody is named.
NOBODY = (
    "Can't wait for {event_day} {emoji}",
    "Happy {weekday} everyone {emoji}",
    "It's {weekday} and {month_name} is almost over {emoji}",
    "{TEAM} {TEAM} {TEAM}!!! {emoji}",
    "{team} vs {team} tonight, who ya got?",
    "{team} 3 {team} 1. What a game!",
    "{team} need a new keeper smh",
    "Anyone else going to {venue} on {weekday}?",
    "At {venue} with my mom {emoji}",
    "{brand} for lunch {emoji}",
    "craving {brand} so bad rn",
    "New {brand} boots {emoji} #{tag}",
    "Is {brand} still hiring? {url}",
    "{band} are playing {venue} in {month_name}!",
    "#NowPlaying {band} - {song} {url}",
    "{band} > {band}, fight me",
    "saw {band} live last night {emoji}",
    "{song} has been stuck in my head all day",
    "Watching {film} again {emoji}",
    "{film} and {film} are both on tv tonight",
    "New episode of {show} tonight!!! {emoji}",
    "{show} finale {emoji}{emoji}",
    "Who's watching {show}? #{tag}",
    "RT @{user}: {lower_sentence} {emoji}",
    "@{user} @{user} @{user} {lower_sentence}",
    "@{user} thank you!! {emoji} #ff @{user}",
    "Follow @{user} and @{user} {emoji}",
    "#{joined} #{tag} #{tag}",
    "#{joined} is trending {url}",
    "RT {bare}: {bare} such a joker {emoji}",
    "RT {bare}: {lower_sentence} RT {bare}: me too {emoji}",
    "{bare} {bare} thanks for the follow {emoji}",
    "Today's top stories via {bare} {bare} {bare} {url}",
    "{bare}: {lower_sentence}",
    "jsjsjs Asdfghjkl omg Whaaat {emoji}",
    "Damn it, I have tickets for {opera} tonight",
    "Dinner tonight: {dish} with {dish} {emoji}",
    "{dish} or {dish}? {emoji}",
    "The {paper} on {weekday}: {heading}",
    "{paper} says prices will rise {url}",
    "{opera} by candlelight at {venue}",
    "OMG Yesss Finally Friday {emoji}",
    "Gonna Be Sooo Good",
    "next week na! hay naku, ang init {emoji}",
    "que bueno, por fin {month_name} {emoji}",
    "Bom dia, que sol lindo {emoji}",
    "Guten Morgen, heute ist Montag {emoji}",
    "Selamat pagi semua {emoji}",
    "RT @{user}: #{joined} {emoji}",
    "OMG LOL {emoji} WHAT A DAY #{tag}",
    "I AM SO HAPPY RIGHT NOW {emoji}",
    "GOOD MORNING TWITTER {emoji}",
    "Dear God, please let it be {weekday} already",
    "Thank God and Jesus for another day {emoji}",
    "Merry Christmas and a Happy New Year to Santa's elves {emoji}",
    "Mom and Dad are here {emoji}",
    "My Mom, my Dad, my Sister and my Boyfriend",
    "Bro, dude, man, girl, babe: stop {emoji}",
    "Big Sale at {brand} this {weekday}! {url}",
    "The {weekday} Times reports rising prices {url}",
    "New blog post: {heading} {url}",
    "{heading} | {brand} {url}",
    "Top 10 {heading} Tips You Need To Know {url}",
    "Win an {device}! Just RT and follow @{user}",
    "My {device} died again {emoji}",
    "{device} or {device}?",
    "I'll {verb_name} you later, {verb_name} my words",
    "may i ask who will mark this? the bill is due in june and the rose is in the art room",
    "i will miss april and may, no joy in august, hope and faith are gone",
    "jack up the car, then nick the wire, rob the rich, pat the dog and sue the bank",
    "the faith of the people is their hope; grace and joy come with patience",
    "Christian rock, Olive oil, Amber alert, Ruby Tuesday, Ivy League, Jasmine rice, Daisy chain",
    "olive oil, basil, ginger, pepper, sage and rosemary: my whole kitchen garden",
    "Virginia, Georgia, Carolina and Dakota are states; Victoria is in Australia.",
    "Flights from Charlotte to Savannah via Austin are delayed.",
    "We drove through Lincoln, Jackson, Madison and Houston last {month_name}.",
    "{place_named} is closed until {month_name}.",
    "Meet me at {place_named} at {number} pm",
    "The hike up {place_named} takes {number} hours.",
    "{place_named} and {place_named} are popular with tourists.",
    "An earthquake struck near {place_named} on {weekday}.",
    "Police closed {place_named} after a crash near {place_named}.",
    "Hurricane {storm} is heading for Florida {emoji}",
    "Tropical Storm {storm} weakened overnight; {storm} may reach the coast on {weekday}.",
    "State {law} and explain it in one sentence.",
    "Explain {law} and {law} with examples.",
    "Under {law}, the company must file by {month_name}.",
    "Senators want to repeal {law}.",
    "The {prize} goes to a team from Kyoto this year.",
    "She won the {prize} twice and a {prize} nomination.",
    "Symptoms of {disease} include fatigue.",
    "{disease} and {disease} have no cure yet.",
    "Convert {number} {unit} to {unit}.",
    "How many {unit} are in one {unit}?",
    "Prove {theorem}.",
    "Use {theorem} and {theorem} to bound the error.",
    "Which of the following follows from {theorem}?\nA. {heading}\nB. {heading}\nC. {heading}\nD. None of these",
    "{theory} is often compared with {law}.",
    "Run {algorithm} on this graph and then {algorithm}.",
    "{algorithm} has complexity O(n log n). Why?",
    "Which firm makes {drink}?",
    "Two {drink}s and a {drink}, please",
    "{drink} on sale at {brand} {emoji}",
    "Wall Street closed higher; Dow Jones up {number} points, {bank} flat.",
    "{bank} and {bank} report on {weekday}.",
    "Shares of {bank} fell {number} percent in {month_name}, the Financial Times said.",
    "The White House, the Kremlin and Downing Street declined to comment.",
    "The Prime Minister told Parliament on {weekday} that the Government would resign.",
    "The President and the First Lady arrived with the Secretary of State.",
    "The Coach praised the Captain and the Goalkeeper.",
    "The defendant, Defendant Corporation, moved to dismiss; Plaintiff appealed to the Ninth Circuit.",
    "Buyer shall pay Seller; Landlord shall notify Tenant. Borrower waives notice.",
    "Mr. President, Madam Speaker, Your Honour: {sentence}",
    "Dear Diary, {lower_sentence}",
    "Hey Siri, hey Alexa, ok Google: {lower_sentence}",
    "Ask Alexa to set a timer",
    "Cheers Big Ears {emoji}",
    "Bless You All {emoji}",
    "Keep Calm And Carry On",
    "You Only Live Once #{tag}",
    "Netflix And Chill {emoji}",
    "What The Hell Was That {emoji}",
    "{sentence} Sent from my {device}",
)

BANDS = (
    "Velvet Harbour|The Midnight Foxes|Fleetwood Mac|Alice in Chains|Pearl Jam|Jethro Tull|Coldplay|Metallica|"
    "Blink-182|"
    "Paper Wolves|One Direction|The Smiths|Franz Ferdinand|The Jonas Brothers|Simon Street|Steely Dan|Marshall Plan B|"
    "Arctic Owls|Red Hot Chili Peppers|Maroon 5|Paramore|Linkin Park|Imagine Dragons|Florence Road|Mumford & Sons|BTS"
)

WORDS: dict[str, str] = {
    "did_news": (
        "resigns over expenses|to stand trial|wins seat in recount|denies wrongdoing|apologises for remarks|"
        "quits after loss|"
        "charged with fraud|visits flood victims|calls for calm|hits back at critics|named coach of the year|"
        "released on bail|"
        "dies after long illness|backs new tax|signs three-year deal|breaks world record|returns to work|rejects offer"
    ),
    "bare": (
        "EnyaXP|LaurenHall22|CreamYaSkin|praditya_M|nikkiinola|shazzy_b|LuwRfc|JamesDJ|MikeTheBike|annie0ne|TomWill_5"
    ),
    "opera": (
        "Der Rosenkavalier|Tosca|Rigoletto|Carmen|La Traviata|Hamilton|Evita|Billy Elliot|Swan Lake|Macbeth|Lohengrin"
    ),
    "dish": (
        "Gnocchi|Caesar Salad|Eggs Benedict|Beef Wellington|Chicken Kiev|Peach Melba|Pavlova|Bakewell Tart|Pad Thai"
    ),
    "paper": (
        "Daily Mail|Guardian|Washington Post|Herald|Sun|Chronicle|Daily Star|Evening Standard|Mirror|Examiner|Globe"
    ),
    "pronoun2": "He|She",
    "horse": "Silver Lining|Desert Storm|Lucky Penny|Captain's Pride|Northern Dancer II|Moonraker|Bold Venture",
    "band": BANDS,
    "month_name": "January|February|March|April|May|June|July|August|September|October|November|December",
    "event_day": (
        "Halloween|Thanksgiving|Valentine's Day|St. Patrick's Day|Christmas Eve|Easter Monday|Mother's Day|Diwali"
    ),
    "TEAM": "ARSENAL|CHELSEA|LAKERS|CELTICS|YANKEES|COWBOYS|MADRID|AJAX|STEELERS|PACKERS",
    "device": "iPhone 5|iPad|Galaxy Note|Kindle Fire|Xbox 360|PS4|MacBook Pro|BlackBerry|Nokia Lumia|Fitbit|Echo Dot",
    "verb_name": "bill|mark|will|chase|grant|nick|rob|frank|pat|sue|drew|josh|wade|skip|chuck|jack",
    "place_named": (
        "Lake Victoria|Mount Elgon|Fort Wayne|Prince Edward Island|St. Louis Street|Washington Square|Kennedy Airport|"
        "Madison Avenue|Martin Luther King Boulevard|Mount Cook|Port Elizabeth|Alice Springs|San Antonio|Santa Monica|"
        "Charles de Gaulle Airport|Victoria Falls|Lake Charles|Jackson Heights|King's Cross|Hudson Bay|Cook Strait|"
        "Ross Ice Shelf|Lincoln Tunnel|Queen Mary's Hospital|Johns Hopkins University|Stanford|Carnegie Mellon|"
        "St Andrews"
    ),
    "storm": "Ophelia|Marcus|Elena|Dorian|Irma|Nate|Sally|Bertha|Gordon|Fiona|Hugo|Igor",
    "law": (
        "Murphy's law|Moore's law|Godwin's law|Megan's Law|the Dodd-Frank Act|the Sherman Act|Miranda rights|"
        "Parkinson's law|"
        "the Hatch Act|the Taft-Hartley Act|Newton's third law|Boyle's law|Charles's law|Faraday's law|Gresham's law|"
        "Say's law|the Coase theorem|the Truman Doctrine|the Pendleton Act|Lenz's law|Kirchhoff's laws|Fick's law"
    ),
    "prize": "Nobel Prize|Pulitzer Prize|Fields Medal|Turing Award|Booker Prize|Heisman Trophy|Ballon d'Or|Stanley Cup",
    "disease": (
        "Parkinson's|Crohn's disease|Hodgkin lymphoma|Tourette syndrome|Huntington's disease|Lou Gehrig's "
        "disease|Lyme disease|"
        "Cushing syndrome|Hashimoto's thyroiditis|Marfan syndrome|Bell's palsy|Addison's disease|Asperger syndrome"
    ),
    "unit": (
        "newtons|joules|watts|kelvin|pascals|hertz|ohms|volts|amperes|degrees Celsius|degrees Fahrenheit|teslas|curies"
    ),
    "theorem": (
        "Fermat's last theorem|Taylor's theorem|Rolle's theorem|the Cauchy-Schwarz inequality|Stokes' theorem|Jensen's "
        "inequality|the Hahn-Banach theorem|Green's theorem|the Chebyshev inequality|Zorn's lemma|Gödel's "
        "theorem|Lagrange "
        "multipliers|L'Hôpital's rule|the Riemann hypothesis|a Hilbert space|Simpson's rule|Cramer's rule|"
        "Bernoulli trials"
    ),
    "algorithm": (
        "Dijkstra|Kruskal's algorithm|Floyd-Warshall|Bellman-Ford|Huffman coding|Knuth-Morris-Pratt|Bloom filters"
    ),
    "drink": (
        "Dr Pepper|Jack Daniel's|Johnnie Walker|Captain Morgan|Earl Grey|Shirley Temple|Bloody Mary|Tom Collins|Jameson"
    ),
    "bank": (
        "JPMorgan Chase|Morgan Stanley|Goldman Sachs|Wells Fargo|Charles Schwab|Merrill Lynch|Ernst & Young|Rolls-Royce"
    ),
}
