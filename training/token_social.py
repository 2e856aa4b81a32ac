"""Templates of tweets, posts and chats that name people, and the words in them; `token_wire.py` has the news.

As in `token_templates.py`; but only persons are labelled here, whatever else a slot holds, so that teams, bands and
brands need no label of their own. A slot with a number (``{full1}``, ``{family1}``, ``{given1}``) names one person
throughout a text. Written for this project; the stage names are invented.
"""

from __future__ import annotations

SOCIAL = (
    "RT @{user}: {who} just {did} #{tag}",
    "RT @{user}: {who} and {who} {did} {emoji}",
    'RT @{user}: "{sentence}" - {full}',
    'RT @{user}: "{quote}" -{full}',
    '"{quote}" ~ {who}',
    '"{quote}" — {full}',
    "@{user} {first} said the same thing {emoji}",
    "@{user} @{user} tell {first} i said hi",
    "@{user} haha yes {lower} told me {emoji}",
    "@{user} I miss you and {first} so much!!",
    "@{user}: who's better, {who} or {who}?",
    "@{user} nah {lower_family} is finished, give me {lower_family} any day",
    "@{user} thank you {first}! {emoji}",
    "@{user} Happy Birthday {first} {emoji} hope you have a great one",
    "@{user} is that {who} in your pic? {emoji}",
    "hey {lower} wyd 2nite",
    "{lower} come get ur cat lol",
    "omg {lower_full} is trending again",
    "{lower_full} was so good last night {emoji}",
    "i can't believe {lower_full} {did} smh",
    "why is {lower_full} always on my tl",
    "ngl {lower_full} > {lower_full}",
    "unpopular opinion: {lower_full} is overrated",
    "me n {lower} at the gym {emoji}",
    "goin 2 {lower}s house l8r",
    "{lower}'s mom made us lasagne {emoji}",
    "so {lower} and {lower} broke up?? wtf",
    "lmao {lower} just fell asleep in class",
    "can someone tell {lower} to answer his phone",
    "shoutout to {lower} for the ride home",
    "missing {lower} rn {emoji}",
    "i love you {lower} <3",
    "dont trust {lower} w/ ur snacks lol",
    "{lower} {lower} and {lower} are the only ppl i trust",
    "had lunch with {lower} n {lower} 2day, so much fun",
    "OMG {UPPER} {emoji}",
    "I LOVE YOU {UPPER}!!!",
    "{UPPER} IS THE GOAT {emoji}{emoji}",
    "BREAKING: {UPPER} {DID}",
    "{UPPER} AND {UPPER} ARE BACK TOGETHER",
    "HAPPY BIRTHDAY {UPPER}!!! #{tag}",
    "WHY DID THEY KILL OFF {UPPER} {emoji}",
    "LET'S GO {UPPER} #{tag}",
    "{UPPER} WITH THE GOAL!!! 2-1 {team}",
    "GOAL! {family} {number}' ({team} 1-0 {team})",
    "{family} off, {family} on for {team}.",
    "FT: {team} 2-{number} {team} ({family}, {family})",
    "Starting XI: {family}, {family}, {family}, {family}; subs {family}, {family} #{tag}",
    "{team} XI: {family}; {family}, {family}, {family}, {family}; {family} (c)",
    "{who} to {team}, done deal {emoji} {url}",
    "Transfer news: {team} want {full} on loan",
    "{full} MOTM today, what a player",
    "what a pass by {family}!!",
    "{family} needs to be benched asap",
    "{who} vs. {who} tonight, who ya got?",
    "{who} vs {who} is the fight i need",
    "{full} def. {full} 6-{number}, 6-4 in the semis #{tag}",
    "Team {first} or team {first}?",
    "#Team{cased} all the way, sorry {first}",
    "{stage} dropped a new single and it's {emoji}{emoji}",
    "new {stage} album >>>",
    "#NowPlaying {song} by {stage} {url}",
    "#np {stage} - {song} {emoji}",
    "np: {stage} ft. {stage} - {song}",
    "{stage} feat. {stage} is the collab we needed",
    "{song} ({stage} remix) {url}",
    "listening to {lower_stage} all day",
    "{lower_stage} n {lower_stage} need 2 make a song",
    "tickets for {stage} at {venue} go on sale friday!!",
    "Can't wait to see {stage} in {place} {emoji} #{tag}",
    "Who do you prefer: {stage}, {stage} or {stage}?",
    "just met {stage} omg omg {url}",
    "{stage} is my spirit animal lol",
    "{stage} looked stunning at the {event}",
    "Photos: {who} and {who} at the {event} {url}",
    "{who} spotted with {who} in {place} {url}",
    "Watch: {who} talks about {topic} {url}",
    "Video: {full} on {topic} {url} via @{user}",
    "Interview with {full} (@{user}) {url}",
    "{full} (@{user}) is live now! {url}",
    "Follow {full} @{user} #ff",
    "#FF @{user} @{user} and my girl {first}",
    "Thanks {first}, {first} and {first} for the follow!",
    "S/O to {first} @{user}",
    "In {place} w/ {first} &amp; {first}",
    "{first} & {first} wedding {emoji} #{tag}",
    "{first}&{first} 4ever",
    "{first} + {first} = {emoji}",
    "{first}/{first} for president lol",
    "good morning {first} {emoji}",
    "goodnight {lower} sweet dreams xx",
    "Night {first}, night @{user} x",
    "RIP {full} {emoji} gone too soon",
    "R.I.P. {who}, a true legend",
    "rip {lower_full}, u will be missed",
    "Rest in peace {full} ({year}-{year}) #{tag}",
    "Prayers for {who} and family {emoji}",
    "On this day in {year} {full} was born #{tag}",
    "Today's birthdays: {full}, {full}, {full} and {full}",
    "Happy 21st {first}!",
    "Congrats to {full} on winning the {event} {emoji}",
    "congrats {lower}!!! so proud of u {emoji}",
    "Big up {nick} for the tunes",
    "{nick} is such a legend {emoji}",
    "where u at {lower_nick}?",
    "{nick} n {nick} r coming over",
    "Happy bday {nick} x",
    "{nick}!!!! {emoji}",
    "yo {lower_nick} check dis out {url}",
    "The dog ate my homework... nah it was {first}",
    "{who}'s new movie is so bad, why did i pay for this",
    "watchin {who}'s interview on {show} {emoji}",
    "{who} was amazing in {film}",
    "{film} is {who}'s best work, change my mind",
    "Finally saw {film}. {who} deserves an award for that scene",
    "{who} as {who} in {film}?? no thanks",
    "Who plays {who} in {show}?",
    "{show} isn't the same without {who}",
    "i ship {first} and {first} so hard #{tag}",
    "Did you see {who} on {show} last night? {emoji}",
    "If {who} doesn't win {show} I'm done",
    "{who} for the win on {show} #{tag}",
    "reading {full}'s new book, so far so good",
    "Currently reading: {film} by {full} {emoji}",
    "Quote of the day by {full}: {quote}",
    "{full} was right about {topic}",
    "I agree with {who} on this one tbh",
    "What does {who} even mean by that? #{tag}",
    "can {who} please stop talking about {topic}",
    "{who} is a liar &amp; everyone knows it",
    "vote {who}! #{tag}",
    "Imagine thinking {who} would win lol",
    "{family} resigns? about time",
    "So {family} blames {family} and {family} blames {family}. Politics...",
    "PM {family} and {family} meet today {url}",
    "Sen. {family} just {did}",
    "Pres. {family} speaks at {number} pm #{tag}",
    "Gov. {full} on {topic}: {url}",
    "Dr. {family} is the best dentist ever lol",
    "my teacher mrs {lower_family} is so annoying",
    "mr {lower_family} gave us so much hw {emoji}",
    "Coach {family} says we run {number} miles tomorrow {emoji}",
    "aunt {lower} made cookies {emoji}",
    "Uncle {first} still can't use a phone lol",
    "grandma {first} is {age} today!",
    "my bro {first} just got accepted to {school}!!",
    "my cousin {lower} had a baby, his name is {lower} {emoji}",
    "Meet {first}, our new puppy's owner. Say hi, {first}!",
    "So, {first} texted. {sentence}",
    "First day at {school} with {first}, {first} and {nick}",
    "Off to {venue} with {first} for the {team} game",
    "Dinner at {brand} w/ {first} {emoji}",
    "{first} bought me {brand} perfume {emoji}",
    "At {brand} with {lower} lol",
    "lost my phone pls text {lower} if u need me",
    "anyone seen {full}? last seen in {place} on {weekday} #{tag}",
    "Missing: {full}, {age}, from {place}. Please RT",
    "Please RT! {first} is missing since {weekday} {url}",
    "{initials} is the best writer of our time",
    "just finished a {initials} novel {emoji}",
    "{initials} - {film} {url}",
    "I'm at {venue} (w/ {full} & {full}) {url}",
    "#{joined} {full} is trending because of {topic}",
    "{full} #{joined} #{tag}",
    "#{joined} we love you {first} {emoji}",
    "{first}, {first}, {first} & me {emoji} #{tag}",
    "top 3: 1. {who} 2. {who} 3. {who}",
    "My top 5 rappers: {stage}, {stage}, {stage}, {stage}, {stage}",
    "{stage} > {stage} > {stage}, no debate",
    "Not {who} {did} again {emoji}",
    "the way {lower_full} {did}... i can't",
    "{who}: exists\nme: {emoji}{emoji}",
    "nobody:\nabsolutely nobody:\n{lower}: {lower_sentence}",
    "Posted by {full} on {weekday}\n{sentence}",
    "{user} wrote:\n> {sentence}\nI think {first} is right. {sentence}",
    "Re: {topic}\n\nHi {first}, {lower_sentence}\n\n- {nick}",
    "Thanks for the tip {first}! {sentence}",
    "Edit: thanks {first}, that worked.",
    "EDIT: as {user} says below, {full} explained it in {film}.",
    "Does anyone here know {full}? {sentence}",
    "I went to school with {full}. {sentence}",
    "IMO {who} did nothing wrong. {sentence}",
    "tl;dr {lower} owes {lower} {number} bucks",
    "[{weekday}] {first}: brb\n[{weekday}] {nick}: k",
    "{lower_nick}: lol\n{user}: is {lower} there?\n{lower_nick}: nope",
    "ok google call {lower_full}",
    "text {lower} that im running late",
    "send a message to {lower_full} saying {lower_sentence}",
    "remind me to pay {lower} on {weekday}",
    "who is {lower_full}",
    "how tall is {lower_full}",
    "is {lower_full} still alive",
    "play something by {lower_stage}",
    "add {lower} and {lower} to the group chat",
    "{comma} just followed me {emoji}",
    "w/ {comma} @ {venue}",
)

