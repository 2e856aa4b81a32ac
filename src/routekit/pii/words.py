"""The sets of context words, in the languages that people write numbers in.

A set is named for what its words speak for. Words are few on purpose: "number", "id" or "code" stand near everything.
"""

from __future__ import annotations

from types import MappingProxyType

#: Set name -> words, separated by spaces. Words without accents match words with them.
CONTEXT = MappingProxyType(
    {
        # What a number is not; a word of the right set outweighs it.
        "not_personal": "version versions release firmware build isbn issn doi sku ean upc gtin barcode order orders"
        " tracking shipment invoice ticket commit hash sha md5 uuid guid checksum epoch timestamp section chapter"
        " clause oid serial asin part rfc 版本 订单 订单号 快递",
        "age": "age aged turn turned turns turning year years yr yrs y when",
        "birth": "born birth birthday dob birthdate geboren geburtsdatum naissance nacimiento nascita nascimento"
        " urodzenia 出生 生日 生年月日 생년월일",
        "card": "card cards creditcard cardnumber cc visa mastercard amex maestro discover diners jcb debit credit"
        " pan karte kreditkarte kreditkartennummer carte bancaire tarjeta carta credito cartao kaart karta kort"
        " карта карты 信用卡 银行卡 卡号 カード 카드",
        "phone": "phone phones telephone telephones tel cellphone mobile mobil mob dial sms whatsapp fax landline"
        " phonenumber telefon telefono telefone telefonnummer handy handynummer rufnummer portable gsm celular movil"
        " cellulare tlf puhelin puhelinnumero komorka telepono cep hotline телефон мобильный тел"
        " 电话 手机 微信 联系 号码 拨打 致电 客服 联系方式 電話 携帯 전화 휴대폰 연락처 โทร โทรศัพท์ هاتف جوال फोन",
        "call": "call calling called cell contact kontakt contatto contacto reach"
        " desk text ring answering registered mobile",
        "ssn": "ssn ssns social sozialversicherung itin",
        "iban": "iban bank account transfer wire konto kontonummer kontonr compte virement cuenta conto bic swift sepa",
        "routing": "routing aba rtn micr ach transit wire",
        "bank_account": "account accounts acct checking savings bank deposit konto kontonummer compte cuenta conto",
        "passport": "passport passports passportnumber passeport pasaporte passaporto passaporte reisepass"
        " reisepassnummer paszport paspoort passnr паспорт загранпаспорт 护照 護照 パスポート 旅券 여권",
        "licence": "driver drivers driving dl dln fuhrerschein fuhrerscheinnummer fahrerlaubnis"
        " permis conducir patente guida carteira habilitacao rijbewijs korkort 驾驶证 驾照 免許 운전면허 면허",
        "zip": "zip zipcode postcode postal postalcode plz postleitzahl cp cap cep postnummer 邮编 郵便番号",
        "crypto": "bitcoin btc wallet crypto address ethereum eth",
        "vin": "vin vehicle chassis car fahrgestellnummer",
        "plate": "plate plates reg registration kennzeichen plaka plakası plaque matricula targa",
        "ip": "ip ips ipv4 ipv6 addr host gateway subnet loopback dns src dst connecting listen peer connect localhost",
        "mac": "mac hardware ethernet physical wifi bssid",
        "email": "email mail",
        "tax": "tax tin taxpayer steuer steuernummer steuerid idnr steueridentifikationsnummer vat ust ustid mwst tva"
        " iva fiscal fiscale impots gst gstin uid 税号 納税",
        "health": "health medicare nhs patient medical hospital insurance krankenkasse kvnr krankenversicherung egk"
        " mbi provider npi doctor physician arzt arztes arztnummer lanr dea prescriber certificate carte_vitale 医保",
        "national_id": "identity national identification citizen nationalid identitycard ausweis personalausweis"
        " identite dni identidad identita codice fiscale bsn burgerservicenummer sofinummer nir insee securite"
        " personnummer fodselsnummer cpr hetu henkilotunnus pesel cnp rodne kimlik kimligi tckn tc cedula rut curp"
        " cpf aadhaar aadhar uidai nric fin rrn resident 身份证 身份证号 身分證 居民身份证 マイナンバー 個人番号"
        " 주민등록번호 주민번호 외국인등록번호 เลขประจำตัวประชาชน เลขบัตรประชาชน บัตรประชาชน снилс инн",
        "company_id": "company business abn acn brn uen orgnummer organisationsnummer organization corporate"
        " handelsregister siren siret cnpj krs regon nip cif gmbh ltd 사업자등록번호 统一社会信用代码",
        "au": "abn acn tfn australian australia medicare",
        "ca": "sin nas canadian canada insurance social sociale",
        "de": "steuer steuerid idnr rvnr rentenversicherung rentenversicherungsnummer sozialversicherungsausweis"
        " sozialversicherungsnummer versicherungsnummer",
        "es": "nif nie dni extranjero identificacion cif",
        "fi": "hetu henkilotunnus finnish sotu",
        "in": "aadhaar aadhar uidai pan gstin gst epic voter voterid elector vote आधार",
        "it": "iva partita piva codice fiscale cie carta identita",
        "kr": "korean korea rrn frn brn",
        "nino": "nino ni insurance",
        "pl": "pesel nip regon polish",
        "za": "rsa south african africa refugee permanent resident",
        "th": "thai thailand tnin เลขประจำตัวประชาชน",
        "tr": "turkish turk tckn kimlik vatandaslik tc",
        "se": "swedish personnummer pnr orgnummer organisationsnummer samordningsnummer",
        "sg": "nric fin singapore uen",
        "ph": "tin bir philippine philippines",
        "gb": "nhs nino british dvla",
        "br": "cpf cnpj brasil brazil",
        "nl": "bsn burgerservicenummer sofinummer",
        "fr": "nir insee securite vitale sociale siren siret",
        "cn": "身份证 身份证号 居民身份证 身份證 公民身份",
    }
)
