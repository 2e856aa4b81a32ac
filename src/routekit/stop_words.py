"""The commonest words of languages in the Latin script: enough to tell one from another.

Words of one letter are left out: they stand in code and formulas of any language.
"""

from __future__ import annotations

from types import MappingProxyType

#: ISO 639-1 code -> words.
STOP_WORDS = MappingProxyType(
    {
        "en": "am per over under until still through these those because most only any no so do after before"
        " while using use following the of and to in is you that it he was for on are as with his they"
        " at be this have from or had by not what all were we when your can there an which their how"
        " will each about if up out them then she many some would other into has more her two like him"
        " see could than been now my please write give does did its explain who why hello thanks me"
        " should make where just between",
        "de": "der die das und ist nicht ein eine einen zu den mit von auf für sich dem des im auch es an"
        " werden aus er hat dass sie nach wird bei um noch wie über ich du wir mir mich kann kannst"
        " bitte mein meine dein was warum wo wer oder aber wenn sind war haben habe hier gibt zum zur"
        " einer eines einem danke hallo guten alle allen meiner meinen meinem deiner deinen deinem seine"
        " seiner ihre ihrer unsere vom",
        "fr": "le la les un une des et est que qui dans en pour pas au sur se ne ce il elle sont avec plus"
        " par je tu nous vous mais ou du cette comme tout fait être avoir aux ses son sa mon ma mes leur"
        " bien quel quelle pourquoi comment bonjour merci moi écris donne peux pouvez qu où même très"
        " aussi sans toutes tous tes vos votre notre nos cet ces",
        "es": "el la los las un una de que en es por con para no se lo al del su como más pero sus le ya este"
        " sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos"
        " durante qué cómo cuál mi tu puedes puede hola gracias favor escribe dame son está eres ser soy"
        " yo usted todas todos tus mis solo bajo nuestro nuestra",
        "it": "il lo la gli le un una uno di che non per in con su come da più ma del della dei delle nel"
        " nella alla si sono ho hai ha mi ti ci questo questa anche quando perché cosa chi dove io tu"
        " lui lei noi mio mia puoi puo ciao grazie scrivi dammi essere molto tutto degli dal dalla sul"
        " sulla tutte tutti tua tuo tuoi tue mie miei sue suo sua sulle solo secondo ed",
        "pt": "os as um uma de que em do da dos das no na nos nas não para com por se mais como mas ao ele"
        " ela seu sua ou ser quando muito há já está eu também só pelo pela até isso entre era depois"
        " sem mesmo aos ter você vocês meu minha qual obrigado olá escreva são foi tem dê todas todos"
        " seus suas meus minhas teu tua tuas sobre",
        "nl": "de het een en van ik te dat die in je is niet op aan met als voor er was hij maar om hem dan"
        " zou wat mijn men dit zo door over ze zich bij ook tot mij uit der daar haar naar heb hoe heeft"
        " hebben deze want nog zal me zij nu geen omdat iets worden toch al waren veel meer doen moet"
        " zonder kan hun kun jij jouw waarom hallo",
        "pl": "na nie to się do jest że jak ale po co tak za od jego już tylko czy być może dla ja ty on ona"
        " ma mi mnie są był była było przez który która które bardzo kiedy gdzie dlaczego proszę mój"
        " moja jestem napisz cześć dziękuję oraz też przy aby",
        "ro": "și de la în nu că un cu pe pentru este mai din care se ce sunt am ai au fi cum dar sau eu tu"
        " el ea noi voi ei lui îmi îți să fost fără dacă când unde acest această foarte te rog bună"
        " mulțumesc scrie poți lor într prin după sa",
        "sv": "och att det som en på är av för med till den har de inte om ett han men var jag sig från vi så"
        " kan när år under också efter eller nu sin där vid mot ska skulle kommer ut få finns vara hade"
        " alla andra hur vad mig du din min hej tack skriv varför någon",
        "da": "og at det som en på er af for med til den har de ikke om et han men var jeg sig fra vi så kan"
        " når være blev efter eller nu sin hvor ved mod skal ville kommer ud hvad hvordan mig du din min"
        " hej tak skriv hvorfor også noget",
        "no": "og at det som en på er av for med til den har de ikke om et han men var jeg seg fra vi så kan"
        " når være ble etter eller nå sin hvor ved mot skal ville kommer ut hva hvordan meg du din min"
        " hei takk skriv hvorfor også noe",
        "fi": "ja on ei se että oli hän mutta ovat kun niin myös sen joka mitä minä sinä me te he tai kuin"
        " jos voi ole olen mikä miten miksi missä tämä nämä ne vain jo nyt sitten kanssa hei kiitos"
        " kirjoita minun sinun mukaan jälkeen ennen",
        "tr": "ve bir bu da de için ile çok ne mi mı ben sen biz siz olarak daha gibi var yok ama kadar değil"
        " nasıl neden kim nerede bana sana olan olduğu her en şey sonra önce lütfen merhaba teşekkürler"
        " yaz benim senin ki ya veya mu",
        "cs": "se na je že do to ve za pro jsem jsou ale jako po by tak když už jen co které který která při"
        " jak nebo být byl bylo byla mi mě ty já on ona prosím proč kde dobrý děkuji napiš může této"
        " tento aby podle",
        "hu": "az és hogy nem is egy ez de van meg csak ki mint már volt ha kell lehet én te mi ti ők vagy"
        " azt ezt nagyon mert miért hogyan hol mit kérem köszönöm szia írj minden még lesz után alatt"
        " között",
        "id": "yang dan di dari untuk pada dengan ini itu adalah tidak ke dalam akan saya anda kami kita"
        " mereka juga oleh atau sebagai ada bisa dapat telah sudah apa bagaimana mengapa tolong terima"
        " kasih buat tulis dia lebih karena saat",
        "vi": "và của là có được cho không trong các một những người này với đã để từ khi về tôi bạn như đến"
        " nào gì sao hãy rất cũng thì mà ra vào làm sẽ chúng ta",
    }
)
