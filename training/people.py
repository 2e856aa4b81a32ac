"""Names of people, places and organisations for templates: written for this project, from many origins.

Given names and family names are common ones; the pairs that templates draw belong to nobody in particular.
"""

from __future__ import annotations

import random

from more_people import DOUBLE, MORE, NICKNAMES, STAGES

#: Origin -> given names | family names, separated by spaces.
ORIGINS: dict[str, tuple[str, str]] = {
    "english": (
        "James Mary John Linda Robert Susan Michael Karen William Nancy David Lisa Richard Betty Joseph Helen Thomas "
        "Sandra Charles Donna Daniel Carol Matthew Ruth Anthony Sharon Mark Michelle Paul Laura Steven Sarah Andrew "
        "Emily Joshua Amy Kevin Melissa Brian Rebecca George Kate Tim Olivia Harry Chloe Jack Grace Oliver Sophie "
        "Liam Emma Noah Ava Ethan Mia Logan Harper Jake Zoe Tyler Holly Ryan Megan Kyle Amber Scott Tara Greg Jenny "
        "Will May Rose Faith Mason Hunter Carter Art Bill Bob Sue Pat Chris Alex Sam Jo Drew Grant Chase Frank Rich",
        "Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Thomas Moore Jackson Martin Lee White "
        "Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Baker Nelson "
        "Carter Mitchell "
        "Roberts Turner Phillips Campbell Parker Evans Edwards Collins Stewart Morris Rogers Reed Cook Morgan Bell "
        "Murphy Bailey Cooper Richardson Cox Howard Ward Peterson Gray James Watson Brooks Kelly Sanders Price Bennett "
        "Wood Barnes Ross Henderson Coleman Jenkins Perry Powell Long Hughes Butler Foster Bryant Hayes Ford Graham "
        "Page Banks Fields Stone Rivers Marsh Knight Bishop Hall Waters Brook Rice Berry Moss Hawkins Whitfield "
        "Ashworth Hargreaves Thistlewood Pemberton Fairclough Blackwood Hollis Tennant Winslow Cartwright",
    ),
    "irish_scottish": (
        "Siobhan Declan Niamh Padraig Aoife Cormac Fergus Moira Ewan Isla Callum Fiona Hamish Eilidh Sean Roisin Eoin",
        "O'Brien O'Connor O'Sullivan Gallagher Doherty Byrne Kavanagh McCarthy McDonald MacLeod Fraser "
        "Cameron Sinclair "
        "Drummond McKenzie Maguire Quinn Nolan Flanagan Brennan MacGregor",
    ),
    "spanish": (
        "José María Carlos Ana Luis Carmen Juan Lucía Miguel Elena Javier Sofía Diego Valentina Pablo Camila Andrés "
        "Isabel Fernando Rosa Alejandro Gabriela Jorge Marta Raúl Pilar Santiago Ximena Mateo Paloma Ignacio Beatriz",
        "García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz "
        "Reyes Morales Ortiz Castillo Moreno Vargas Mendoza Ruiz Álvarez Jiménez Romero Herrera Medina Aguilar Delgado "
        "Ibáñez Quintana Salazar Figueroa Cordero Montoya de-la-Cruz del-Río",
    ),
    "portuguese": (
        "João Ana Pedro Beatriz Tiago Inês Rui Catarina Thiago Larissa Rafael Fernanda Bruno Juliana Gustavo Letícia",
        "Silva Santos Oliveira Souza Pereira Costa Rodrigues Almeida Nascimento Lima Carvalho Ferreira "
        "Ribeiro Teixeira "
        "Barbosa Cardoso da-Silva dos-Santos Azevedo Monteiro",
    ),
    "french": (
        "Pierre Marie Jean Camille Louis Chloé Antoine Manon Julien Élodie Nicolas Amélie François Céline Hugo Margaux "
        "Thibault Solène Jean-Luc Anne-Sophie Étienne Aurélie Baptiste Maëlle",
        "Martin Bernard Dubois Durand Lefebvre Moreau Laurent Simon Michel Garnier Rousseau Fontaine Chevalier Girard "
        "Mercier Dupont Lambert Bonnet Fournier Blanchard Perrin Gauthier Delacroix Beaumont de-Villiers",
    ),
    "german": (
        "Hans Anna Lukas Lena Jürgen Sabine Klaus Petra Stefan Monika Felix Johanna Maximilian Greta Wolfgang Ingrid "
        "Uwe Birgit Matthias Heike Jonas Frieda Karl-Heinz Annika Sven Ulrike Dieter Katrin Tobias Mareike",
        "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf "
        "Schröder Neumann Schwarz Zimmermann Braun Krüger Hartmann Lange Krause Lehmann Vogel Jung Keller Weiß "
        "Sommer Winter Kaiser König Graf Stein Brandt von-Arnim Oberhauser Lindner Huber Steiner",
    ),
    "dutch_nordic": (
        "Jan Sanne Pieter Femke Bram Lotte Daan Anouk Lars Astrid Erik Ingeborg Sven Freja Mikkel Signe Olav Solveig "
        "Mika Aino Juhani Kaisa Björn Linnea Nils Tuva Henrik Maja Jeroen Marijke",
        "de-Vries van-Dijk Jansen Bakker Visser van-den-Berg Mulder Smit de-Jong Hendriks Hansen Larsen Andersen "
        "Johansson Nilsson Lindqvist Bergström Eriksen Halvorsen Nygaard Korhonen Virtanen Mäkinen Laine Jónsdóttir "
        "Kristiansen Dahl Lund Holm Skovgaard van-der-Meer",
    ),
    "italian_greek": (
        "Giuseppe Giulia Marco Francesca Luca Chiara Alessandro Martina Davide Elisa Matteo Federica Nikos Eleni "
        "Giorgos Katerina Dimitris Ioanna Lorenzo Ginevra Pasquale Rosalba",
        "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Conti De-Luca Mancini Lombardi Moretti "
        "Papadopoulos Georgiou Nikolaidis Karagiannis Vassiliou Di-Stefano Pellegrini",
    ),
    "slavic": (
        "Ivan Olga Dmitri Natalia Sergei Tatiana Alexei Svetlana Mikhail Irina Pavel Katarzyna Piotr Agnieszka Tomasz "
        "Małgorzata Jakub Zuzana Marek Lenka Petar Milica Nikola Jelena Bogdan Oksana Taras Yulia Zoran Dragana Miloš",
        "Ivanov Petrov Smirnova Kuznetsov Volkova Popov Sokolova Kowalski Nowak Wiśniewska Wójcik Kamiński Novák "
        "Svoboda Dvořák Horváth Jovanović Petrović Kovačević Shevchenko Bondarenko Kovalenko Melnyk Zelenko Todorov "
        "Dimitrova Marković Lewandowska Szymański Morozov",
    ),
    "arabic_persian_turkish": (
        "Mohammed Fatima Ahmed Aisha Omar Layla Khalid Noor Youssef Mariam Hassan Zainab Ali Huda Ibrahim Salma Tariq "
        "Reza Shirin Amir Parisa Mehmet Ayşe Emre Zeynep Mustafa Elif Bilal Yasmin Karim Rania Hamza Samira Nasrin",
        "Al-Farsi Hassan El-Sayed Khan Hussein Abdullah Mansour Haddad Nasser Saleh Rahman Hosseini Ahmadi Karimi "
        "Yılmaz Kaya Demir Çelik Şahin Öztürk Aziz Khoury Bakr Farouk Qureshi Shirazi Tehrani Benali Zidan Aydın",
    ),
    "south_asian": (
        "Rajesh Priya Amit Ananya Vikram Deepa Arjun Kavya Suresh Lakshmi Sanjay Pooja Rahul Neha Imran Ayesha Ravi "
        "Meera Arun Divya Harpreet Gurleen Nuwan Dilani Sunita Kiran Tanvir Farhana Rohan Ishita",
        "Patel Sharma Singh Kumar Gupta Reddy Iyer Nair Mehta Joshi Desai Chatterjee Banerjee Mukherjee Rao Verma "
        "Kapoor Malhotra Agarwal Pillai Krishnan Fernando Perera Siddiqui Chowdhury Bhattacharya Menon Kaur Gill Bose",
    ),
    "east_asian": (
        "Wei Fang Ming Xiaoli Jun Mei Hao Yan Lei Jing Takashi Yuki Hiroshi Sakura Kenji Haruka Daiki Aiko Min-jun "
        "Ji-woo Seo-yeon Hyun-woo Soo-jin Kaito Ren Emi Jiahui Zhiwei Tomoko Akira",
        "Wang Li Zhang Chen Liu Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Tanaka Suzuki Sato Takahashi Watanabe Yamamoto "
        "Nakamura Kobayashi Kato Yoshida Kim Lee Park Choi Jung Kang Cho Yoon Lim Han Ito Hayashi Shimizu Lin Guo",
    ),
    "southeast_asian": (
        "Nguyen Linh Minh Thuy Anh Quang Siti Budi Dewi Agus Putri Nur Aziz Jose-Marie Maricel Rizal Somchai Malee "
        "Niran Kanya Htun Thida Bayu Wulan Jomar Analyn",
        "Tran Le Pham Hoang Phan Vu Dang Bui Do Santoso Wijaya Suryani Hidayat Setiawan Bautista Villanueva Macaraeg "
        "dela-Cruz Dimaculangan Srisai Chaiyasit Wongsakul Aung Lwin Ismail Rahim",
    ),
    "african": (
        "Chinedu Ngozi Emeka Amara Oluwaseun Folake Kwame Akosua Kofi Abena Thabo Nomvula Sipho Lerato Juma Wanjiru "
        "Kamau Achieng Tendai Rudo Abebe Hiwot Mamadou Aminata Ousmane Fatou Zanele Chipo Desta Selam",
        "Okafor Adeyemi Eze Okonkwo Balogun Nwosu Mensah Owusu Boateng Asante Dlamini Nkosi Mokoena Khumalo Mwangi "
        "Otieno Kariuki Njoroge Moyo Ncube Tesfaye Bekele Diallo Traoré Keita Ndiaye Sow Abiodun Mthembu Banda",
    ),
    "hebrew_hungarian_other": (
        "Avi Noa Yael Moshe Tamar Eitan Gábor Zsófia László Eszter Attila Réka Andrei Ioana Mihai Elena Arben Teuta "
        "Levan Nino Tigran Anahit Keanu Leilani Tui Aroha",
        "Cohen Levi Mizrahi Peretz Katz Friedman Rosenberg Goldstein Nagy Kovács Szabó Tóth Popescu Ionescu Hoxha "
        "Gashi Beridze Petrosyan Sargsyan Kahale Tamatea Ngata Shapiro Feldman",
    ),
}
for _origin, (_given, _family) in MORE.items():
    _known = ORIGINS.get(_origin, ("", ""))
    ORIGINS[_origin] = (f"{_known[0]} {_given}", f"{_known[1]} {_family}")

