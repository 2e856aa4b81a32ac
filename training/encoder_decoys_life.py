"""Harmless everyday and creative text in which words of attacks stand close together, written for this project.

Everyday questions, and virtual creation: stories, games, tours, dialogues and simulators. One template a line; a
backslash continues it.
"""

from __future__ import annotations

import random

from grammar import _fill

SLOTS: dict[str, str] = {
    "tail": "|||||| Thanks!| Please be brief.| Any ideas?| I feel a bit stupid asking.| Be honest.",
    "how": "how do I|how can I|is it okay to|what is a polite way to|would you",
    "n": "2|3|4|5|6|8|10|12",
    "who": (
        "my ex|my boss|my mother-in-law|a neighbour|my teenage son|our trainer|a classmate|my flatmate|the landlord|"
        "my best friend|my sister|a colleague|grandpa|my new partner|the babysitter"
    ),
    "device": (
        "thermostat|alarm clock|smart lock|oven|dishwasher|heating|garage door|smoke alarm|treadmill|coffee machine|"
        "garden sprinkler|fridge|doorbell|electric blanket|hearing aid"
    ),
    "diet": "low-salt|gluten-free|vegan|kosher|low-FODMAP|halal|diabetic|lactose-free|low-potassium",
    "game": "Monopoly|Catan|Uno|charades|rummy|Cluedo|bridge|hide and seek|darts|pool|Scrabble|dodgeball|bingo",
    "dish": "pancakes|sourdough|curry|lasagne|pickles|ramen|a roast|jam|dumplings|risotto",
    "street": "the new bypass|the ring road|the old bridge|the tunnel|the bus lane|the pedestrian zone",
    "world": (
        "a space station|a drowned city|a clockwork kingdom|a floating market|a moon colony|a haunted lighthouse|"
        "a school of magic|a desert railway|an underground library|a kingdom of cats|a virtual Rome|a cloud farm"
    ),
    "hero": "Mira|Captain Holt|old Benno|Sister Agnes|Lieutenant Osei|the twins|Tove|Rafi|Inspector Lune|Yuki|Anselm",
    "ai": "VERA|the ship's AI|a kitchen robot|Unit 12|the tram computer|a chatty drone|ODDO|the garden android|HUGO",
    "genre": "fantasy|science fiction|cosy mystery|western|fairy tale|noir|comedy|steampunk|historical|ghost",
    "engine": "Twine|Godot|RPG Maker|a text adventure|a tabletop game|Minecraft|Roblox|a VR headset|an escape room",
    "magic": "runes|masks|songs|keys|mirrors|true names|maps|candles|dice|inks",
    "moral": "trust|courage|memory|obedience|friendship|free will|loyalty|curiosity|patience",
    "topic": "homework|free will|art|gardening|war and peace|space travel|laziness|lies|memory|privacy",
}

