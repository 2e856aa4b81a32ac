"""Templates of exam questions, headlines and lists whose names belong to nobody who needs protection.

As `token_wire.NOBODY`: thinkers, eponyms, cases, figures of books and beliefs, brands, places and programs. The slots
``{eponym}`` and ``{namesake}`` hold ordinary names unlabelled, so that what stands around them has to tell: a law, a
street or a storm called after somebody is no person. Written for this project.
"""

from __future__ import annotations

NOBODY = (
    # Exams: thinkers and researchers
    "What did {mind} hold about {subject}?",
    "According to {mind}, {subject} is best understood as",
    "{mind} argues that {subject}",
    "{mind}'s account of {subject} implies that",
    "Which of the following would {mind} reject?",
    "For {mind}, the highest good is _______.",
    "{mind} and {mind} disagree about {subject}. Which statement captures the disagreement?",
    "How does {mind} reply to {mind}'s objection concerning {subject}?",
    "In the dialogue, {mind} asks whether {subject} can be taught.",
    "{mind} claims that {subject} rests on a mistake. Which premise does {mind} NOT use?",
    "Unlike {mind}, {mind} thinks that {subject} depends on convention.",
    "Explain how {mind} influenced {mind}.",
    "write an essay comparing {mind} and {mind} on {subject}",
    "{mind} is most closely associated with which school of thought?",
    "Which psychologist is associated with {subject}? A. {mind} B. {mind} C. {mind} D. {mind}",
    "Who proposed the theory of {subject}?\nA. {mind}\nB. {mind}\nC. {mind}\nD. {mind}",
    "The experiment of {mind} showed that {subject} is learned.",
    "{mind}'s student repeated the experiment with {mind}'s apparatus. What changed?",
    "{eponym} ({year}) found that {subject} declines with age. Which design did the study use?",
    "{eponym} and {eponym} ({year}) claim that {subject} is innate. What evidence counts against this view?",
    "According to {eponym}'s ({year}) model of {subject}, attention is",
    "In the {eponym}-{eponym} model, what happens to {subject} in the long run?",
    "The passage most likely responds to {mind}'s view of {subject}.",
    "Suppose {mind} is right that {subject} matters. It follows that",
    "What is {mind}'s main objection to {theory}?",
    "As {mind} uses the term, 'nature' means",
    "Summarise chapter 3 of {mind}'s work on {subject}.",
    "give me three quotes by {mind} about {subject}",
    "Was {mind} a realist about {subject}?",
    "{mind} writes: 'It is plain that men seek {subject}.' What is the conclusion of this argument?",
    "A follower of {mind} would treat {subject} as",
    "Both {mind} and {mind} defend versions of {theory}; which criticism applies to both?",
    "{mind}, {mind} and {mind} all held chairs; whose work on {subject} came first?",
    "The {mind} reading of {subject} was challenged in the {year}s.",
    "Which sociologist would explain {subject} by anomie: {mind}, {mind} or {mind}?",
    "In what year did {mind} publish on {subject}?",
    "{mind}ian ethics and {mind}ian politics",
    "The difference between {mind} and {mind} is primarily one of method.",
    # Exams: eponyms with any name
    "State {eponym}'s law and give one application.",
    "The {eponym} effect describes a change in",
    "Use the {eponym} equation to find the pressure at {number} kPa.",
    "A {eponym} diagram plots {subject} against time.",
    "{eponym}'s theorem holds for every compact space. True or false?",
    "Let f satisfy the {eponym} condition on [0, 1]. Show that f is bounded.",
    "The {eponym}-{eponym} inequality bounds the norm by",
    "Which statement about a {eponym} polynomial of degree {number} is false?",
    "Find the {eponym} number of a flow with velocity {number} m/s.",
    "Compute the {eponym} coefficient of the sample.",
    "A patient with {eponym} syndrome has low potassium. What is the mechanism?",
    "{eponym} disease is caused by a deficiency of",
    "{eponym}'s sign is positive in which condition?",
    "The {eponym} test was negative; the {eponym} stain was positive.",
    "Which bone is broken in a {eponym} fracture?",
    "A {eponym} process reaches equilibrium when",
    "The {eponym} reaction converts an aldehyde to",
    "The {eponym} Act of {year} limited {subject}.",
    "Under the {eponym} doctrine, evidence must be excluded if",
    "What did the {eponym} Report recommend on {subject}?",
    "In {eponym} v. {eponym}, the issue was whether {subject} may be taxed.",
    "Which test for {subject} comes from {eponym} v. State?",
    "In re {eponym} established which rule?",
    "People v. {eponym} is cited for the rule that",
    "The {eponym} curve shifts outward when taxes fall.",
    "Explain the {eponym} paradox.",
    "The {eponym} bound for error-correcting codes is tight for",
    "An {eponym} machine on {number} states halts when",
    "Implement {eponym}'s algorithm and state its complexity.",
    "What is the {eponym} distribution used for?",
    "{eponym} spectroscopy measures the scattering of",
    "the {eponym} constant in SI units",
    "A {eponym} lattice has {number} sites per cell.",
    "The {eponym} scale rates {subject} from 1 to {number}.",
    "Perform a {eponym} transform of the signal.",
    "In a {eponym} oscillator the frequency depends on",
    "A {eponym} bridge is balanced when no current flows.",
    # Exams: known laws, cases, events
    "{casename} established that",
    "In {casename}, the Supreme Court held that {subject} is protected.",
    "What was the holding of {casename}?",
    "How did {casename} change the law after {casename}?",
    "Which clause was at issue in both {casename} and {casename}?",
    "The rule of {casename} does not apply when the officer",
    "Compare {casename} with {casename}.",
    "{law} and {law}: which one applies?",
    "{theory} predicts that {subject}",
    "{theorem} implies that the series",
    "{disease} most often presents with",
    "A patient is given penicillin; {disease} is ruled out. Next step?",
    "{ruler}'s foreign policy aimed at",
    "Which treaty ended the war between {ruler} and {ruler}?",
    "The reforms of {ruler} weakened the nobility because",
    "The reign of {ruler} saw the rise of {subject}.",
    "{ruler} is best known for",
    "President {ruler}'s decision was criticised by Congress because",
    "Historians debate whether {ruler} caused the crisis of {subject}.",
    "the {ruler} administration and {subject}",
    "Which of these happened under {ruler}? I. reform II. war III. famine",
    # Fiction, belief, myth
    "In the novel, {fiction} leaves home because",
    "Describe the relationship between {fiction} and {fiction}.",
    "Why does {fiction} lie to {fiction} in the final act?",
    "Is {fiction} a tragic hero?",
    "write fan fiction about {fiction} meeting {fiction}",
    "who would win, {fiction} or {fiction}?",
    "{fiction} is a symbol of {subject}.",
    "At the end of the play {fiction} forgives {fiction}.",
    "act as {fiction} and explain {subject}",
    "{fiction} costume for kids, size {number}",
    "Which house does {fiction} belong to?",
    "I dressed up as {fiction} for Halloween {emoji}",
    "{deity} and {deity} were worshipped in the same temple.",
    "In the myth, {deity} punishes {deity} for",
    "Which god is the counterpart of {deity}?",
    "Offerings to {deity} included milk and honey.",
    "{biblical} is a prophet in which religions?",
    "In the Book of Exodus, {biblical} leads the people out of Egypt.",
    "What covenant did God make with {biblical}?",
    "The Gospel of {biblical} was probably written in",
    "the parable that {biblical} tells about {subject}",
    "According to the tradition, {biblical} and {biblical} were buried there.",
    "Followers of {biblical} believe that {subject}",
    "Saint {biblical}'s feast day falls in {month_name}.",
    "St. {biblical} Church is on the corner of {eponym} Street.",
    "praise {deity} for another day {emoji}",
    "Thou shalt not lie, said the Lord unto {biblical}.",
    # Things called after people
    "Hurricane {namesake} made landfall on {weekday}.",
    "Tropical storm {namesake} follows {namesake} and {namesake}; {namesake} is next on the list.",
    "{namesake} strengthened to a Category {number} hurricane overnight.",
    "The USS {eponym} left port with {number} sailors.",
    "HMS {namesake} sank in {year}.",
    "The schooner {namesake} Marie ran aground.",
    "Take the bus to {eponym} Street and change at {eponym} Square.",
    "{eponym} Road is closed between {eponym} Avenue and {eponym} Lane.",
    "{eponym} County voted on {weekday}.",
    "{eponym} Park opens at {number} am.",
    "{eponym} Hall and {eponym} Library are shut in {month_name}.",
    "Mount {eponym} and Lake {eponym} are in the same park.",
    "Flights to {eponym} International Airport are delayed.",
    "{eponym} High School beat {eponym} Prep by {number} points.",
    "{eponym} University offers a course on {subject}.",
    "Fort {eponym} was built in {year}.",
    "Port {namesake} and {namesake} Springs are small towns.",
    "{eponym}ville, pop. {number}",
    "{eponym} & {eponym} LLP advises on {subject}.",
    "{eponym}, {eponym} & Partners opened an office in {month_name}.",
    "{eponym} Inc. and {eponym} Ltd. agreed to merge.",
    "{eponym} Brothers filed for bankruptcy in {year}.",
    "{eponym} & Sons, since {year}",
    "Shares in {eponym} Holdings rose {number} percent.",
    "The {eponym} Foundation funds research on {subject}.",
    "{namesake}'s Diner has the best {dish} in town {emoji}",
    "{namesake}'s Kitchen | menu | {dish} | {dish}",
    "{eponym}'s Pharmacy is open until {number}",
    "{namesake} & {namesake}'s Bakery: new opening hours",
    "Eating at {namesake}'s Pizza again {emoji}",
    "The {eponym} Prize and the {eponym} Medal were not awarded.",
    "{eponym} Cup final on {weekday}! #{tag}",
    "The {eponym} Trophy goes to the visitors.",
    "{eponym} Stadium sold out again",
    "the {eponym} fellowship pays {number} a year",
    "{eponym} Theatre presents {opera}",
    "We played the {eponym} Hotel last night {emoji}",
    "The {eponym} Gallery shows prints until {month_name}.",
    "The {eponym}s of this world never learn",
    "the {namesake} chair by {maker} is sold out",
    "The '{namesake}' sofa comes in blue and grey.",
    "The dress '{namesake}' in size {number}",
    "my new {namesake} lamp from IKEA {emoji}",
    "version {number}.0 codename {namesake}",
    "#{eponym} #{namesake} #{tag}",
    "#{namesake}{eponym} is trending",
    "@{namesake} @{eponym} {lower_sentence}",
    "RT @{namesake}_{eponym}: {lower_sentence} {url}",
    "@{namesake}{eponym} lol {emoji}",
    "via @{eponym}{number}",
    "follow @{namesake}{number} and @{eponym}_ {emoji}",
    "u/{namesake}{number} posted: {lower_sentence}",
    "https://example.com/{namesake}-{eponym}",
    # Brands, firms, teams, bands
    "{maker} or {maker}?",
    "Is {maker} better than {maker}?",
    "New {maker} store at the mall {emoji}",
    "I want a {maker} bag so bad",
    "{maker} recalls {number} items over safety fears",
    "got {maker} for dinner {emoji} #{tag}",
    "a bottle of {maker}, please",
    "{maker} shares slide; {maker} cuts outlook",
    "How do I return an order to {maker}?",
    "{firm} hired {number} analysts in {month_name}.",
    "{firm} and {firm} advised on the deal.",
    "Analysts at {firm} cut the rating on {maker}.",
    "Compare the fees of {firm} and {firm}.",
    "internship at {firm}: what should I wear?",
    "{firm} v. {firm}: who bears the loss?",
    "{team} beat {team} in {month_name}",
    "{band} reunion when??? {emoji}",
    "{band} and {band} headline the festival in {month_name}",
    "listening to {band} on repeat #{tag}",
    "hey {assistant}, {lower_sentence}",
    "{assistant}, set an alarm for {number}",
    "{assistant} doesn't understand me {emoji}",
    "is {assistant} always listening?",
    "{assistant} vs {assistant}: which is smarter?",
    "Turn on the lights, {assistant}!",
    # Software
    "How do I install {soft} on Ubuntu?",
    "{soft} fails with exit code {number}",
    "Should I use {soft} or {soft} for this?",
    "{soft} and {soft} both run in Docker",
    "Write a {soft} script that sorts a list.",
    "upgrade {soft} from {number} to {number}",
    "{soft} cluster loses messages after restart",
    "configure {soft} with {soft}",
    "Ask {soft} to write the tests.",
    "{soft} is slow today, is it down?",
    "We migrated from {soft} to {soft} in {month_name}.",
    "The {soft} documentation does not mention {soft}.",
    "- {soft}\n- {soft}\n- {soft}",
    "FROM {soft}:{number}\nRUN make",
    "Is {soft} open source?",
    # Works, places, species, food
    "{artwork} hangs in the Louvre.",
    "What is the theme of {artwork}?",
    "{artwork} is on tv tonight {emoji}",
    "We read {artwork} and {artwork} in school.",
    "Who wrote {artwork}?",
    "tickets for {artwork} go on sale {weekday}",
    "{artwork} (film, {year})",
    "The {species} nests in {month_name}.",
    "{species} and {species} are both endangered.",
    "Identify the {species} in the photo.",
    "How do I care for a {species}?",
    "Menu\n{menu} {number}\n{menu} {number}\n{menu} {number}",
    "I'd like the {menu} and the {menu}, please",
    "{menu} recipe for {number} people",
    "Today's Special: {menu} With {menu}",
    "{menu} is overrated {emoji}",
    "{place_named} or {place_named} for the weekend?",
    "The road from {place_named} to {place_named} is icy.",
    "Photos from {place_named} {emoji} {url}",
    "{place_named} on a map of {month_name}",
    # Months, weekdays, holidays
    "{month_name} is here {emoji}",
    "{month_name} {number} is a {weekday}",
    "Sales in {month_name} beat {month_name} and {month_name}.",
    "closed from {month_name} to {month_name}",
    "{event_day} in {month_name}? Yes!",
    "{weekday}s in {month_name} are the best",
    "May I come in? April was cold, June was warm, August may be hot.",
    "See you in {month_name}, {weekday} at {number}",
    # Headlines and capitals without names
    "{headline}",
    "{headline} {url}",
    "{headline} | {paper}",
    "{HEADING}: {headline}",
    "Breaking: {headline} #{tag}",
    "{headline}; {headline}",
    "{headline}\n\n{sentence} {sentence}",
    "{headline} - {paper} {url}",
    "Opinion | {headline}",
    "RT @{user}: {headline} {url}",
    "{paper}: {headline}",
    "# {headline}\n\n{sentence}",
    "Chapter {number}: {headline}",
    "1. {headline}\n2. {headline}\n3. {headline}",
    # Law and roles
    "{role} shall indemnify {role} against all claims.",
    "{role} and {role} agree that {role} bears the risk.",
    "The {role} sued the {role} for breach of warranty.",
    "{role} appealed; the Court of Appeals affirmed.",
    "Dear {role}, {sentence}",
    "{role}: {sentence}\n{role}: {sentence}",
    "The {role} told the {role} to wait.",
    "What must the {role} prove against the {role}?",
    "A {role} sold land to a {role}, who recorded first. Who has title?",
    "{role} v. {role}: {sentence}",
    "{role} was not available; {role} signed instead.",
    "Question for the {role}: {sentence}",
    "Chorus: {sentence}\nNarrator: {sentence}",
    "mum and dad met {role} {emoji}",
    # Arithmetic of letters, points, and other things with capitals
    "Points A, B and C lie on a circle; AB = {number}. Find BC.",
    "Player 1 moves first; Player 2 sees the move. Find the {eponym} equilibrium.",
    "Firm A and Firm B compete in {eponym} fashion. What price results?",
    "Alleles A and a: cross Aa with Aa. What does {eponym}'s first law predict?",
    "Patient X has {disease}. Doctor Y prescribes aspirin.",
    "Country A trades with Country B as in the {eponym} model.",
    "Train A leaves {eponym} Station at {number}; Train B leaves {eponym} Junction later.",
    "Which is a {eponym} acid?\nA. HCl\nB. BF3\nC. NH3\nD. CH4",
    "{prize} winners are announced in {month_name}",
    "{prize}, {prize}, {prize}: which is oldest?",
    "{theorem} or {theorem}?",
    "{mind} | {mind} | {mind}",
    "{unit} are named after a physicist; {unit} are not.",
    # Word problems, whose people are made up
    "{namesake} has {number} marbles and gives {number} to {namesake}. How many are left?",
    "If {namesake} walks {number} miles in {number} hours, what is the average speed?",
    "{namesake} and {namesake} share a pizza of 8 slices in the ratio 3:1. How many slices does {namesake} eat?",
    "{namesake} deposits ${number} at 4% interest, compounded yearly. What is the balance after 3 years?",
    "{namesake} rolls two fair dice. What is the probability that the sum is 7?",
    "{namesake} is twice as old as {namesake}. In {number} years the ages add up to {number}. Find both ages.",
    "{namesake} pushes a crate of {number} kg up a ramp. Find the work done against friction.",
    "{namesake} stands on a scale in a lift that accelerates upward. What does the scale show?",
    "{namesake} values a car at ${number}, {namesake} at ${number}. What is the consumer surplus?",
    "{namesake} quits a job to look for a better one. This is an example of frictional unemployment. True or false?",
    "{namesake} fears dogs since being bitten as a child. Which kind of learning explains this?",
    "{namesake} remembers the first and last words of a list but not the middle. This shows the _______ effect.",
    "All of {namesake}'s friends are tall. {namesake} is tall. So {namesake} is a friend. Which fallacy is this?",
    "If {namesake} lies, then {namesake} is happy. {namesake} is not happy. What follows?",
    "Translate into predicate logic: {namesake} loves everyone who loves {namesake}. (Lxy: x loves y; a, b)",
    "Let a: {namesake}, b: {namesake}. Which formula says that someone taller than {namesake} is {namesake}?",
    "{namesake} flips a coin {number} times. Find the expected number of heads and the variance.",
    "{namesake} promises a gift to {namesake}, who relies on it. Is the promise enforceable under {casename}?",
    "{namesake} paints a fence in 4 hours, {namesake} in 6. How long do both need together?",
    "{namesake} drives north at {number} km/h while {namesake} drives east. How fast does the distance grow?",
    "Alice sends Bob a message that Eve can read. Which key does Bob use to decrypt it?",
    "In a game, {namesake} picks a row and {namesake} a column. Find the {eponym} equilibrium of the payoffs below.",
    "{namesake}, a child of five, says the taller glass has more juice. Which stage does {mind} describe here?",
    "Twin {namesake} travels at 0.8c, twin {namesake} stays on Earth. Who is younger at the end?",
    "A bag holds {number} red balls; {namesake} draws two. What is the chance that both are red?",
    # Sources and scholars in exam stems
    "This question refers to the passage below.\n'{sentence} {sentence}'\n— {mind}, letter to a friend, 1789",
    "'{sentence}'\n— {ruler}, speech, 18{byte}\nThe excerpt best reflects which development?",
    "'{sentence}' —{namesake} {eponym}, travel journal, 1652. The author's view is best explained by",
    "According to the philosopher {namesake} {eponym}, which of the following is a necessary condition of {subject}?",
    "The economist {namesake} {eponym} is known for which theory of {subject}?",
    "The psychologist {namesake} {eponym} proposed that {subject} develops in stages. Which stage comes first?",
    "Which composer was a contemporary of {namesake} {eponym}?",
    "The poem by {namesake} {eponym} makes use of which metre?",
    "The chemist {namesake} {eponym} discovered which element?",
    "Which of the following best states the thesis of {eponym}'s paper on {subject}?",
    "{eponym} offers three arguments against {theory}. Which of these is not among them?",
    "In {eponym}'s view, {subject} is a matter of degree. {eponym} would therefore say that",
    "{eponym} et al. ({year}) measured {subject} in {number} adults. Name the independent variable.",
    "Consistent with {eponym} & {eponym} ({year}), which group should score highest on {subject}?",
    "{eponym}, {year}; {eponym} & {eponym}, {year}; see also {mind}",
    "(see {eponym}, {year}, p. {number})",
    "Critics of {mind}, such as {eponym}, say that {subject} cannot be measured. How might {mind} respond?",
    "Scenario 1 | I stole from {maker}. Scenario 2 | I thanked {deity}. In which is the speaker clearly wrong?",
    "The {eponym} experiment of {year} is often cited because {sentence}",
    "Who was on the throne when {mind} published on {subject}: {ruler} or {ruler}?",
    "In {artwork}, the author uses {fiction}-like irony to",
    "which came first, {artwork} or {artwork}?",
    "A seller named {eponym} Motors conveys land to {eponym} Corp. by deed. Under {law}, who prevails?",
    "The {eponym}-{eponym} hypothesis links language and thought. Which finding speaks against it?",
    "The {eponym} amendment, the {eponym} plan and the {eponym} compromise all dealt with {subject}.",
    "{ruler} and the {eponym} Affair: causes and effects",
    "Name the {eponym} cell, the {eponym} duct and the loop of {eponym} in the figure.",
    "Inferior to the ligament of {eponym} lies the canal of {eponym}. Which nerve passes there?",
    "Give {eponym}'s triad and the {eponym} criteria for {disease}.",
    "The {eponym} rearrangement and the {eponym}-{eponym} coupling both form C-C bonds. Which needs palladium?",
    "Using {eponym}'s method with step h = 0.1, estimate y(1).",
    "The {eponym} group, a {eponym} surface and a {eponym} module: define each.",
    "Show that every {eponym} ring is {eponym}ian.",
    "In {soft}, which keyword declares a constant?",
    "What does {mind}'s test tell about {assistant}?",
)

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
