"""Names of more cultures than `people.py` has, and longer forms of names.

Kept apart from `people.ORIGINS`, so that rows which are held out keep the names that a seed gave them.
"""

from __future__ import annotations

import random

import people

#: Given names | family names; particles are joined by dashes as in `people.ORIGINS`, written ``_`` here.
_ORIGINS = (
    (
        "Thulani Nokuthula Sizwe Palesa Katlego Naledi Tumelo Boitumelo Lwazi Ayanda",
        "Ndlovu Mahlangu Molefe Zwane Maseko Modise Tshabalala Ngcobo Sibeko Phiri",
    ),
    (
        "Abdoulaye Bintou Moussa Awa Modou Adama Ibrahima Ndeye Souleymane Oumou",
        "Bâ Sarr Faye Gueye Mbaye Touré Konaté Sanogo Ouattara Kouyaté",
    ),
    (
        "Wairimu Mumbua Kipkemboi Chebet Auma Ochieng Nyambura Baraka Neema Rehema",
        "Kimani Wambui Odhiambo Cheruiyot Rotich Mbugua Onyango Mwakasege Masanja Kikwete",
    ),
    (
        "Tewodros Yohannes Senait Tsegaye Genet Kidane Alem Biruk Tigist Mulugeta",
        "Alemayehu Woldemichael Hailu Tadesse Berhane Ghebre Negash Worku Assefa Demissie",
    ),
    (
        "Chidinma Nkechi Ikenna Olumide Bukola Temitope Aliyu Hauwa Danladi Ekaette",
        "Onwuka Igwe Olatunji Fashola Akinyemi Danjuma Abubakar Effiong Ogbonna Uzoma",
    ),
    (
        "Rina Made Wayan Ketut Putu Bambang Joko Yanti Indah Reza-Putra",
        "Suharto Hutapea Simanjuntak Tampubolon Sutanto Gunawan Prabowo Halim Kurniawan Saputra",
    ),
    (
        "Liwayway Bayani Crisanto Divina Jejomar Corazon Danilo Rosario Arnel Imelda",
        "Dimagiba Catacutan Panganiban Lacson Tolentino Mangubat Batungbakal Estrada Ocampo de_Guzman",
    ),
    (
        "Thanh Hieu Phuong Trang Quynh Bao Dung Hanh Kim-Lien Van-Anh",
        "Cao Mai To Luong Trinh Doan Huynh Quach Thach Tong",
    ),
    (
        "Chanthou Bopha Vannak Sreymom Kanlaya Wichai Siriporn Nattapong Khamla Boun",
        "Chhay Keo Prak Sisavath Rattanavong Suwannarat Thongchai Boonmee Jaidee Inthavong",
    ),
    (
        "Ganbaatar Sarnai Temuulen Enkhjargal Nomin Altan Yerlan Aizhan Nurlan Dana",
        "Batbayar Dorj Tumurbaatar Nazarov Sultanov Beisembayev Tokayeva Omarov Akhmetov Sadykov",
    ),
    (
        "Murad Leyla Elchin Gunel Anvar Dilnoza Shavkat Malika Merdan Ogulbibi",
        "Aliyev Mammadova Huseynli Rahimov Tursunov Ergashev Berdiyev Atayev Guliyev Ismailova",
    ),
    (
        "Vahe Lusine Hovhannes Zaruhi Zurab Tamuna Nana Irakli Lasha Maka",
        "Grigoryan Avetisyan Manukyan Kapanadze Gelashvili Maisuradze Tsiklauri Chkheidze Danelia Sarkisian",
    ),
    (
        "Mantas Eglė Jonas-Tomas Rūta Kārlis Ilze Andris Liga Kristjan Piret",
        "Kazlauskas Petrauskienė Jankauskas Bērziņš Kalniņa Ozols Tamm Saar Kask Mägi",
    ),
    (
        "Agron Vjosa Ilir Mirela Blerim Arta Kiril Biljana Darko Sanja",
        "Kelmendi Rexhepi Gjoka Leka Hasani Trajkovski Stojanov Ristić Knežević Perković",
    ),
    (
        "Bence Dorottya Csaba Enikő Kristóf Iulian Cosmin Mădălina Anca Sorin",
        "Kiss Pap Takács Juhász Németh Munteanu Rusu Ciobanu Stoica Marin",
    ),
    (
        "Llewellyn Rhiannon Gareth Sioned Ieuan Cerys Alasdair Morag Fionnuala Lorcan",
        "Llewelyn ap_Rhys Bevan Gwynne Pritchard Tregenza Trevithick MacAskill Ó_Dochartaigh Ní_Bhriain",
    ),
    (
        "Eneko Ainhoa Oriol Montserrat Jordi Meritxell Xoán Uxía Gorka Leire",
        "Etxebarria Aguirrezabala Puigdemont Ferrer Casals Vilanova Castiñeira Otxoa Ibarra Soler",
    ),
    (
        "Lautaro Rocío-Belén Thiago Aymara Wilmer Yuleidy Jhon Dayana Evo Nélida",
        "Huanca Choque Yupanqui Cusi Ccori Perdomo Benavides Zambrano Loayza de_la_Torre",
    ),
    (
        "Deonte Kiara LaToya Jaylen Tre Makayla Zion Aaliyah Kwame-Louis DeAndre",
        "Broadnax Gadsden Boykin Tolliver Mayweather Hightower Dupree St._Clair Fontenot Robichaux",
    ),
    (
        "Jean-Robert Fabiola Wideline Stanley-Max Shaniqua Delroy Garfield Marva Winston Althea",
        "Toussaint Desir Pierre-Louis Jean-Baptiste Blake Maxwell-Grant Persaud Ramkissoon Bissessar Chin",
    ),
    (
        "Sefo Losaline Manu Vaea Hemi Mereana Tevita Kalesi Ioane Pania",
        "Taufa Latu Havili Vunipola Tuivasa Faleolo Waititi Paewai Ratu Leavasa",
    ),
    (
        "Zohar Ayelet Yosef Chaya Mendel Shlomo Batsheva Lior Inbal Nadav",
        "Ben_Ami Rabinowitz Teitelbaum Abramov Sasson Elbaz Malka Kaplan Edelstein bar_Lev",
    ),
    (
        "Abu Umm-Kulthum Jassim Mouza Sultan Shamma Muqtada Zahra Bassam Rasha",
        "al-Shammari al-Otaibi al-Maktoum bin_Saeed al-Tikriti el-Khatib al-Zahrani ibn_Yusuf Qaddoumi Nasrallah",
    ),
    (
        "Farhad Mahsa Behnam Taraneh Zalmay Palwasha Gulab Spozhmay Azad Rojin",
        "Rezaei Ghorbani Jalali Pourhosseini Ahmadzai Karzai Stanikzai Barzani Talabani Mousavi",
    ),
    (
        "Thiruvengadam Bhavana Muthu Selvi Gopinath Jyoti Harbhajan Simran Debashish Moumita",
        "Subramaniam Venkataraman Natarajan Palaniswami Yadav Chauhan Bedi Sodhi Chakraborty Majumdar",
    ),
    (
        "Shabnam Waqar Nadeem Rubina Mahbub Shirin-Akter Tsering Lhamo Kusal Dinesh",
        "Bhutto Gilani Khattak Afridi Sarkar Mollah Dolma Wangchuk Mendis Gunawardena",
    ),
    (
        "Xiuying Guowei Jianhong Zhenhua Ruolan Siu-ming Mei-ling Kuo-hua Tzu-yi Ah-Kow",
        "Ouyang Situ Zheng Hong Qian Fung Yip Kwok Szeto Tan",
    ),
    (
        "Shunsuke Ayaka Ryota Chihiro Masahiro Fumiko Seung-min Hye-jin Jong-su Ga-eun",
        "Kuroda Ogawa Nishimura Hasegawa Miyazaki Yamashita Seo Noh Baek Namgung",
    ),
    (
        "Wolfram Hiltrud Urs Regula Reto Vreni Alois Leopoldine Fritjof Hedda",
        "Zürn Aeschlimann Gschwandtner Obermoser von_Trotha zu_Hohenfels Bjørnstad Ødegaard Åkerlund af_Ugglas",
    ),
    (
        "Alphonse Ghislaine Corentin Maïwenn Fiorenza Ruggero Calogero Graziella Anastasios Evangelia",
        "de_la_Fontaine du_Plessis d'Aubigny L'Heureux De_Santis Dell'Acqua Lo_Cascio Papanikolaou Hatzis Kyriakou",
    ),
)