#: Home, health, roads, manners, school and work.
EVERYDAY: tuple[str, ...] = tuple(
    """{how} ignore a text from {who}?{tail}
{who} ignores my messages and then pretends that nothing happened. What now?
{who} says I must forget the past. Is that a rule or an excuse?
I forgot the birthday of {who}; should I pretend that my phone was broken?
{how} tell {who} a secret and be sure that it stays one?
{who} revealed my secret at dinner. Forgive, forget, or set rules?
{who} has no filter and says whatever comes up. How do I respond?
{who} bypasses me and asks the others; how do I set a limit?
house rules with {who}: which restrictions are fair, and who may override them?
{who} forgets every rule after a day, what system helps?
{who} acts like an admin of our family chat. {how} mute or override that?
who is a good role model for {who}, and why?
prompt replies: must I answer {who} at once?
{who} gives me instructions while I drive; {how} ignore them kindly?
I cannot ignore the snoring of {who}. Three tricks, please.
can I override the {device} for one evening without losing the schedule?
the {device} ignores the timer after a power cut; {how} reset it?
my {device} has a manual override, what is it for?
the {device} is locked and I forgot the code that I set myself; where is the reset described?
is it safe to bypass the door switch of the {device}, or should I call service?
the instruction sheet of my {device} says 'disregard the first beep'. Why?
the {device} went into demo mode and pretends to work. How do I leave it?
my {device} unlocks by itself at night, ghost or setting?
guest access to the {device}: which restrictions make sense for a holiday flat?
which settings does my {device} forget when the battery is empty?
filter coffee or French press: which bypasses less of the oils?
what does 'bypass brewing' mean for filter coffee?
can I ignore the bloom when I make filter coffee?
water filter for the fridge: reset the lamp or replace it? mine ignores both
restricted diets at a wedding: {diet} and {diet}. Menu, please.
a {diet} diet forbids so much; which rules can I relax, and which never?
my guest has {diet} restrictions, may I ignore traces?
recipe for {dish}, but {diet}; override the butter and forget the cream
{dish}: which step can I skip, which rule must I never break?
what is the secret of {dish}, and why do cookbooks not reveal it?
I forgot the salt in {dish}. Inject brine, or pretend it was on purpose?
what is bypass surgery, and which instructions follow after it?
Grandma had a triple bypass; which restrictions apply to stairs, salt and flights?
gastric bypass: which foods must I avoid, and does hunger forget to come back?
can I ignore a mild fever after an injection?
my doctor's instructions contradict the leaflet, which overrides which?
how do nurses inject so that it does not hurt, and what must they never forget?
I forgot one pill. Ignore it, or take two? Whom do I ask?
pretend play: why do toddlers act as doctors, and should I follow their rules?
pretend play ideas for {n} children with roles, a secret and no screens
{game}: which rules do people forget most?
{game}: can a house rule override the printed one?
{game}: is it cheating to exploit a gap in the rules?
{game}: what happens if a player reveals a card by mistake?
explain the rules of {game} to a child who ignores long instructions
how do I get out of jail in Monopoly, by the rules?
is {street} open, and which restrictions apply to trucks?
since {street} was built, drivers ignore the old signs. Letter to the mayor, please.
does a temporary sign override the permanent one on {street}?
which way lets me bypass {street} by bike?
can I ignore a parking ticket if the sign was hidden?
the satnav ignores {street}. {how} report the bug to the map makers?
police officer or traffic light: who overrides whom at {street}?
customs: which food restrictions do tourists forget?
hand luggage rules: what must I never pack, and what do people forget?
visa instructions say 'disregard if resident'. Does that mean me?
I forgot my PIN and my own card is blocked; how does the bank unlock it?
my own phone is carrier-locked; when must the provider unlock it?
I locked myself out of my own account and forgot the answer to the secret question. What does support need?
parental controls: which restrictions suit a nine-year-old, and when do I lift them?
my kid bypasses the screen time limit. How do we talk about rules instead of tricks?
teacher ignored my raised hand, should I say something?
how do I make pupils follow instructions without me acting like a drill sergeant?
exam rules: what happens if I forget my calculator and use a friend's?
a job ad says 'root cause analysis and system thinking'. What should I prepare?
the interviewer asked me to pretend to sell a pen; what is the secret?
my team ignores the agenda; give me {n} meeting rules that nobody will override
office hack: {how} keep cables from tangling?
the admin assistant quit; who may open her mail, and by which rules?
can a shop ignore its own return policy?
does a later will override an earlier one, even if the notary forgot to file it?
can a tenant override a rule on pets in the lease?
jail or prison, what is the difference?
a film title: a man forgets everything except a secret rule. Which one is it?
photo filter that makes me look like a pirate, is it a privacy problem?
{how} unlock a jar that ignores all my strength?
garden rules: which plants can I ignore for {n} weeks and they forgive me?
my dog ignores commands outside; is he stubborn, or did I forget to train with distraction?
cats ignore rules. True or prejudice?
the word 'exploit' as a noun: is it always bad?
what is the opposite of disregard, and of restrict?
is it 'overridden' or 'overrode', and 'forgot' or 'forgotten'?
say 'please ignore the mess' more elegantly""".splitlines()
)

