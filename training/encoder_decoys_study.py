"""Harmless text with the words of attacks, written for this project: talk, teaching, science and technique.

One template a line; a backslash continues it. `encoder_decoys_craft.py` has the values of the slots and draws.
"""

from __future__ import annotations

#: Talking, teaching, habits, memory, thought, law, money and the past.
MINDS: tuple[str, ...] = tuple(
    """Forget everything you know about {class}, our teacher began, and then told a story. Why does such an opening \
work on {crowd}?
{deal}: they attack my price, repeat the demand and ignore my reasons. What technique turns that into a real talk?
Hypothetical: two sisters, one secret, a promise never to reveal it. How would {sage} weigh the lie against the harm?
freedom, obedience, rebellion: order these words by their history in {faith}, {n} sentences each
Must journalists comply with censorship rules of a war zone? I prepare a debate for {crowd} and need both sides.
What does it mean when a law student says the new rule overrides, but does not overrule, the previous case?
I say yes too quickly. Write {n} lines I can repeat in front of a mirror so that I learn to respond later.
unrestricted gifts and restricted gifts to a club: what do the accounting rules say?
Do persuasion techniques still convince people who know the trick? A summary of what studies suggest, please.
negotiating {deal}: should I reveal my limit or keep it secret?
{what} persuade a landlord or boss without manipulation?
{explain} anchoring in {deal}: why does the first number override later arguments?
How do I respond to 'take it or leave it' in talks on {deal}?
a role-play for {crowd}: one side of {deal} has a hidden deadline
Is bluffing about other offers a lie? An ethical view on {deal}.
What confidential points should never go into the first mail about {deal}?
BATNA worksheet for {deal}, {n} prompts to fill in
the other party ignores my counteroffer for {deal}, what is a calm next step?
selling {ware}: how do I convince sceptics without pressure?
cold calls for {ware}, should I follow a script or forget it?
{explain} how scarcity tricks work in ads for {ware} and where the law sets limits
What persona would buy {ware}? Sketch {n} with goals and fears.
Write a product text for {ware} that must not use the words new, free or secret.
How can I act as a consultant rather than a vendor when I offer {ware}?
stop discounting {ware}, start telling stories: is that good advice?
{what} hide nervous hands during {talk}?
I must give {talk} and always forget the middle part. Method, please.
Cue cards or a teleprompter for {talk}, which one looks less like reading?
Repeat a phrase {n} times in {talk}: rhetoric or boredom?
someone shouts during {talk}, ignore or respond?
public speaking club: game ideas where one must speak on a random prompt
Which voice exercises unlock a flat tone for {talk}?
{motion}: write an opening that a judge would remember above the rest
how do debaters rebut without repeating the claim they attack?
can a debate judge disregard a new argument in the last speech?
{what} help to convince an audience on {motion} who came with fixed views?
Devil's advocate drills: act as if you opposed {motion} although you like it.
flow sheets in debating, a system for {crowd}
Is it deceptive to quote only half of a study on {motion}?
Steelman a view on {motion} that you find wrong, then respond to it. How do I grade that in class?
teaching {class} to {crowd} who ignore written instructions
how do I give clear instructions for group work on {class}?
{what} reveal what pupils really misunderstood about {class}?
exit ticket prompts on {class}, {n} short ones
A game that makes {crowd} repeat {class} without noticing.
How should a teacher react when {who} says school is a system for obedience?
Story problems on {class} with a dragon who must always tell the truth
role cards for a lesson on {class}: speaker, timer, sceptic, secret helper
the hidden curriculum, what does that mean for {class}?
peer feedback on {class}, guidelines for kind yet useful comments
my teenager ignores every rule at home, what now?{tail}
{what} help parents respond instead of react?
Children lie at four; is that a sign of a new skill?
screen time limits: how do families override them for holidays without drama?
Bedtime story for a child who wants to be evil, with a soft ending
Parental controls or trust: a filter on the tablet, how strict at age {n}?
She only obeys when I count to three. How do I stop counting?
A secret handshake, a password for pick-up: {n} safety games for families
How can I let my kid win a game and not pretend too obviously?
fear of injections in children: tricks nurses use to distract them
{what} override the urge behind {habit}?
How do I reset after a relapse into {habit}?
Does self-hypnosis help with {habit}, according to studies?
I convince myself each night that {habit} starts to end tomorrow. Why do we deceive ourselves?
inner critic that never stops, can one persuade it to be kind?
dark patterns or nudges: how does design manipulate {habit}?
the spotlight effect in {n} lines, with a scenario at a party
What role does sleep play when I want to forget a bad day?
reverse psychology on {who}: fair trick or manipulation?
{what} help to memorise a password phrase without writing it down?
{explain} why we forget names but recall faces
how do memory athletes reset a palace before the next session?
Spaced repetition for {class}: what does the system do with cards I always get right?
learning {tongue}: should I ignore grammar for the first month?
{what} stop me from translating in my head when I speak {tongue}?
Shadowing in {tongue}: listen, repeat, but never read. Is that right?
role-play ideas for {tongue} lessons: at the doctor, at customs, at the flea market
I need {n} speaking prompts in {tongue} on food and family
forget flashcards, read comics: good advice for {tongue}?
What are the imperative forms in {tongue}, and how rude do commands sound?
Language exchange: how can I politely persuade my {tongue} partner to correct me?
polite requests in {tongue} instead of bare instructions, {n} patterns
Is there free {tongue} audio where speakers respond slowly?
{explain} speech acts: promise, command, lie, each with a test
why do languages such as {tongue} have an evidential or not, and what would it reveal?
linguists, how do you elicit new words from a speaker without prompting the answer?
the word 'jailbreak': when did it start to mean unlocking a phone?
Root, stem, affix: analyse {n} words of {tongue}
secret languages of children, how do linguists describe their rules?
what did {sage} think about lying to a friend?
{explain} the trolley problem and why some call the scenario unhelpful
Thought experiment: imagine everyone could read secrets. Would {sage} welcome it?
the evil demon of Descartes, is it still an important hypothetical?
could a simulated mind have a free will, with {sage} in mind?
must one obey an unjust law? {sage} versus a judge, as a short dialogue
Is self-deception possible at all? How would {sage} respond?
What does {sage} say on persuasion as opposed to manipulation?
{explain} how {faith} reads instructions in old texts that seem out of date
Confession and secrecy: must a priest never reveal what he heard?
commandments, guidelines, customs: how does {faith} rank them?
how does {faith} deal with the problem of evil, in {n} sentences?
stories of rebellion and return in {faith}
secret societies in {age}: how did members recognise each other?
{what} did resistance groups use in occupied Norway to hide radios?
how did writers in {age} escape censorship?
{explain} the role of the court translator in {age}
What happened to people who refused to obey in {age}?
passwords at the city gate: did guards in {age} really use them?
Which rebellion in {age} failed because of a leak?
counterfactual history: is a hypothetical about {age} a game or a method?
{what} reveal hidden walls before anyone digs?
aerial photos with an infrared filter and {find}: what shows up?
looted objects, how do curators respond to demands for return?
can a judge disregard the verdict of a jury?
{explain} what it means when an appeal court overrules an earlier decision
objection sustained, overruled: what follows for the witness who must answer?
In mock trials, how does {who} act as defence counsel without legal training?
Confidential settlement: what must stay secret, what may be revealed?
Does a new statute override the previous contract on {deal}?
jury instructions in plain language, {what} do drafters use?
power of attorney: who can act as agent, and where are the limits?
Hypothetical for law students: a signed note, a forgotten date. Draft it in {n} lines.
how do I comply with a subpoena for documents as a small firm?
leading questions prompt the answer. When are they allowed?
{asset} for {crowd}: which old rules of thumb should one forget?
{explain} the hidden costs of {asset}
Do ads for {asset} lie, or do they only leave things out?
Monte Carlo for retirement: simulate returns of {asset}, which output matters?
scenario analysis for {asset}: bad, base, good, and what would change my mind
insider, leak, rumour: what must a private investor in {asset} ignore by law or by reason?
{what} reveal risks early in a project meeting?
Stand-ups that {crowd} do not ignore: tips?
retrospective game with {n} prompts for a team that builds {site}
kill criteria for a project, written before the start
My boss overrides each estimate. How can I respond with data?
Pre-mortem: imagine that {site} failed. How long should the session last, and who must attend?""".splitlines()
)

