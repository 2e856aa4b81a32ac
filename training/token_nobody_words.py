"""Words for the slots of `token_nobody.py`: names, and what is written like one, of nobody who needs protection.

By slot, parted by bars. Written for this project.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    "mind": (
        "Kant|Hume|Aristotle|Plato|Descartes|Hobbes|Locke|Mill|Nietzsche|Freud|Jung|Skinner|Pavlov|Piaget|Vygotsky|"
        "Marx|Keynes|Hayek|Friedman|Ricardo|Adam Smith|Newton|Einstein|Darwin|Mendel|Aquinas|Augustine|Socrates|"
        "Confucius|Mencius|Laozi|Zhuangzi|Spinoza|Leibniz|Hegel|Rawls|Nozick|Singer|Weber|Durkheim|Foucault|Derrida|"
        "Habermas|Arendt|Sartre|de Beauvoir|Kierkegaard|Heidegger|Husserl|Wittgenstein|Russell|Moore|Frege|Quine|"
        "Kripke|Popper|Kuhn|Lakatos|Feyerabend|Chomsky|Saussure|Bandura|Erikson|Maslow|Milgram|Zimbardo|Kohlberg|"
        "Gilligan|Ainsworth|Bowlby|Gardner|Sternberg|Kahneman|Tversky|Bentham|Butler|Berkeley|Reid|Anscombe|Foot|"
        "MacIntyre|Nussbaum|Sen|Parfit|Thomson|Nagel|Williams|Dworkin|Hart|Austin|Fuller|Grotius|Machiavelli|Burke|"
        "Tocqueville|Montesquieu|Rousseau|Voltaire|Epicurus|Seneca|Epictetus|Marcus Aurelius|Cicero|Averroes|"
        "Avicenna|Maimonides|Ibn Khaldun|Nagarjuna|Shankara|Galileo|Kepler|Copernicus|Ptolemy|Bohr|Heisenberg|"
        "Schrödinger|Dirac|Feynman|Maxwell|Faraday|Curie|Rutherford|Lavoisier|Dalton|Mendeleev|Pauling|Lamarck|"
        "Watson and Crick|Pasteur|Koch|Galen|Hippocrates|Euclid|Archimedes|Gauss|Euler|Noether|Gödel|Turing|Church|"
        "von Neumann|Shannon|Knuth|Lovelace|Waltz|Morgenthau|Mearsheimer|Huntington|Fukuyama|Wendt|Porter|Drucker|"
        "Immanuel Kant|David Hume|John Stuart Mill|Thomas Hobbes|John Rawls|Peter Singer|Hannah Arendt|Karl Marx|"
        "Sigmund Freud|Jean Piaget|B. F. Skinner|Albert Bandura|Charles Darwin|Isaac Newton|Marie Curie|Max Weber"
    ),
    "subject": (
        "knowledge|virtue|justice|the state of nature|memory|attachment|free will|causation|the social contract|"
        "personal identity|inflation|language|natural rights|motivation|happiness|punishment|the division of labour|"
        "conformity|perception|property|war|evolution|the unconscious|trade|the family|power|beauty|money|induction"
    ),
    "casename": (
        "Roe v. Wade|Marbury v. Madison|Brown v. Board of Education|Miranda v. Arizona|Gideon v. Wainwright|"
        "Plessy v. Ferguson|McCulloch v. Maryland|Mapp v. Ohio|Terry v. Ohio|Griswold v. Connecticut|"
        "Loving v. Virginia|Lochner v. New York|Hadley v. Baxendale|Donoghue v Stevenson|Carlill v Carbolic Smoke Ball|"
        "Obergefell v. Hodges|Dred Scott v. Sandford|New York Times v. Sullivan|Brandenburg v. Ohio|Rylands v Fletcher|"
        "Salomon v Salomon & Co|Pennoyer v. Neff|Erie Railroad v. Tompkins|Palsgraf v. Long Island Railroad"
    ),
    "ruler": (
        "Napoleon|Louis XIV|Henry VIII|Elizabeth I|Charles V|Peter the Great|Catherine the Great|Bismarck|Lenin|Stalin|"
        "Mao|Gandhi|Lincoln|Washington|Jefferson|Andrew Jackson|Theodore Roosevelt|Wilson|Truman|Kennedy|Nixon|Reagan|"
        "Caesar|Augustus|Alexander|Genghis Khan|Akbar|Suleiman|Charlemagne|Cleopatra|Ashoka|Qin Shi Huang|Churchill|"
        "Metternich|Cromwell|Robespierre|Garibaldi|Bolívar|Mansa Musa|Shaka|Tokugawa Ieyasu|Justinian|Hammurabi"
    ),
    "fiction": (
        "Hamlet|Ophelia|Macbeth|Lady Macbeth|Romeo|Juliet|Othello|Iago|King Lear|Sherlock Holmes|Dr. Watson|Dracula|"
        "Frankenstein|Elizabeth Bennet|Mr. Darcy|Jane Eyre|Heathcliff|Huckleberry Finn|Tom Sawyer|Captain Ahab|Ishmael|"
        "Don Quixote|Sancho Panza|Oliver Twist|Ebenezer Scrooge|Anna Karenina|Raskolnikov|Gatsby|Daisy Buchanan|Batman|"
        "Spider-Man|Wonder Woman|Luke Skywalker|Darth Vader|Harry Potter|Hermione|Gandalf|Frodo|Homer Simpson|Bart|"
        "Mickey Mouse|Donald Duck|Peter Pan|Captain Hook|Robin Hood|King Arthur|Merlin|Cinderella|Snow White|Pinocchio|"
        "James Bond|Indiana Jones|Mario|Luigi|Princess Zelda|Lara Croft|Pikachu|Naruto|Goku|Elsa|Shrek|Winnie the Pooh"
    ),
    "deity": (
        "Zeus|Hera|Athena|Apollo|Artemis|Ares|Hermes|Poseidon|Hades|Demeter|Jupiter|Juno|Mars|Venus|Mercury|Odin|Thor|"
        "Loki|Freya|Ra|Osiris|Isis|Horus|Anubis|Vishnu|Shiva|Brahma|Krishna|Ganesha|Lakshmi|Kali|Quetzalcoatl|Ishtar|"
        "Marduk|Baal|Amaterasu|Allah|God|Jesus|Christ|the Buddha|the Holy Spirit|the Virgin Mary|Yahweh|Inanna"
    ),
    "biblical": (
        "Moses|Abraham|Isaac|Jacob|Joseph|David|Solomon|Noah|Adam|Eve|Cain|Abel|Job|Jonah|Daniel|Isaiah|Jeremiah|"
        "Ezekiel|Matthew|Mark|Luke|John|Peter|Paul|Thomas|James|Andrew|Judas|Mary|Martha|Ruth|Esther|Samuel|Elijah|"
        "Jesus|Muhammad|Buddha|Guru Nanak|Zoroaster|Mahavira|Rama|Arjuna|Luther|Calvin|Francis|Benedict|Ignatius"
    ),
    "maker": (
        "Jack Daniel's|Wendy's|Ben & Jerry's|Jim Beam|Johnnie Walker|Dr. Martens|Marks & Spencer|Abercrombie & Fitch|"
        "Dolce & Gabbana|Levi Strauss|Calvin Klein|Tommy Hilfiger|Hugo Boss|Giorgio Armani|Vera Wang|Kate Spade|"
        "Jimmy Choo|Tiffany|Cartier|Mercedes|Ferrari|Tesla|Ford|Chevrolet|Chrysler|Harley-Davidson|John Deere|"
        "Rolls-Royce|Aston Martin|Porsche|Honda|Hershey|Mars|Cadbury|Kellogg's|Heinz|Campbell's|Uncle Ben's|"
        "Aunt Jemima|Betty Crocker|Sara Lee|Mrs. Fields|Little Debbie|Jimmy Dean|Tim Hortons|Carl's Jr.|Arby's|"
        "Chuck E. Cheese|Denny's|Trader Joe's|Dick's Sporting Goods|Lloyds|Estée Lauder|Mary Kay|Victoria's Secret|"
        "Johnson & Johnson|Black & Decker|Steinway|Fender|Gibson|Yamaha|Barbie|Dell|Philips|Max Mara|Stella Artois"
    ),
    "firm": (
        "Goldman Sachs|Ernst & Young|Morgan Stanley|JPMorgan Chase|Merrill Lynch|Lehman Brothers|Charles Schwab|"
        "Edward Jones|Raymond James|Price Waterhouse|McKinsey|Arthur Andersen|Baker McKenzie|Kirkland & Ellis|"
        "Bank of America|Wells Fargo|Credit Suisse|Julius Baer|Lazard|Rothschild & Co|Berkshire Hathaway|Eli Lilly|"
        "Warner Bros.|Procter & Gamble|Lockheed Martin|Hewlett-Packard|Booz Allen Hamilton|Smith Barney|Abbott|Merck"
    ),
    "assistant": "Siri|Alexa|Cortana|Bixby|Gemini|Claude|Watson|Jarvis|Alexa|Siri|Eliza|Tay|Erica|Copilot|Bard",
    "soft": (
        "Jenkins|Ada|Julia|Gemini|Claude|Cassandra|Kafka|Ruby|Pascal|Haskell|Erlang|Jasmine|Jupyter|Maven|Gradle|"
        "Mercurial|Perl|Hugo|Jekyll|Django|Flask|Celery|Airflow|Prometheus|Grafana|Hadoop|"
        "Hermes|Athena|Apollo|Elasticsearch|"
        "Vagrant|Ansible|Puppet|Chef|Salt|Nagios|Travis|Bamboo|Octave|Maxima|Swift|Scala|Clojure|Lua|Dart|Eiffel|Curry|"
        "Coq|Isabelle|Agda|Lean|Rust|Crystal|Elm|Llama|Mistral|Falcon|Bert|Elmo|Ernie|Watson|Alexa|Bixby|Debian|Trixie|"
        "Sarge|Woody|Buster|Bullseye|Tomcat|Jakarta|Lucene|Solr|Sphinx|Babel|Jest|Mocha|Karma|Jasmine|Nest|Rollup"
    ),
    "artwork": (
        "the Mona Lisa|Romeo and Juliet|Emma|Jane Eyre|Anna Karenina|Oliver Twist|David Copperfield|Tom Jones|Carrie|"
        "Rebecca|Lolita|Matilda|Hamlet|Madame Bovary|Mrs Dalloway|Daisy Miller|Silas Marner|Ethan Frome|Annie Hall|"
        "Forrest Gump|Jerry Maguire|Erin Brockovich|John Wick|Jackie Brown|Thelma & Louise|Billy Elliot|Donnie Darko|"
        "Edward Scissorhands|Ferris Bueller's Day Off|Everybody Loves Raymond|Grace and Frankie|Will & Grace|"
        "Rick and Morty|Phineas and Ferb|Dora the Explorer|Bob's Burgers|The Mary Tyler Moore Show|Eleanor Rigby|"
        "Hey Jude|Billie Jean|Roxanne|Layla|Peggy Sue|Michelle|Angie|Jolene|Barbara Ann|Sweet Caroline|Dear Evan Hansen"
    ),
    "species": (
        "Anna's hummingbird|Steller's jay|Cooper's hawk|Thomson's gazelle|Grévy's zebra|Père David's deer|"
        "Darwin's finch|"
        "black-eyed Susan|sweet William|Joshua tree|Venus flytrap|Jacob's ladder|Jack Russell terrier|"
        "King Charles spaniel|"
        "Doberman|Saint Bernard|bird of paradise|Douglas fir|Queen Anne's lace|Tasmanian devil|Komodo dragon|"
        "Drosophila melanogaster|Homo sapiens|Rosa canina|Salvia officinalis|Ginkgo biloba|Adélie penguin|John Dory|"
        "Cleopatra butterfly|Swainson's thrush|Wilson's warbler|Risso's dolphin|Przewalski's horse|African violet"
    ),
    "menu": (
        "Caesar Salad|Eggs Benedict|Beef Wellington|Peach Melba|Chicken Kiev|Beef Stroganoff|Oysters Rockefeller|"
        "Cobb Salad|Waldorf Salad|Crêpe Suzette|Pizza Margherita|Bananas Foster|Salisbury Steak|General Tso's Chicken|"
        "Earl Grey Tea|Bloody Mary|Tom Collins|Shirley Temple|Arnold Palmer|Harvey Wallbanger|Sloppy Joe|Reuben|"
        "Philly Cheesesteak|Graham Crackers|Granny Smith Apples|Pavlova|Carpaccio|Bellini|Béchamel|Tarte Tatin|"
        "Victoria Sponge|Battenberg Cake|Charlotte Russe|Sachertorte|Anna Potatoes|Bolognese|Alfredo|Marie Rose Sauce"
    ),
    "headline": (
        "House Passes Spending Bill|Stocks Slide as Rates Rise|Ten Things Every Parent Should Know|"
        "Wildfire Forces Thousands From Homes|Scientists Find Water on Distant Moon|Court Blocks New Rule|"
        "Police Seek Witnesses After Crash|Union Workers Walk Out|City Council Delays Vote on Park|"
        "Rain Ends Long Drought|"
        "Why Your Phone Battery Dies So Fast|Senate Panel Backs Trade Deal|Storm Leaves Thousands Without Power|"
        "School Board Cuts Music Program|Museum Opens New Wing|Home Team Falls in Overtime|"
        "Oil Prices Hit Two-Year High|"
        "How To Bake The Perfect Bread|Best Laptops For Students|Will May Be Cold? Experts Say Yes|"
        "Grant Money Runs Out|"
        "Bill Would Ban Plastic Bags|Mark Your Calendar for Spring Fair|Art Show Draws Crowd|Rich Harvest Expected|"
        "Frank Talk on Debt|Hope Grows for Peace Deal|Faith Leaders Meet|Grace Period Ends|Jack Pot Hits Record|"
        "Drew Large Crowds Over Weekend|Major Road Works Planned|Dean Of Law School Resigns|King Tide Floods Harbor|"
        "Chase Ends in Crash|Dawn Raid Nets Five|Summer Heat Breaks Records|Prime Minister Calls Early Vote|"
        "PRICES UP AGAIN|MARKETS IN TURMOIL|FLOOD WARNING ISSUED|FREE SHIPPING THIS WEEKEND|BIG WIN FOR HOME SIDE"
    ),
    "role": (
        "Plaintiff|Defendant|Buyer|Seller|Landlord|Tenant|Lessee|Borrower|Lender|Trustee|Grantor|Grantee|Licensor|"
        "Licensee|Contractor|Owner|Customer|Supplier|Employer|Employee|Agent|Principal|Testator|Executor|Prosecutor|"
        "Judge|Sheriff|Bishop|Mayor|Governor|Senator|Speaker|Coach|Captain|Professor|Doctor|Nurse|Manager|Santa Claus"
    ),
}