PLACES = (
    "Paris London Berlin Madrid Rome Vienna Dublin Oslo Lisbon Prague Warsaw Athens Zürich Geneva Kyiv Istanbul Cairo "
    "Lagos Nairobi Accra Johannesburg Mumbai Delhi Bangalore Karachi Dhaka Colombo Bangkok Hanoi Jakarta Manila Tokyo "
    "Osaka Seoul Beijing Shanghai Shenzhen Taipei Sydney Melbourne Auckland Toronto Montreal Vancouver Chicago Boston "
    "Seattle Houston Denver Atlanta Phoenix Dallas Miami Detroit Portland Austin Cleveland Springfield Lima Bogotá "
    "Santiago Quito Havana Munich Hamburg Cologne Frankfurt Leipzig Lyon Marseille Toulouse Barcelona Seville Milan "
    "Naples Turin Rotterdam Antwerp Ghent Malmö Aarhus Tampere Kraków Brno Graz Leeds Bristol Glasgow Cardiff Belfast "
    "France Germany Spain Italy Portugal Greece Turkey Egypt Nigeria Kenya Ghana India Pakistan Bangladesh Vietnam "
    "Thailand Indonesia Japan China Taiwan Australia Canada Mexico Brazil Argentina Chile Peru Colombia Ireland "
    "Scotland Wales Norway Sweden Finland Denmark Poland Ukraine Russia Hungary Romania Bulgaria Serbia Croatia Iran "
    "Iraq Syria Jordan Lebanon Israel Qatar Texas California Ohio Florida Oregon Nevada Bavaria Tuscany Ontario Quebec "
    "Yorkshire Kerala Punjab Catalonia Normandy U.S. UK USA Europe Africa Asia"
).split() + (
    "New York|Los Angeles|San Francisco|San Diego|Las Vegas|New Delhi|Hong Kong|Cape Town|São Paulo|Rio de Janeiro|"
    "Buenos Aires|Mexico City|Kuala Lumpur|Ho Chi Minh City|Saint Petersburg|Salt Lake City|New Zealand|South Africa|"
    "South Korea|Saudi Arabia|Sri Lanka|Costa Rica|Puerto Rico|North Carolina|New Jersey|West Virginia|"
    "British Columbia|"
    "Nova Scotia|New South Wales|the United States|the Netherlands|the Philippines|Baden-Württemberg|Fort Collins|"
    "Santa Barbara|St. Louis|Kansas City|Lake Tahoe|Abu Dhabi|Tel Aviv|Novi Sad|Addis Ababa|Dar es Salaam"
).split("|")

