"""Top-level domains: enough to tell a domain name from a sentence or from code."""

from __future__ import annotations

_COUNTRY = (
    "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca"
    " cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo"
    " fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je"
    " jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo"
    " mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt"
    " pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk"
    " tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"
)
_GENERIC = (
    "academy accountant aero agency amazon app apple arpa art asia associates attorney auction audio auto baby"
    " band bank bar beauty beer best bet bid bike bio biz blog boutique build builders business buzz cab cafe"
    " camera camp capital cards care career careers casa cash casino cat catering center ceo charity chat cheap"
    " church city claims cleaning clinic clothing cloud club coach codes coffee college com community company"
    " computer condos construction consulting contact contractors cool coop country coupons courses credit"
    " creditcard cruises dance date dating deals degree delivery democrat dental design dev diamonds diet digital"
    " direct directory discount doctor dog domains download earth eco edu education email energy engineer"
    " engineering enterprises equipment estate events exchange expert exposed express fail faith family fan fans"
    " farm fashion film finance financial fish fishing fit fitness flights florist flowers fm football forsale"
    " foundation fun fund furniture futbol fyi gallery game games garden gift gifts gives glass global gmbh gold"
    " golf google gov graphics gratis green group guide guru hair health healthcare help hockey holdings holiday"
    " homes horse hospital host hosting hotel house how immo inc industries info ink institute insurance insure"
    " int international investments irish jetzt jewelry jobs kaufen kim kitchen land law lawyer lease legal lgbt"
    " life lighting limited limo link live llc loan loans lol london love ltd luxury maison management market"
    " marketing mba media memorial men menu microsoft mil mobi moda moe mom money monster mortgage moscow movie"
    " museum name navy net network news ngo ninja nyc one onl online ooo org page paris parts party pet pharmacy"
    " photo photography photos pics pictures pink pizza place plumbing plus poker porn post press pro productions"
    " promo properties property pub quest racing realty recipes red rehab reise reisen rent rentals repair report"
    " republican rest restaurant review reviews rip rocks rodeo run sale salon sarl school schule science security"
    " services sexy shoes shop shopping show singles site ski soccer social software solar solutions space store"
    " stream studio study style supplies supply support surf surgery systems tattoo tax taxi team tech technology"
    " tel tennis theater tickets tips tires today tokyo tools tours town toys trade trading training travel tube"
    " university uno vacations vegas ventures vet viajes video villas vin vip vision vlaanderen vodka vote voyage"
    " wang watch webcam website wedding wien wiki win wine work works world wtf xxx xyz yoga youtube zone"
)
_BARE = (
    "ai app ar au bg biz br ca ch cl cloud club cn com cz de dev dk edu ee eu fi fr gov gr hk hr hu ie il io jp"
    " ke kr lt lv mil mx net ng nl nz online org pe ph pk ru se sg shop site sk store tech th tr tw ua uk uy vn"
    " website xyz za"
)

COUNTRY = frozenset(_COUNTRY.split())
ALL = COUNTRY | frozenset(_GENERIC.split())
#: Where a name without scheme or ``www`` is taken for a domain: endings that code and prose do not use otherwise.
BARE = frozenset(_BARE.split())


def is_tld(label: str) -> bool:
    """Say whether a label may end a domain name.

    >>> is_tld("com"), is_tld("COM"), is_tld("xn--p1ai"), is_tld("txt")
    (True, True, True, False)
    """
    plain = label.lower()
    return plain in ALL or plain.startswith("xn--") or not plain.isascii()
