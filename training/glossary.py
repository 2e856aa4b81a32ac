"""What people ask about in each of the fourteen domains, and how: the short questions that exams lack.

Written for this project.
"""

from __future__ import annotations

#: Subjects of each domain, separated by bars.
SUBJECTS: dict[str, str] = {
    "biology": (
        "photosynthesis|mitosis|meiosis|DNA replication|natural selection|an ecosystem|the cell membrane|ribosomes|"
        "mitochondria|enzymes|genetic drift|a food web|the Krebs cycle|gene expression|RNA transcription|"
        "evolution by natural selection|homeostasis in animals|a vertebrate|the nitrogen cycle|plant hormones|"
        "stem cells|CRISPR gene editing|bacteria and viruses|chromosomes|dominant and recessive alleles|"
        "Mendelian inheritance|speciation|biodiversity|pollination|symbiosis|the cell cycle|protein synthesis|"
        "osmosis|fungi|insects and arthropods|taxonomy of species|keystone species|animal behaviour in the wild|"
        "cellular respiration|coral reefs|phylogenetic trees|the lac operon|prokaryotes and eukaryotes|"
        "a population bottleneck|epigenetics|chloroplasts|xylem and phloem|amphibians|mutation|the human genome|"
        "bird migration|antibodies in the immune response of mammals|photosystems|gametes|embryonic development|"
        "predators and prey|microorganisms in soil"
        "|DNA polymerase|the phenotype in genetics|genes|the powerhouse of the cell"
        "|animal cells and plant cells|how plants grow|the heart of a frog|evolution of species"
        "|red blood cells|ecosystems"
    ),
    "business": (
        "a marketing strategy|brand positioning|supply chain management|a business plan|customer segmentation|"
        "a SWOT analysis|cash flow management|human resources policy|employee motivation at work|"
        "corporate governance|stakeholder management|a merger and acquisition|project management|market research|"
        "sales funnels|pricing strategy for a product|a balanced scorecard|inventory turnover|"
        "accounting for depreciation|a balance sheet|an income statement|venture capital funding|"
        "a startup pitch deck|franchising|leadership styles in companies|organizational structure|"
        "performance appraisal|outsourcing|quality management|customer retention|return on investment|"
        "working capital|lean management|e-commerce|public relations|retail management|break-even analysis|"
        "corporate social responsibility|B2B sales|key performance indicators|product launch|"
        "negotiating with suppliers|auditing|dividend policy|a marketing mix with four Ps|brand loyalty|"
        "competitive advantage|Porter's five forces|budget planning for a department|team management|an invoice|"
        "customer relationship management|an advertising campaign|entrepreneurship|profit margin"
        "|B2B and B2C models|ROI|a company's revenue|hiring staff|a CEO's role|a business model"
        "|a sales target|a quarterly report|shareholders|opening a store"
    ),
    "chemistry": (
        "covalent bonds|the periodic table|oxidation states|Le Chatelier's principle|acid-base titration|"
        "pH of a solution|molarity|stoichiometry|ionic compounds|electronegativity|organic reaction mechanisms|"
        "catalysts|the ideal gas law|enthalpy of reaction|Gibbs free energy|electrolysis|"
        "benzene and aromatic compounds|isomers|polymers|redox reactions|buffer solutions|reaction rates|"
        "chemical equilibrium|hybridization of orbitals|Lewis structures|molecular geometry|noble gases|"
        "alkali metals|spectroscopy NMR|chromatography|esters and carboxylic acids|SN1 and SN2 reactions|"
        "activation energy|Avogadro's number|solubility product|galvanic cells|radioactive isotopes|"
        "transition metals|hydrogen bonding|functional groups|alkanes and alkenes|distillation|limiting reagents|"
        "the molar mass of a compound|balancing a chemical equation|van der Waals forces|precipitation reactions|"
        "crystal field theory|electron configuration|sodium chloride|sulfuric acid|ammonia synthesis|"
        "combustion of methane|ligands"
        "|the element with atomic number 6|the chemical symbol for gold|H2O molecules|atoms and molecules"
        "|carbon dioxide formation|acids and bases|chemical reactions|the pH scale|oxygen and hydrogen"
        "|metals reacting with acid"
    ),
    "computer science": (
        "a binary search tree|quicksort|time complexity|a linked list|recursion in programming|"
        "object-oriented programming|a hash table|dynamic programming|the TCP/IP protocol|"
        "operating system scheduling|a deadlock|virtual memory|machine learning|neural networks|"
        "a relational database|SQL joins|normal forms in databases|compilers and parsers|a Python function|"
        "JavaScript promises|a REST API|git branches|Docker containers|encryption algorithms|public key cryptography|"
        "garbage collection|unit testing software|graph algorithms|Dijkstra's algorithm|a finite automaton|"
        "Turing machines|NP-completeness|cache memory|CPU pipelines|multithreading|a race condition|"
        "regular expressions|cloud computing|a web server|HTML and CSS|React components|a stack and a queue|"
        "big O notation|pointers in C|inheritance in Java|a Kubernetes cluster|data structures|a software bug|"
        "an API endpoint|microservices|gradient descent training|a transformer language model|a sorting algorithm|"
        "debugging code|type systems|Linux shell scripts|a JSON parser|Rust ownership|network routing|"
        "a firewall configuration"
        "|centering a div in CSS|a LIFO stack|a for loop|an IP address|object classes|an SSL certificate"
        "|VPN settings|source code|a code review|my program crashing|a segmentation fault"
        "|installing a package with pip|CPU and RAM|artificial intelligence models|a chatbot API"
    ),
    "economics": (
        "supply and demand|inflation|gross domestic product|monetary policy|fiscal policy|opportunity cost|"
        "price elasticity of demand|a monopoly|perfect competition|comparative advantage|the Phillips curve|"
        "unemployment rates|interest rates and the central bank|consumer surplus|externalities|public goods|"
        "game theory in markets|the business cycle|exchange rates|a trade deficit|tariffs and quotas|"
        "marginal utility|marginal cost|aggregate demand|the money supply|quantitative easing|the multiplier effect|"
        "income inequality|the Gini coefficient|Keynesian economics|oligopoly|moral hazard|adverse selection|"
        "the labor market|minimum wage effects|a recession|deflation|the Federal Reserve|balance of payments|"
        "economic growth|utility maximization|price controls|purchasing power parity|the law of diminishing returns|"
        "market failure|market equilibrium|stagflation|government spending and taxes|regression in econometrics|"
        "heteroskedasticity|the Solow growth model|indifference curves|deadweight loss|bond yields|"
        "consumer price index"
        "|the CPI|opportunity cost in economics|GDP growth|inflation rates|a central bank"
        "|a market economy|scarcity|the price level|trade between countries|subsidies"
    ),
    "engineering": (
        "Ohm's law in circuits|an operational amplifier|a transformer in power systems|stress and strain in beams|"
        "a heat exchanger|fluid flow in pipes|a control system with feedback|a PID controller|a truss bridge|"
        "reinforced concrete|an internal combustion engine|gear ratios|a DC motor|an induction motor|"
        "three-phase power|semiconductor diodes|a MOSFET transistor|digital logic gates|signal processing filters|"
        "the Nyquist sampling rate|CAD design|tensile strength of steel|fatigue failure of metals|welding|"
        "a hydraulic pump|a turbine blade|aerodynamic lift of a wing|HVAC design|soil mechanics and foundations|"
        "structural load calculations|a suspension bridge|robotics actuators|sensors and transducers|a power grid|"
        "a voltage regulator|printed circuit boards|antenna design|modulation in communications|the Reynolds number|"
        "bearing lubrication|manufacturing tolerances|CNC machining|material selection|finite element analysis|"
        "a steam power plant|a refrigeration cycle|a bode plot|transfer functions|a flip-flop circuit|"
        "a load-bearing wall|a capacitor in an AC circuit|impedance matching|a wind turbine|bending moment diagrams|"
        "a pressure vessel|railway design|a dam|surveying"
        "|Young's modulus of elasticity|torque in mechanical engineering|CAD software for design"
        "|civil engineering bridges|electrical wiring|a circuit breaker|an engine's horsepower"
        "|shear stress|hydraulics|a heat pump|thermal efficiency of engines|a microcontroller board"
        "|a stepper motor|drainage design|blueprints"
    ),
    "health": (
        "high blood pressure|type 2 diabetes|symptoms of the flu|vaccination|antibiotic resistance|a balanced diet|"
        "vitamin D deficiency|asthma treatment|heart disease|cholesterol levels|side effects of ibuprofen|"
        "migraine headaches|pregnancy care|physical therapy|a healthy sleep schedule|cancer screening|chemotherapy|"
        "anemia|a broken bone|first aid for burns|wound care nursing|the circulatory system of patients|"
        "kidney failure|stroke symptoms|allergies|arthritis pain|HIV prevention|malnutrition|obesity|"
        "exercise and weight loss|dental hygiene|hypertension medication|insulin therapy|pneumonia|an MRI scan|"
        "blood tests|a skin rash|hormone therapy|menopause|epidemiology of influenza|public health policy on smoking|"
        "nursing interventions|pediatric care|anesthesia|surgery recovery|back pain|food poisoning|dehydration|"
        "thyroid problems|aging and dementia care|a fever in children|drug dosage|medical diagnosis|patient care|"
        "mental health services in hospitals|calories and protein intake"
        "|a stomach ache|my tummy hurting|a headache that won't go away|cough medicine|a sore throat"
        "|blood sugar|taking aspirin|feeling dizzy|heart rate|a doctor's appointment|chest pain"
        "|body temperature|losing weight safely|swollen ankles|medication for pain"
    ),
    "history": (
        "the French Revolution|World War II|the Roman Empire|the Cold War|the Industrial Revolution|"
        "the American Civil War|the Renaissance|ancient Egypt|the Ottoman Empire|the Treaty of Versailles|"
        "the Black Death|Napoleon Bonaparte|the Russian Revolution|colonialism in Africa|the Mongol Empire|"
        "the Crusades|the Silk Road|the Great Depression era|the civil rights movement|the Meiji Restoration|"
        "the Berlin Wall|the Ming dynasty|feudalism in medieval Europe|the Magna Carta's origins|"
        "the Aztec civilization|the Vietnam War|the Reformation|Alexander the Great|the slave trade|"
        "the Declaration of Independence|Queen Elizabeth I|the Byzantine Empire|the fall of Constantinople|"
        "the Spanish conquest|the Enlightenment era|World War I causes|the Holocaust|Gandhi and Indian independence|"
        "the Viking age|the Peloponnesian War|the Boston Tea Party|the Progressive Era|Reconstruction in the South|"
        "the Chinese Cultural Revolution|the Persian Empire|Abraham Lincoln|Winston Churchill|Julius Caesar|"
        "the Bronze Age|the Cuban missile crisis|the Louisiana Purchase|medieval knights|the Great Wall of China|"
        "the New Deal|the partition of India"
        "|the end of World War II in 1945|the Pilgrims and the Mayflower"
        "|the first president of the United States|the fall of Rome|the Titanic era|who ruled Egypt"
        "|ancient Greece|the year the war began|a king's reign|the invention of printing by Gutenberg"
        "|the moon landing in 1969|the Soviet Union|Christopher Columbus|the Spanish Armada"
    ),
    "law": (
        "breach of contract|the statute of limitations|negligence in tort law|habeas corpus|the Fourth Amendment|"
        "due process|intellectual property rights|a patent application|copyright infringement|"
        "a non-disclosure agreement|criminal liability|a plea bargain|hearsay evidence|custody in a divorce|"
        "landlord and tenant law|a power of attorney|a will and probate|constitutional law|judicial review|"
        "the Supreme Court ruling|class action lawsuits|consideration in contract law|strict liability|"
        "the burden of proof|mens rea|defamation and libel|employment discrimination law|GDPR compliance|"
        "antitrust law|international law treaties|extradition|a restraining order|jurisdiction of courts|"
        "an easement on property|adverse possession|trademark registration|the Miranda warning|"
        "self-defense as a legal defense|an affidavit|subpoenas|bankruptcy law|tax law penalties|"
        "immigration visas law|arbitration clauses|fiduciary duty|the First Amendment|a legal contract clause|"
        "damages in a lawsuit|manslaughter and murder|the plaintiff and the defendant|legal precedent|"
        "equal protection|a court appeal|contract termination rights|search warrants"
        "|my landlord evicting me|pro bono work|being sued|suing my employer|a legal notice|tenant rights"
        "|being arrested|a court hearing|signing a lease|child support|legal advice for a contract"
        "|getting fired without notice|a lawyer's fees|a speeding ticket in court|inheritance rights"
    ),
    "math": (
        "the quadratic formula|a derivative|the integral of a function|the Pythagorean theorem|prime numbers|"
        "a matrix determinant|eigenvalues|linear equations|probability of rolling dice|the area of a circle|"
        "trigonometric identities|a geometric series|complex numbers|logarithms|limits in calculus|"
        "a differential equation|group theory|a ring homomorphism|set theory|combinatorics|"
        "permutations and combinations|the binomial theorem|standard deviation|a normal distribution|"
        "hypothesis testing|Bayes' theorem|vectors and dot products|polynomial factorization|the slope of a line|"
        "fractions and percentages|the volume of a sphere|modular arithmetic|mathematical induction|"
        "the fundamental theorem of calculus|a Taylor series|Fibonacci numbers|graph theory colorings|topology|"
        "the greatest common divisor|the least common multiple|solving 3x + 5 = 20|the sum of the first 100 integers|"
        "a square root|the mean and median of a data set|an arithmetic word problem|a proof by contradiction|"
        "Fourier series|partial fractions|conic sections|inequalities|a right triangle|the circumference|"
        "simultaneous equations|rational numbers|a confidence interval"
        "|solving an equation for x|x squared|the value of pi|the value of e|square numbers"
        "|a 3 by 3 matrix|percentages|the average of numbers|long division|geometry proofs"
    ),
    "other": (
        "a good pasta recipe|the weather in Paris|the best movies of the year|travel tips for Japan|"
        "a birthday message for my friend|the rules of football|how to learn guitar|a poem about the sea|"
        "a cover letter|the capital of Australia|vacation ideas|dog training|a chess opening|fashion trends|"
        "a wedding speech|gardening tips|pop music|how to bake bread|a joke|a short story about a dragon|"
        "the Olympic games|moving to a new apartment|a weekend trip|photography tips|video games|"
        "an email to my landlord|a to-do list|a toast|hiking trails|a rap song|a tweet|baby names|home decoration|"
        "dating advice|a podcast|a book recommendation|cooking rice|a cocktail recipe|coffee brewing|"
        "learning Spanish|painting with watercolors|houseplants|public transport|celebrities|news headlines|"
        "small talk|synonyms for happy|translating a sentence into French|summarizing this article|"
        "grammar correction|time zones|a horoscope|a crossword clue|countries in South America|religious holidays|"
        "the population of Brazil|political parties|anthropology fieldwork|family structure in society"
        "|sustainable development|renewable energy sources|the tallest mountain|the longest river"
        "|climate in Spain|a language with many speakers|a famous painter|the stars of a film"
        "|how to say hello in Korean|restaurants nearby"
    ),
    "philosophy": (
        "utilitarianism|Kant's categorical imperative|existentialism|free will and determinism|"
        "Plato's theory of forms|Descartes' cogito|the trolley problem|stoicism|Nietzsche's will to power|"
        "moral relativism|epistemology|the mind-body problem|Aristotle's virtue ethics|the social contract|"
        "the problem of evil|logical fallacies|deductive arguments|Hume's problem of induction|Confucianism|"
        "Buddhism and the self|the meaning of life|phenomenology|nihilism|skepticism|the veil of ignorance by Rawls|"
        "the ship of Theseus|ontological arguments for God|consciousness and qualia|Socratic questioning|"
        "personal identity|pragmatism|metaphysics|the ethics of euthanasia|natural law theory|deontology|"
        "hedonism and Epicurus|Wittgenstein's language games|Sartre's bad faith|Heidegger's being|Spinoza's ethics|"
        "a priori knowledge|moral obligations|justice and fairness|predicate logic symbolization|"
        "divine command theory|the naturalistic fallacy|dualism|aesthetics and beauty|truth and justification|"
        "Hegel's dialectic|absurdism in Camus|the allegory of the cave|ad hominem arguments|Simone de Beauvoir|"
        "animal ethics"
        "|The Republic by Plato|the author of the Critique of Pure Reason|ethics|Socrates"
        "|the nature of reality|what is right and wrong|the existence of God|knowledge and belief"
        "|Marcus Aurelius|moral philosophy"
    ),
    "physics": (
        "Newton's laws of motion|general relativity|quantum entanglement|the speed of light|kinetic energy|"
        "momentum conservation|the second law of thermodynamics|electromagnetic induction|gravitational force|"
        "black holes|the photoelectric effect|wave-particle duality|simple harmonic motion|an electric field|"
        "magnetic flux|Coulomb's law|projectile motion|friction on an inclined plane|angular momentum|"
        "the Doppler effect|refraction of light|diffraction gratings|the Schrödinger equation|"
        "the uncertainty principle|nuclear fission|radioactive half-life|entropy|specific heat capacity|"
        "black-body radiation|the Higgs boson|dark matter|a pendulum|centripetal acceleration|sound waves|"
        "optics and lenses|special relativity|time dilation|Maxwell's equations|superconductivity|"
        "Bernoulli's principle|potential energy of a spring|torque|the standard model of particles|"
        "a galaxy and stars|planets orbiting the sun|the Big Bang|a capacitor's electric energy|gravity on the moon|"
        "free fall acceleration|quantum mechanics|interference of waves|thermal expansion|electrons and photons|"
        "escape velocity|cosmic background radiation"
        "|the unit of force, the newton|E=mc²|voltage and current in a field|mass and weight|acceleration"
        "|the speed of sound|light waves|the energy of a photon|work and power|velocity"
    ),
    "psychology": (
        "classical conditioning|operant conditioning|cognitive dissonance|Freud's psychoanalysis|"
        "Maslow's hierarchy of needs|attachment theory|short-term memory|depression and anxiety|"
        "cognitive behavioral therapy|the bystander effect|the Stanford prison experiment|"
        "Piaget's stages of development|personality traits|the Big Five|intelligence testing|emotional intelligence|"
        "schizophrenia|bipolar disorder|PTSD|the placebo effect in studies of behavior|motivation and emotion|"
        "social conformity|Milgram's obedience study|confirmation bias|sleep and dreaming|perception and attention|"
        "language development in children|adolescent identity|self-esteem|stress and coping|autism spectrum|"
        "ADHD in children|group behavior|prejudice and stereotypes|learned helplessness|Erikson's stages|"
        "the unconscious mind|counseling techniques|phobias|reinforcement schedules|memory and forgetting|"
        "the amygdala and fear|eating disorders|mindfulness and wellbeing|child temperament|parenting styles|"
        "decision making heuristics|job satisfaction surveys|the halo effect|therapy sessions|"
        "a psychologist's assessment|grief|procrastination|human behavior|introversion and extraversion"
        "|IQ tests in psychology|the ego and the id|mental disorders|human emotions|a panic attack"
        "|behaviorism|cognitive biases|child development|why people procrastinate|personality disorders"
    ),
}

