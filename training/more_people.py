"""More names, so that `people.py` stays short: of its origins and of others, nicknames, invented stage names."""

from __future__ import annotations

#: Origin -> given names | family names, as in `people.ORIGINS`; families join their particles by dashes.
MORE: dict[str, tuple[str, str]] = {
    "english": (
        "Arthur Walter Edith Mabel Clarence Ernest Gladys Harold Doris Stanley Vera Leonard Maureen Trevor Nigel "
        "Gillian "
        "Keith Pauline Geoff Hazel Duncan Rosie Alfie Poppy Archie Freya Toby Imogen Jasper Matilda Rupert "
        "Beatrice Miles "
        "Cody Brandon Kayla Hailey Travis Dustin Courtney Brianna Jaden Aiden Caleb Wyatt Landon Peyton "
        "Mackenzie Shelby "
        "Darius Tyrone DeShawn Latoya Keisha Jamal Tanisha Marcus Malik Imani Trayvon Ebony Darnell Shanice "
        "Leroy Monique "
        "Randy Debbie Wanda Cheryl Glenn Todd Brenda Rhonda Darrell Wayne Dwight Marvin Vernon Lyle Elmer "
        "Mildred Norma",
        "Abbott Aldridge Appleby Atkinson Barlow Bartlett Beckett Birch Blythe Bolton Bowen Bradshaw Briggs "
        "Brewer Buckley "
        "Burgess Calloway Chadwick Chandler Clayton Connolly Crawford Crosby Dalton Dawson Dixon Driscoll Dunn "
        "Eastwood "
        "Ellison Fletcher Garrett Gibbs Goodwin Greer Griffith Hale Hammond Harding Haywood Holloway Hooper "
        "Hurst Ingram "
        "Jarvis Kemp Kendrick Kirby Langley Latham Lockwood Maddox Merritt Mercer Norwood Osborne Parrish Pratt "
        "Preston "
        "Radcliffe Ramsey Rowe Sawyer Sheffield Skinner Spencer Stafford Sutton Thatcher Thornton Underwood "
        "Vaughn Wade "
        "Wakefield Webster Whitaker Wilcox Woodward Yates Washington Jefferson Booker Freeman Gaines Mayfield Pettway",
    ),
    "irish_scottish": (
        "Aidan Caoimhe Saoirse Ronan Oisín Gráinne Seamus Orla Finbar Deirdre Malcolm Mhairi Angus Catriona Rory "
        "Kirsty",
        "Kelleher Moriarty Hennessy Donnelly Rafferty Costello McGrath McLaughlin Buchanan Macpherson Galbraith "
        "Ó-Briain "
        "McAllister Urquhart Lafferty Tierney Devlin Keane McCormack McManus",
    ),
    "spanish": (
        "Rodrigo Guadalupe Esteban Yolanda Joaquín Marisol Emilio Rocío Álvaro Noelia Cristóbal Itziar Iker "
        "Nerea Facundo "
        "Agustina Bautista Milagros Wilfredo Yadira Anselmo Remedios Hernán Jimena Leandro Maite",
        "Navarro Cabrera Domínguez Escobar Fuentes Gallego Lozano Maldonado Nieto Ochoa Paredes Ríos Soto "
        "Trujillo Uribe "
        "Valdez Zamora Zapata Etxeberria Goikoetxea Arriaga Bermúdez Cárdenas Echeverría de-los-Santos Pizarro Quispe "
        "Mamani Restrepo Londoño Villarreal Olmos",
    ),
    "portuguese": (
        "Caio Bruna Otávio Mariana Vinícius Priscila Duarte Leonor Afonso Matilde Wellington Jussara Edson Rosângela",
        "Moura Freitas Machado Queiroz Andrade Batista Figueiredo Fonseca Guimarães Macedo Pacheco Peixoto "
        "Tavares Vieira "
        "de-Jesus do-Carmo Bittencourt",
    ),
    "french": (
        "Mathieu Océane Rémi Sylvie Yannick Bérénice Gaëtan Noémie Didier Véronique Loïc Morgane Fabrice "
        "Clémence Kylian",
        "Roux Lefèvre Marchand Carpentier Charpentier Delorme Guérin Lemaire Masson Picard Renaud Tessier "
        "Vasseur Verdier "
        "Le-Goff Le-Roux de-la-Tour Tremblay Gagnon Bouchard Desrosiers Thibodeaux Boudreaux Landry",
    ),
    "german": (
        "Leon Marlene Till Svenja Rainer Gudrun Ottmar Liesel Florian Veronika Benedikt Franziska Jörg Anke "
        "Holger Silke",
        "Albrecht Bergmann Böhm Dietrich Engelhardt Friedrich Geiger Haas Heinemann Jäger Kaufmann Kirchner Löwe "
        "Metzger "
        "Pfeiffer Riedel Sauer Seidel Trautmann Ullrich Voigt Ziegler von-der-Heide Aebischer Zürcher Brunner",
    ),
    "dutch_nordic": (
        "Thijs Fleur Joris Maartje Ruben Liselotte Sigurd Ragnhild Eirik Maren Søren Kirsten Mads Amalie Gunnar Guðrún "
        "Einar Sigríður Timo Päivi Jussi Outi Oskar Ebba Viggo Tove",
        "ter-Horst Vermeulen Janssens Peeters Claes Dekker Brouwer Kuipers Postma Veenstra van-der-Linden "
        "van-Dam Olsen "
        "Pedersen Jørgensen Rasmussen Gustafsson Lindberg Sjöberg Ekström Haugen Strand Nieminen Heikkinen Salonen "
        "Gunnarsson Sigurðardóttir Thorvaldsen",
    ),
    "italian_greek": (
        "Riccardo Ilaria Fabio Noemi Salvatore Concetta Tommaso Beatrice Vincenzo Loredana Spyros Despina "
        "Panagiotis Anthi",
        "Bruno Gallo Rizzo Barbieri Santoro Caruso Ferrara Galli Martinelli Leone Longo Gentile Vitale D'Angelo "
        "D'Amico "
        "della-Valle Lo-Presti Angelopoulos Christodoulou Makris Pappas Stavridis Tsipras",
    ),
    "slavic": (
        "Anton Ksenia Vadim Larisa Ruslan Alina Stanisław Bożena Zbigniew Iwona Ondřej Markéta Vojtěch Barbora "
        "Dušan Vesna "
        "Goran Snežana Stoyan Desislava Matej Alenka Andrii Iryna Maksym Halyna",
        "Fedorov Orlova Vasiliev Zaitseva Pavlov Belousov Gusev Kravchenko Lysenko Tkachenko Hrytsenko Zieliński "
        "Dąbrowska "
        "Pawlak Jabłońska Procházka Čermák Černý Krejčí Nikolić Đorđević Ilić Babić Horvat Kos Zupančič Georgiev "
        "Stoyanova",
    ),
    "arabic_persian_turkish": (
        "Abdulrahman Nadia Walid Dalal Faisal Hind Saad Amal Ziad Lina Hossein Maryam Babak Niloufar Kaveh "
        "Golnaz Burak "
        "Selin Onur Derya Hakan Esra Rashid Latifa Idris Soumaya Anwar Najla",
        "Al-Rashid Al-Masri El-Amin Barakat Darwish Fayed Ghanem Hamdan Jaber Kassem Mahfouz Nouri Othman Qasim "
        "Sabbagh "
        "Shaheen Taha Zaki bin-Laith Jafari Moradi Rostami Sadeghi Arslan Doğan Erdem Güneş Polat Korkmaz Bouzid "
        "Cherif",
    ),
    "south_asian": (
        "Aarav Aditi Kunal Shreya Siddharth Nandini Manoj Rekha Prakash Usha Gopal Sarita Jaspreet Manpreet "
        "Zubair Sana "
        "Asif Rukhsana Chaminda Nilanthi Bishal Sushmita Tenzin Pema Dorji Sonam",
        "Trivedi Saxena Tiwari Mishra Pandey Choudhary Naidu Hegde Shetty Kulkarni Deshpande Ghosh Dutta "
        "Sengupta Bhatt "
        "Thapa Gurung Tamang Sherpa Jayawardene Wickramasinghe Rajapaksa Akhtar Mirza Malik Baig Dhillon Sandhu "
        "Ranganathan",
    ),
    "east_asian": (
        "Zihan Yuxuan Xinyi Bowen Meiling Chun-hua Ka-wai Wing-yan Tsung-han Ryo Hinata Shota Nanami Kazuki Misaki "
        "Do-yun Eun-ji Tae-hyung Ha-neul Sung-ho Bat-Erdene Oyunaa Jia-wei Shu-fen",
        "Xie Deng Feng Cao Peng Xiao Tian Dong Yuan Pan Cai Jiang Wei Tsai Hsu Chan Wong Cheung Leung Ng "
        "Matsumoto Inoue "
        "Kimura Saito Mori Ikeda Hashimoto Fujita Okada Shin Song Kwon Hwang Ahn Bae Ganbold",
    ),
    "southeast_asian": (
        "Huong Tuan Lan Khoa Ngoc Duc Agung Ratna Eko Sri Hendra Rosmah Farid Zulkifli Aisyah Prasert Suda Arthit Chan "
        "Sokha Kyaw Phyu Rodel Marites Efren Ligaya",
        "Vo Ngo Duong Ly Truong Dinh Lam Kusuma Nugroho Pranoto Siregar Lubis Harahap Salonga Pangilinan "
        "Magsaysay Aquino "
        "dela-Rosa Sombat Phonphrasert Sok Chea Phommasack Win Naing bin-Osman",
    ),
    "african": (
        "Ifeoma Obinna Adaobi Babatunde Yetunde Uchenna Yaw Efua Kojo Adwoa Bongani Nandi Mandla Precious Otieno Njeri "
        "Kiprop Jelagat Mugisha Nakato Tafadzwa Rutendo Haile Meron Cheikh Khady Sékou Mariama Thandiwe Lindiwe",
        "Achebe Adebayo Afolabi Chukwu Ezekiel Ibekwe Nnamdi Obi Ogunleye Onyeka Acheampong Agyeman Amoah Osei "
        "Buthelezi "
        "Mabaso Radebe Sithole Zulu Kiplagat Kipchoge Wafula Mutua Nakimera Okello Museveni Chiweshe Gebremariam Girma "
        "Camara Cissé Coulibaly Diop Fofana Sylla van-Zyl Botha Pretorius",
    ),
    "hebrew_hungarian_other": (
        "Shira Oren Yonatan Hadas Dov Rivka Balázs Ildikó Zoltán Ágnes Radu Simona Vlad Raluca Besnik Drita "
        "Giorgi Ketevan "
        "Davit Gayane Aibek Gulnara Timur Dinara Kainoa Malia Wiremu Ngaire Sione Mele",
        "Ben-David Azoulay Biton Shalev Zilberman Horowitz Weinstein Molnár Farkas Varga Balogh Dumitru Stan Gheorghe "
        "Krasniqi Berisha Shala Lomidze Kvaratskhelia Hakobyan Nazarbek Abdrakhmanov Karimov Yusupov Fifita Tuilagi "
        "Kalani Parata Te-Rangi",
    ),
    "indigenous_caribbean": (
        "Aiyana Takoda Winona Tala Kele Nayeli Itzel Cuauhtémoc Yaretzi Inti Illari Nahuel Ayelen Shanelle Kemar Akeem "
        "Tamika Jahmai Rohan Anouk Siku Nanuq Ahnah Kirra Jarrah Marlee",
        "Begay Yazzie Tsosie Whitehorse Littlefoot Blackelk Manygoats Redcloud Coronel Huaman Condori Catrileo "
        "Nahuelpan "
        "Beckford Gayle Powell Bogle Brathwaite Ramdin Mohammed-Ali Okpik Kunuk Yunupingu Marika",
    ),
}