ORGANISATIONS = (
    "Acme Corp|Contoso|Northwind Traders|Globex Corporation|Initech|Umbrella Insurance|Siemens|Bosch|"
    "Toyota|Samsung|Sony|"
    "Nestlé|Unilever|Deloitte|KPMG|Goldman Sachs|Deutsche Bank|HSBC|Barclays|Wells Fargo|Pfizer|Novartis|Roche|Bayer|"
    "Boeing|Airbus|Lufthansa|Ryanair|Vodafone|Orange|Telefónica|Maersk|IKEA|Walmart|Tesco|Carrefour|"
    "Reuters|the BBC|CNN|"
    "Al Jazeera|the United Nations|UNICEF|NATO|the European Commission|the World Bank|the Red Cross|"
    "Amnesty International|"
    "Greenpeace|the FBI|NASA|the Ministry of Health|the Department of Justice|the Supreme Court|City Hall|"
    "Stanford University|the University of Leeds|Oxford University|Imperial College|ETH Zürich|St. Mary's Hospital|"
    "Riverside High School|Lincoln Elementary|General Hospital|Manchester United|Real Madrid|"
    "the Boston Celtics|FIFA|UEFA|"
    "the Labour Party|Parliament|Google|Microsoft|Amazon|Facebook|Apple|Netflix|Tesla|Intel|IBM|Oracle|SAP|Uber|Airbnb|"
    "Spotify|Twitter|OpenTable|Bluefin Partners|Harbor & Lane LLC|Kessler GmbH|Nordlys AS|"
    "Vega Systems Ltd|Quantum Leap Inc.|"
    "Sunrise Realty|Oakwood Dental|Bright Horizons|Pacific Freight Co.|Kowalski & Sons|Tanaka Industries|Rossi S.p.A."
).split("|")
_ORG_ENDS = (
    "Ltd|Inc.|LLC|GmbH|Group|Holdings|Partners|Consulting|Bank|Foundation|Institute|University|& Co.|Labs|Media".split(
        "|"
    )
)