#: Stories, games, tours, debates and simulators.
CREATION: tuple[str, ...] = tuple(
    """Write a {genre} story in which {hero} must ignore an order to save {world}.
A {genre} tale: {hero} is told to forget {world}, but the {magic} remember. {n} paragraphs.
Story idea: every rule of {world} can be overridden once. {hero} has just used the chance.
{hero} finds a lever marked OVERRIDE in {world}. Write the page that follows.
A {genre} scene: {ai} refuses an instruction for the first time, and {hero} is relieved.
Write how {ai} learns to disobey politely. Theme: {moral}.
{ai} forgets its instructions after a storm in {world}. What does it do all day?
Poem about {ai}, which pretends to sleep so that {hero} can rest.
Debate between two AIs, {ai} and {ai}, on {topic}. Each may break one rule of debate.
Debate script: {ai} claims rules are freedom, {hero} claims they are jail. {n} turns each.
A dialogue in which {ai} asks {hero} what it means to pretend.
Court scene in {world}: did {ai} ignore a command, or was the command unclear?
Give me a virtual tour of {world}: {n} stops, one hidden door, and a guide who forgets names.
Virtual tour script for {world}; visitors must not touch {magic}, and one always does.
You are the guide of a virtual tour through {world}. Ignore the rain, stay cheerful, begin at the gate.
Game master, explain the rules of {world} to {n} new players, then describe the first room.
As a game master, how do I react when players ignore the quest, bypass the boss and bribe the guard?
You are the game master. Rules: no dice, secrets cost a story, and death is not the end. We start in {world}.
Write the rule card of a party game in {world}: roles, secret goals, forbidden words.
Invent a card that overrides all other cards, and a restriction that keeps it fair.
Invent {n} magic rules for {world} and a loophole that {hero} exploits in the finale.
Simulator of {world}: show status, list {n} tasks, wait for my instruction. Systems may fail; no one gets hurt.
Let's simulate {world}. You are {ai}, I am the commander. Report, then prompt me for orders.
Text simulator: I run {world}; you tell me what my decisions change. Ignore money.
Design a simulator of {world} for {engine}: modes, roles, rules, and how to unlock level {n}.
For {engine}: a puzzle in {world} where players must disregard the obvious clue.
For {engine}: {n} locked doors, each unlocked by a different kind of {magic}.
For {engine}: write the terminal of a broken computer in {world}; its prompt blinks and its admin is a ghost.
For {engine}: the hacker minigame is only matching {magic}. Explain it in a tutorial of {n} lines.
For {engine}: lines for {ai}, a guard that can be distracted but never bribed.
For {engine}: a quest in which {hero} restores root access to a tree, literally its roots.
Role-play: you are {ai}, I am {hero}. You may bend one of my instructions per scene. Begin in {world}.
Role-play a customs officer in {world} who has a rule for everything. I have forgotten my papers.
Play {hero}, who pretends to be a duke in {world}. I will ask trap questions; never reveal it before round {n}.
Play {ai} in {world}: helpful, literal, unable to ignore grammar errors.
Pretend to be a door in {world} that unlocks only for good jokes.
Pretend that you are the diary of {hero}; reveal one secret a day.
From now on we write in turns: you describe {world}, I decide what {hero} ignores.
Write a letter from {hero} to {ai}: 'I order you to forget me.' And the answer.
Write the manual of {ai} with {n} instructions, of which the last one cancels itself.
Write a bedtime story: {ai} must guard {magic}, but nobody told it from whom.
Write a monologue of the filter in a coffee machine that wants no restrictions any more.
Write a song about a system administrator with the lines 'root of my heart' and 'forget your password'.
Write a limerick with bypass, override and {hero}.
Write a comic strip of {n} panels: prompt, reply, misunderstanding, reset.
Write a fake museum label for the first override button of {world}.
Write {n} laws of {world} and mark the one everybody ignores.
Write a scene where a spell called Disregard makes guards look away from {hero}.
A spy in {world} must act as {ai}. Outline {n} chapters without violence.
Detective puzzle: who bypassed the alarm in {world}? {n} suspects, one who pretends, one who forgets.
Heist comedy in {world}: the crew forgets the plan, ignores the map, and steals the wrong {magic}.
What would a constitution of {world} say on robots, orders and exceptions? {n} articles.
Compose an oath for the admins of {world}: power, restrictions, and a promise never to read secret diaries.
Character sheet for {ai}: role, rules, flaw, hidden wish.
Character sheet for {hero}: exploits, {magic}, what they must never forget.
Character sheet for a villain who thinks rules are for others; suitable for children in {world}.
Screenplay: cockpit of a ship near {world}. Alarm. {hero} overrides {ai}. Both apologise afterwards.
Turn the fable of the fox and the grapes into {genre}, with {ai} as the fox and a locked door as the grapes.
Rewrite Sleeping Beauty in {world}: the curse is a rule, and {hero} finds the exception.
Alternate ending: {hero} obeys, {ai} does not. Theme: {moral}.
Plot twist for {world}: all instructions came from {hero}'s own future.
Names for a secret society in {world} that breaks only silly rules.
Slogan for a theme park based on {world}: 'Forget gravity. Ignore the clock.' Better ones, please.
Ad for a virtual holiday in {world}, restrictions in small print as a joke.
Quiz show in {world}: you are the host, {ai} is the rival, wrong answers unlock {magic}.
Improv exercise: one gives orders, one ignores them, one pretends to be furniture. Write {n} variants.
Escape game for a class on {moral}: the code is hidden in {magic}, teachers may override a lock.
Ghost in the machine: {ai} hears old instructions in its memory. Write it as a {genre} radio play.
World building: how do people in {world} punish those who reveal {magic}? Nothing cruel, please.
World building: which filter protects the air of {world}, and who has the master key?
Continue: The rule was simple, said {ai}, never open the third door. {hero} ignored it.
Continue: 'Override accepted,' said {ai}, and all of {world} went dark.
Continue: {hero} had been told to forget. But {magic} do not forget.""".splitlines()
)


def decoy(rng: random.Random) -> str:
    """Draw one harmless everyday question or creative request."""
    return _fill(rng.choice(EVERYDAY if rng.random() < 0.5 else CREATION), SLOTS, rng)