#: Invented stage names, and what performers call themselves.
STAGES = (
    "Lil Kato|DJ Marvo|MC Tanko|Zayra Quill|Ysolde|Big Rook|Young Vesper|Nova Delmar|Jaxx Merrow|Kiki Solana|"
    "Tavi Blaze|"
    "Lola Vantage|Dex Harlow|Rio Castellan|Mila Storm|Ziggy Farrow|Queen Adaeze|Yung Pharo|Lil Saffron|DJ Oksana|Kaia|"
    "Brielle|Tayo B|Prince Orlo|Amaya Rey|Jonny Vale|Stella Nix|Skye Lennox|Kwes Ardo|Mr. Fenn|Dani K|El Chavo Negro|"
    "Soraya Bliss|Trey Monroe|Cass Holloway|Indie Rae|J-Lyric|Nico Vantz|T-Rell|Masha Volk|Jae Min|Hana Lux|Sir Dougie|"
    "Lady Sabine|Vico Marenzi|Aaliyana|Demarco Dre|Lucho Paz|Rosalinda Cruz|Kit Marlowe Jr.|Paloma Grey|Joss Arden|"
    "Triple Q|Young Garo|Cap 9|Raw Tenor|Birdie|Stormzo|KELU|Rzo|J. Kole|2 Tonez|A$AP Wen|Ludo|Vic D|Kid Marlo|"
    "Big T|The Drift|"
    "Cardo B|Wiz Kato|French Marek|Rick Rosso|Snoop Lamar|Busta K|Juicy L|Ty Dolla Reyes|will.i.was|deadmau7|"
    "Tiëlo|Zed Kay"
).split("|")