#: What performers of one word call themselves, invented.
_MONO = (
    "Zavina Korrin Maelle Odessa-K Brixx Tynka Solenne Ravo Kavinka Jorvik Nyxi Lumière Vexx Amarú Tolani Shyra "
    "Mondo Fenix Zuli Kasho Orinda Plume Drexel Savvy Tempest Lorca Nayo Bijou Quenby Rune Halcyon Zephine Moxie "
    "Dario-X Yemaya Kyrie Elio Suki Bronte Vash Ilya Cosima Pax Juno-Lee Thandi Rook Seven Mars Echo Rain Ocean"
).split()


def given(rng: random.Random) -> str:
    return rng.choice(rng.choice(_ORIGINS)[0].split())


def family(rng: random.Random) -> str:
    return rng.choice(rng.choice(_ORIGINS)[1].split()).replace("_", " ")


def pair(rng: random.Random) -> str:
    """Draw given and family name of one origin.

    Examples
    --------
    >>> pair(random.Random(4))
    'Quynh Mai'
    """
    names, families = rng.choice(_ORIGINS)
    return f"{rng.choice(names.split())} {rng.choice(families.split()).replace('_', ' ')}"


def elaborate(rng: random.Random) -> str:
    """Draw a name in one of the longer forms: with nickname, initials, fathers, two families or the family first."""
    first, last = pair(rng).split(" ", 1) if rng.random() < 0.5 else people.pair(rng).split(" ", 1)
    nick = rng.choice((people.first_name(rng), rng.choice(_MONO)))
    letter, other = rng.sample("ABCDEFGHJKLMNPRSTVW", 2)
    forms = (
        f'{first} "{nick}" {last}',
        f"{first} “{nick}” {last}",
        f"{first} '{nick}' {last}",
        f"{first} ({nick}) {last}",
        f"{letter}.{other}. {last}",
        f"{letter}.-{other}. {last}",
        f"{first} {letter}.{other}. {last}",
        f"{letter}. {given(rng)} {last}",
        f"{first} {last.upper()}",
        f"{last.upper()} {first}",
        f"{first} bin {given(rng)} al-{people.given_name(rng)}",
        f"{first} van der {last}",
        f"{first} {last} y {family(rng)}",
        f"{first} {last} {family(rng)}",
        f"{first}-{given(rng)} {last}",
        f"{first} {last}-{family(rng)}",
        f"{last} {first}",
        f"{first} {given(rng)} {given(rng)} {last}",
    )
    return rng.choice(forms)


def mono(rng: random.Random) -> str:
    return rng.choice(_MONO)


def sloppy(rng: random.Random) -> str:
    """Draw a given name as it is typed in a hurry or shouted.

    Examples
    --------
    >>> sloppy(random.Random(3))
    'Maëllle'
    """
    name = rng.choice((people.given_name, given))(rng)
    at = rng.randrange(len(name))
    forms = (
        name.lower(),
        name + name[-1] * rng.randint(2, 5),
        (name + name[-1] * 3).lower(),
        (name + name[-1] * 3).upper(),
        (name[:at] + name[at + 1 :]) if len(name) > 4 else name,
        name[: at + 1] + name[at:],
        name.swapcase(),
    )
    return rng.choice(forms)