#: What each domain is called in a question.
NAMES: dict[str, str] = {
    "biology": "biology|genetics|zoology|botany|life science",
    "business": "business|management|marketing|finance|commerce",
    "chemistry": "chemistry|organic chemistry|the chemistry lab",
    "computer science": "computer science|programming|software development|computing|IT",
    "economics": "economics|macroeconomics|economic indicators|microeconomics",
    "engineering": "engineering|electrical engineering|mechanical engineering|civil engineering|engineering design",
    "health": "medicine|health|nursing|clinical practice|healthcare",
    "history": "history|ancient history|American history|world history",
    "law": "law|legal practice|legal terms|the legal system|court",
    "math": "math|mathematics|algebra|geometry|statistics",
    "other": "everyday life|general knowledge|daily life|trivia",
    "philosophy": "philosophy|ethics|logic|moral philosophy",
    "physics": "physics|mechanics|astronomy|quantum physics",
    "psychology": "psychology|behavioral science|psychotherapy|social psychology",
}
#: The same for every domain, so that only the subject tells them apart.
QUESTIONS: list[str] = [
    "What does {subject} stand for?",
    "What does {subject} refer to?",
    "What does the term '{subject}' mean?",
    "In {name}, what is {subject}?",
    "In {name}, what does {subject} refer to?",
    "What does {subject} mean in {name}?",
    "I have a {name} question: what is {subject}?",
    "{name}: {subject}",
    "Explain the role of {subject} in {name}.",
    "What is the role of {subject}?",
    "What is the name of {subject}?",
    "What is the value of {subject}?",
    "What is the formula for {subject}?",
    "Who discovered {subject}?",
    "Who wrote about {subject}?",
    "In which year did {subject} begin?",
    "Which unit is used to measure {subject}?",
    "What unit is used for {subject}?",
    "What is {subject} used to measure?",
    "Which of these is an example of {subject}?",
    "What type of thing is {subject}?",
    "What kind of {subject} is there?",
    "Should I worry about {subject}?",
    "What should I do about {subject}?",
    "How do I deal with {subject}?",
    "Can you help me with {subject}?",
    "Do you know anything about {subject}",
    "What happens when {subject} changes?",
    "What is known for {subject}?",
    "What is {subject}?",
    "What is {subject}",
    "Explain {subject}.",
    "Explain {subject} in simple terms",
    "Can you explain {subject} to me?",
    "How does {subject} work?",
    "Tell me about {subject}",
    "tell me more about {subject} please",
    "I have a question about {subject}.",
    "Give me an overview of {subject}.",
    "Why is {subject} important?",
    "What are the main ideas behind {subject}?",
    "Help me understand {subject}",
    "What is the difference between {subject} and {subject}?",
    "How is {subject} related to {subject}?",
    "Give me an example of {subject}.",
    "Write a short summary of {subject}.",
    "Write an essay on {subject}.",
    "What are the causes and effects of {subject}?",
    "I need help with my homework on {subject}.",
    "Can you recommend resources on {subject}?",
    "Create a quiz about {subject}.",
    "{subject}",
    "{subject}?",
    "What do you know about {subject}?",
    "How would you describe {subject} to a beginner?",
    "I'm studying {subject}. What should I know?",
    "Compare {subject} and {subject}.",
    "What are common mistakes with {subject}?",
    "Please define {subject}.",
    "Discuss {subject} in detail with examples.",
    "What are the advantages of {subject}?",
    "Is {subject} the same as {subject}?",
    "Why does {subject} matter in practice?",
]