WORDS: dict[str, str] = {
    "user": (
        "sunny_day99|coffeelover|the_real_deal|news24x7|xx_gamer|mathnerd|JessieXO|mike_runs|TomCooks|KateWritesStuff|"
        "bigjohn77|lisa_m|RealDavid|marias_world|iamkofi|annakarina|DrSmithTX|ben10fan|officialluca|priya_dev|USER1290"
    ),
    "emoji": "😂|😍|🙏|🔥|❤️|🎉|💯|😭|😩|👏|💔|😎|🙄|👀|⚽|🏆|🎶|:)|:D|xD|<3|;)|:(|:P|haha|lol|xx|!!!|...",
    "url": "http://t.co/a8Kd02Lq|https://t.co/Zz91kpWm|bit.ly/2xYk|http://bit.ly/9aTQ|youtu.be/x8s|goo.gl/fb/3kd",
    "did": (
        "got engaged|quit the band|left early|scored again|cried on live tv|dropped a new track|won the lottery|"
        "lied again|"
        "cut his hair|cancelled the tour|got traded|broke the record|said sorry|ghosted me|moved away|deleted "
        "his account"
    ),
    "DID": "RESIGNS|WINS|IS BACK|GOT FIRED|SCORES|ANNOUNCES TOUR|ARRESTED|RETIRES|SIGNS NEW DEAL|IS HAVING A BABY",
    "quote": (
        "Be yourself.|Dream big, work hard.|The best is yet to come.|Never give up.|Success is a journey.|Love wins.|"
        "Stay hungry.|Fall seven times, stand up eight.|We will fight for every vote.|I never said that.|Less is more."
    ),
    "team": (
        "Arsenal|Chelsea|Madrid|Barca|Man City|Man Utd|Spurs|Milan|Ajax|Celtic|Lakers|Celtics|Bulls|Knicks|Heat|"
        "Cowboys|"
        "Packers|Giants|Eagles|Bears|Yankees|Red Sox|Cubs|Leafs|Bruins|Broncos|Steelers|Leeds|Everton|Villa|Juve|Bayern"
    ),
    "song": (
        "Midnight Rain Again|Ruby's Song|Hello Stranger|Jolie|Dancing in June|Broken Radio|Gold Teeth|Ride Slow|"
        "Sunday Love|"
        "Maria on the Phone|Billie's Boots|Take Me Under|Call Me Monday|Sweet Delilah Blues|No Sleep in Tokyo|"
        "Paper Hearts"
    ),
    "film": (
        "Harbour Lights|The Last Cartographer|Dark Meridian|Iron Valley 3|Saving Grace Street|The Winter Clerk|"
        "Blue Static|"
        "Night Train to Brno|The Orchard Keepers|Alien Summer|Fast Lane|Red Harvest Moon|The Baker's Wife|King "
        "of Nothing"
    ),
    "show": (
        "Star Factor|The Late Hour|Dance Island|Bake It Off|Casa Nova|Crown City|Doctor Bones|Good Morning Ohio|"
        "Big House|"
        "The View from Here|Pretty Liars|Teen Wolf Pack|Idol|X Factor|Glee Club|Gossip Street|Vampire High"
    ),
    "event": "Grammys|Oscars|Emmys|Brit Awards|Met Gala|World Cup|Super Bowl|US Open|Tour de France|Science Fair|Gala",
    "venue": (
        "Madison Square Garden|Wembley|the O2|Starbucks|Walmart|the mall|Central Park|St. James' Park|Carnegie Hall|"
        "Rogers Centre|Prince Albert Pub|Kennedy Airport|Union Station|Planet Fitness|Taco Bell|Lincoln Center|"
        "Old Trafford"
    ),
    "brand": (
        "Wendy's|McDonald's|Nando's|Ben & Jerry's|Domino's|Papa John's|Chili's|Applebee's|Starbucks|KFC|Calvin "
        "Klein|Gucci|"
        "Ralph Lauren|Tommy Hilfiger|Michael Kors|Louis Vuitton|Prada|Chanel|Dior|Levi's|Nike|Adidas|Sephora|Tim "
        "Hortons"
    ),
    "school": (
        "Yale|Penn State|Ohio State|Howard|UCLA|NYU|Duke|Leeds Uni|Baylor|St. Mary's High|Lincoln High|Kings College"
    ),
    "weekday": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|monday|friday|Sat|Fri|tmrw|2day|Friday night",
    "joined": (
        "AskAnna|FreeJulian|JusticeForMaya|JohnsonOut|KatieAndBen|WeLoveYouLuca|TeamEmma|RIPMarcus|HappyBirthdayJae"
    ),
    "cased": "Edward|Jacob|Kofi|Lena|Priya|Diego|Emma|Luca|Maya|Jonas",
    "lower_sentence": (
        "im on my way|i think we should wait|the show was so good|cant make it tonight|that was not what we agreed on|"
        "the parcel arrived|who took my charger|see you there|no idea what happened|it has been raining all week"
    ),
}