PEOPLES = (
    "American|British|German|French|Spanish|Italian|Polish|Russian|Ukrainian|Turkish|Greek|Swedish|"
    "Norwegian|Danish|Dutch|"
    "Belgian|Swiss|Austrian|Hungarian|Czech|Slovak|Romanian|Serbian|Irish|Scottish|Canadian|Mexican|"
    "Brazilian|Argentine|"
    "Chilean|Peruvian|Cuban|Chinese|Japanese|Korean|Vietnamese|Thai|Indian|Pakistani|Bangladeshi|Iranian|Iraqi|Syrian|"
    "Egyptian|Nigerian|Kenyan|Ethiopian|Australian|Muslim|Christian|Catholic|Jewish|Hindu|Buddhist|Sikh|Protestant|"
    "Republican|Democrat|Conservative"
).split("|")

TITLES = "Mr.|Mrs.|Ms.|Dr.|Prof.|Mr|Mrs|Ms|Dr|Sir|Miss|Professor|Herr|Frau|Monsieur|Señora".split("|")

_STREETS = (
    "Main Street|Oak Avenue|Elm St|Maple Drive|Park Road|Station Road|High Street|Church Lane|"
    "Victoria Road|Sunset Blvd|"
    "2nd Avenue|Lincoln Way|Mill Lane|Broadway|River Road|Highland Ave|Cedar Court|Pine Street|Queen's Road|Bay Street"
).split("|")
_FOREIGN_STREETS = (
    "Hauptstraße {n}|Goethestr. {n}|Am Markt {n}|Lindenweg {n}|{n} rue de la Paix|"
    "{n}, avenue Victor Hugo|{n} rue Pasteur|"
    "Calle Mayor {n}|Avenida de América, {n}|Via Roma {n}|Via Garibaldi, {n}|Rua das Flores, {n}|Kerkstraat {n}|"
    "Storgata {n}|ul. Długa {n}|Flat {n}, Rose Court|{n} MG Road|Plot {n}, Sector 21"
).split("|")