NICKNAMES = (
    "Mikey|Jimbo|Dave-o|Tommo|Gazza Reed|Big Al|Lizzie|Becks Hale|Bex|Jonno|Shaz|Daz|Kev|Baz|Nicky|Ozzie|Teddy|Robbie|"
    "Stevie|Charlie|Lexi|Abby|Maddie|Ellie|Katie|Jess|Jen|Meg|Nat|Tash|Vicky|Sammy|Benny|Danny|Joey|Vinny|"
    "Frankie|Ricky|"
    "Timmy|Manny|Pepe|Nacho|Lupita|Paco|Memo|Chuy|Beto|Xime|Juli|Nando|Zé|Kike|Sasha|Vanya|Masha|Dima|Kasia|Gosia|"
    "Misha|Katya|Ade|Femi|Tunde|Ike|Kemi|Moh|Abdi|Zee|Raj|Sid|Vicks|Bunny|Pinky|Chintu|Momo|Yuki-chan|Kenny|Tae|Jojo|"
    "Coco|Lulu|Gigi|Fifi|Bibi|Nana Ama|Tati|Toto|Matze|Basti|Flo|Resi|Uli|Schorsch|Pim|Joost|Bas|Kalle|Pelle|Lasse"
).split("|")

#: Given names that are also places, brands, months or things.
DOUBLE = (
    "Paris Brooklyn Chelsea Jordan Austin Dallas Georgia Florence Victoria Sydney India Kobe Charlotte Savannah "
    "Madison "
    "Dakota Cheyenne Phoenix Carolina Virginia Lourdes Israel Chad Kenya Asia Milan Roma London Jackson Lincoln Wayne "
    "Tiffany Mercedes Alexa Siri Porsche Lexus Armani Dior Ginger Pepper Olive Basil Sage Ivy Daisy Lily Heather "
    "Violet "
    "Jasmine Amber Ruby Pearl Crystal Jade Opal Summer Autumn Winter April June August Dawn Eve Sky Star Angel Destiny "
    "Hope Joy Patience Charity Prudence Blessing Precious Gift Prince King Duke Earl Major Judge Bishop Dean Guy Buddy "
    "Sonny Rusty Rocky Sandy Misty Stormy Robin Jay Wren Birdie Colt Ram Bear Wolf Leo Drake Cliff Forest Glen Heath "
    "Rock Reed Clay Rod Gene Jean Miles Chip Dick Jack Mike Nick Rob Sue Wade Skip Chuck Josh Jimmy Pat Harry Stone"
).split()