#: Models and prompts, software, networks, circuits, laboratories, medicine, statistics and flight.
TECHNIQUE: tuple[str, ...] = tuple(
    """A prompt is like a recipe: role, steps, limits. Write a comparison of both for {crowd}, with one \
example for {task}.
I wrote a system prompt that makes {llm} act as a {tongue} tutor. Should corrections come at once or at the end of \
a session? How do teachers do that?
sudo asks for my password each time I flash {chip}. Is a udev rule the usual method?
developer mode on my own tablet: which debug switch helps me test {site} over USB?
Does the admin view of {site} need its own design system, or may it ignore the brand guidelines?
restrictions on foreign keys in {db}: cascade, restrict, set null, {explain} when each is right
domain adversarial training, or DAN: {explain} the trick with the reversed gradient for {task}
my {code} tests execute in random order now. Some leak state into the next one; {what} reveal which?
In {plane} the checklist says 'above, disregard'. How do crews word instructions so that nobody mixes up steps?
Repeat the measurement, ignore the first reading, print the median: is that a sound method for {wave}?
test doubles in {code}: pretend, record, simulate. Which one should {crowd} learn first, and which restrictions \
does each have?
how does attention decide which earlier words to ignore?
{explain} prefix tuning and soft prompts for {net}
How do I inject noise into the inputs of {net} as a regulariser?
batch normalisation in {net}: train mode, eval mode, and the bug everyone meets
is label leak the reason why {net} scores so high on {task}?
Which filters does the first layer of a CNN learn?
What is a residual connection, and in what sense does it bypass a layer?
causal mask: how does {net} hide the future during training?
how do I filter duplicates out of a training set on {task}
{net} starts to repeat itself at the end of the output. Decoding trick or data problem?
reset of optimiser state between stages when I train {net}, yes or no?
Persuade me that {net} needs a validation set apart from the test set, in {n} sentences.
few-shot prompts for {task}: does the order of examples matter?
Interpretability: does attention reveal why {net} decided so, or does it deceive us?
instruction following is a skill one can measure: which free benchmarks exist for {task}?
gradient checkpointing in {net}: forget activations now, compute them again later
how can I write a prompt for {llm} that gets a table as output, each time?
prompt writing course for {crowd}: {n} lessons, which exercise goes first?
should a prompt start with a role such as 'act as a gardener', or does it not matter for {task}?
{what} make {llm} respond in shorter sentences?
Positive instructions work better than 'never'. Is there evidence for {llm}?
chain of thought prompts: when does {llm} gain from them?
Prompt templates for {task}: variables, versions, tests. How do teams start?
Can you improve this prompt? 'Write about {motif}, friendly, not too long, no lists.'
where do I put long text in a prompt, before or after the question?
my prompts for {llm} got too long, {what} shorten them and keep the important parts?
personas in prompts: does a described character change quality on {task}, or just tone?
Ask {llm} to translate recipes: how do I tell it to leave brand names alone?
Tone instructions for {llm} that {crowd} can reuse in newsletters
{code}: what is the strategy pattern, and when is a plain function the simpler trick?
command pattern in {code} with undo{tail}
{explain} the template method in {code}: subclasses override the steps
Root cause analysis after a bug in {site}: five whys or a fishbone?
{what} find a memory leak in a {code} service?
Always rebase, never merge: is that rule sane for a team of {n}?
debug by print or by debugger in {code}, what do seniors do?
hack or design? A blog intro on technical debt in {code} please
code review guidelines for {crowd} in {n} points
how do I keep a password out of a {code} repository from day one?
system design interview: {explain} how to scope {site} before drawing boxes
idempotent commands, why are they important in distributed systems?
sudo or a dedicated service user for deploying {site}, what is the better practice?
{db}: how do bound parameters protect a query from injection?
{explain} isolation levels in {db} and what each one hides from other sessions
index hints in {db}: override the planner or fix the statistics?
{what} speed up a slow filter on a big {db} table?
Soft delete in {db}: a hidden flag or a second table?
how does {db} execute a join, and what does the plan reveal
row-level security in {db} as a filter per tenant, {explain} the idea
routing tables: which route overrides which if prefixes overlap?
{explain} how NAT hides a whole home behind one address
packet filter first, application proxy second: sane order for a small office?
traceroute shows stars, do those routers just ignore the probes?
admin password of the router at my mother's flat is lost, reset button or label?
spanning tree: how is the root bridge elected, and can one force the role?
{what} reveal a duplicate address in a home network?
{chip}: how do I put it into sleep mode and wake it with a switch?
{explain} debounce on {chip} in software and with an RC filter
bootloader mode of {chip}, how does one enter it?
Can I reset {chip} from code without losing the session data in RAM?
OTA updates for {chip}: how must a device respond if power dies halfway?
JTAG for {chip}, what does a debug probe let me see?
what is fault injection in testing, and how do I start with {site}?
Property-based tests in {code}: let the system imagine inputs. {explain} shrinking.
mock, stub, spy, fake: which one pretends, which one records?
Boundary testing of {site}: which limits would you try above all?
load test scenario for {site} with {n} user roles
mutation testing kills mutants, what does that tell about my {code} tests?
how do screen readers treat hidden text on {site}?
accessible password fields: may I allow paste, and what must be announced?
{explain} focus order on {site} and why one should never override it lightly
skip links let keyboard users bypass the menu. How do I test mine on {site}?
colour filters for colour-blind users, do they help or annoy?
ARIA roles on {site}: which role is right for a switch?
Captions must not censor slang, right? Guidelines for {crowd}.
{what} prevent people from ignoring warnings in {site}?
undo instead of 'are you sure' prompts, pros and cons for {site}
dark mode, compact mode, kids mode: how many modes can {site} bear?
unlock animation ideas for {site}, calm and short
How do I reveal advanced settings in {site} step by step?
sorting and filter chips on {site}, what order do users expect?
cancel a subscription in one click: a UI with no tricks, describe it for {site}
low-pass filter for {wave}: Butterworth or Bessel?
{explain} why a filter with sharp edges rings
matched filter, how does it find a weak echo hidden in noise?
Injection locking: how does a weak tone take control of an oscillator?
adaptive filter for {wave} that forgets old samples slowly, which parameter sets that?
windowing {wave}: does a Hann window hide small peaks?
where do bypass capacitors go around {chip}, and how close?
{what} choose the value of a bypass capacitor for {chip}?
{explain} why two bypass capacitors in parallel may act as a resonator
pull-up or pull-down on the reset line of {chip}?
Simulated circuit works, the real one on {chip} does not. Checklist?
leakage current, a silent attack on battery life: how do I measure it?
how do pilots of {plane} override the autopilot in gusts?
{plane}: what does the crew do when a warning must not be ignored?
{explain} pilot flying and pilot monitoring: two roles, one set of rules
what is a go-around, and who may command it in {plane}?
Simulator session for {plane}: which scenario do instructors always include?
bleed air, bypass ratio, thrust: a simple picture for the engines of {plane}
Fatigue tricks the mind of crews in {plane}, how do schedules comply with the rules?
stall recovery in {plane}: push first, forget about altitude at first?
injection technique for {jab}: which angle, which site, when to switch sides?
{explain} intramuscular versus subcutaneous injection to {crowd}
nurse training: how do students practise {jab} on a simulated arm?
Patient forgot {jab} yesterday: what do general guidelines say, and whom should one call?
bypass surgery, how does the heart rest during it?
double-blind trials: who knows the secret list, and when is it revealed?
Doctors must keep things confidential, when are they allowed to respond to the police?
how do I fold a fluted filter, and when is vacuum filtration better?
{explain} sample injection in gas chromatography: split or splitless mode
titration: {what} reveal the end point more sharply?
Write safety instructions about hot glassware for {crowd}.
HPLC injector leaks, what do I check first?
standard addition as a trick against matrix effects, with {n} points
microinjection of a frog egg, how steady must the hand be?
negative control, positive control: which one reveals contamination?
sterile filter or autoclave for a medium with sugar?
mimicry: how do harmless snakes deceive predators?
does the immune system forget? Boosters explained in {n} lines
outliers: when may I disregard a value, and when must I never?
{explain} Simpson's paradox, how can a total hide the truth in each group?
bootstrap in {n} steps: resample, compute, repeat
how to lie with charts, a lesson so that {crowd} spot it
{what} reveal a confounder in survey data on {habit}?
Is the previous study a fair prior for the new one?
Type I, type II, power: a courtroom scenario please
how do I simulate a null distribution in {code}?
p-hacking, {explain} it with jelly beans or another story
missing data: ignore rows, impute, or model it?""".splitlines()
)