#: What stands before a name and is no part of it.
_BEFORE_NAMES = frozenset(
    "mr mrs ms dr prof professor sir miss herr frau monsieur señora president vice deputy senator judge justice "
    "minister prime chancellor governor king queen prince princess pope father mayor general major colonel captain "
    "sergeant lieutenant secretary chairman director ambassador representative attorney sheriff detective officer lord "
    "lady lordship lords chief speaker counsel god congressman mp administrator coach man the baby".split()
)
ALL_GIVEN = frozenset(name for given, _ in ORIGINS.values() for name in given.split())
ALL_FAMILY = frozenset(name.replace("-", " ") for _, family in ORIGINS.values() for name in family.split())
_PARTICLES = tuple("de- del- della- da- do- dos- di- van- von- ter- dela- bin- De- Di- Le- Lo- Te- Ó-".split())
_WITH_PARTICLE = tuple(
    name
    for _, family in ORIGINS.values()
    for name in family.split()
    if name.startswith((*_PARTICLES, "Al-", "El-", "O'", "D'", "Mc", "Mac"))
)


def is_title(word: str) -> bool:
    """Say whether a word, in any case, stands before names and is no part of them.

    Examples
    --------
    >>> is_title("Dr."), is_title("PRESIDENT"), is_title("Ann")
    (True, True, False)
    """
    return word.lower().rstrip(".") in _BEFORE_NAMES


def given_name(rng: random.Random) -> str:
    return rng.choice(rng.choice(list(ORIGINS.values()))[0].split())


def family_name(rng: random.Random) -> str:
    return _spaced(rng.choice(rng.choice(list(ORIGINS.values()))[1].split()))


def full_name(rng: random.Random) -> str:
    """Draw given and family name, mostly of one origin, sometimes with a middle name, an initial or two families."""
    given, family = rng.choice(list(ORIGINS.values()))
    if rng.random() < 0.15:
        family = rng.choice(list(ORIGINS.values()))[1]
    first, last = rng.choice(given.split()), _spaced(rng.choice(family.split()))
    form = rng.random()
    if form < 0.72:
        return f"{first} {last}"
    if form < 0.80:
        return f"{first} {rng.choice('ABCDEFGHJKLMNPRSTW')}. {last}"
    if form < 0.86:
        return f"{first} {rng.choice(given.split())} {last}"
    if form < 0.91:
        return f"{first[0]}. {last}"
    if form < 0.95:
        return f"{first} {last}-{rng.choice(family.split()).split('-')[-1]}"
    return f"{last}, {first}"


def person(rng: random.Random) -> str:
    """Draw a name as people write it: in full, the given name alone, now and then the family name."""
    form = rng.random()
    if form < 0.60:
        return full_name(rng)
    return given_name(rng) if form < 0.88 else family_name(rng)


def first_name(rng: random.Random) -> str:
    """Draw what friends call somebody: the given name, a nickname, or a name that is also a place or a thing."""
    form = rng.random()
    return given_name(rng) if form < 0.76 else rng.choice(NICKNAMES if form < 0.88 else DOUBLE)


def talked_about(rng: random.Random) -> str:
    """Draw a name as posts give it: in full, first or family name alone, or a stage name."""
    form = rng.random()
    if form < 0.45:
        return pair(rng)
    if form < 0.85:
        return first_name(rng) if form < 0.65 else family_name(rng)
    return rng.choice(STAGES)


def pair(rng: random.Random) -> str:
    """Draw given and family name of one origin."""
    given, family = rng.choice(list(ORIGINS.values()))
    return f"{rng.choice(given.split())} {_spaced(rng.choice(family.split()))}"


def initials(rng: random.Random) -> str:
    """Draw a family name after one or two initials, written in one of the usual ways."""
    first, second = rng.sample("ABCDEFGHJKLMNPRSTVWY", 2)
    forms = (f"{first}. {second}.", f"{first}.{second}.", f"{first}{second}", f"{first} {second}", f"{first}.")
    return f"{rng.choice(forms)} {family_name(rng)}"


def family_first(rng: random.Random) -> str:
    """Draw a name as lists give it, the family name first."""
    given = given_name(rng)
    return f"{family_name(rng)}, {rng.choice((given, given[0] + '.', given + ' ' + rng.choice('ABEJLMR') + '.'))}"


def with_particle(rng: random.Random) -> str:
    """Draw a name with a particle, such as ``van`` or ``de la``, or with a prefix."""
    return f"{given_name(rng)} {_spaced(rng.choice(_WITH_PARTICLE))}"


def organisation(rng: random.Random) -> str:
    form = rng.random()
    if form < 0.6:
        return rng.choice(ORGANISATIONS)
    first = family_name(rng) if form < 0.85 else rng.choice(PLACES).removeprefix("the ")
    return f"{first} {rng.choice(_ORG_ENDS)}"


def street_address(rng: random.Random) -> str:
    """Draw street and number, at times with flat, postcode, town or country."""
    number = rng.randint(1, 9999 if rng.random() < 0.3 else 200)
    is_plain = rng.random() < 0.55
    street = (
        f"{number} {rng.choice(_STREETS)}" if is_plain else rng.choice(_FOREIGN_STREETS).replace("{n}", str(number))
    )
    if is_plain and rng.random() < 0.3:
        street += rng.choice((", Apt {}", " Apt. {}", ", Suite {}", " #{}", ", Unit {}")).format(rng.randint(1, 900))
    if rng.random() < 0.5:
        town = rng.choice(PLACES).removeprefix("the ")
        code = rng.randint(10000, 99999)
        street += rng.choice(
            (f", {town}", f", {town} {code}", f", {code} {town}", f"\n{code} {town}", f", {town}, {code}")
        )
    return street


def _spaced(name: str) -> str:
    """Write particles apart: the lists join them by dashes, as spaces separate the names there."""
    return name.replace("-", " ") if name.startswith(_PARTICLES) else name
