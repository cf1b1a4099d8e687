"""The role that the name of a column suggests, in English, Spanish, Catalan, French, German, Italian or Portuguese."""

import re
import unicodedata

from sdckit.microdata import Role

IDENTIFIERS = """
name names surname firstname lastname fullname forename nombre nombres apellido apellidos nom prenom cognom cognoms
nachname vorname cognome nome sobrenome ssn nif dni nie nin passport pasaporte passeport email mail correo courriel
phone telephone telefono telefon tel mobile movil handy iban address direccion adreca adresse indirizzo endereco street
calle rue strasse utilname company firma empresa url username login
"""
KEYS = """
age edad edat alter eta idade sex sexo sexe geschlecht sesso gender genero zip zipcode postcode postal plz cap
region provincia province state estado country pais pays land county comarca comunidad municipality municipio commune
gemeinde city town ciudad ciutat ville stadt citta birth birthday dob nacimiento naixement naissance geburt geburtsdatum
nascita marital civil hhcivil married education estudios bildung occupation profession ocupacion beruf job ethnic
ethnicity race raza religion nationality nacionalidad citizenship language lengua urban urbrur rural sector nace
industry branche employees empleados relat relation year month psu stratum strata estrato upm conglomerado marstat
"""
CONFIDENTIAL = """
income ingreso ingresos renta einkommen revenu reddito salary salario sueldo gehalt salaire wage wages pay payment
amount importe betrag montant billed bill tax taxes impuesto impuestos steuer impot revenue sales ventas umsatz turnover
profit beneficio expend expenditure expenses gasto gastos savings ahorro wealth debt deuda cost costs coste price
capital ill
diagnosis diagnostico diagnose disease enfermedad krankheit illness treatment drug health salud hiv test score grade
vote
"""
WEIGHTS = """
weight weights wgt wt peso pes gewicht poids pweight afnlwgt fnlwgt coeff coeffy coeffq ponderation ponderacion pondera
hochrechnungsfaktor hrf hhrf phrf fexp wtfinl pwgtp wgtp
"""
HOUSEHOLDS = """
household households hh hhid hid hogar llar haushalt menage famiglia family familia hserial idhh hogarid idhogar
"""
ORDERED = "number num count children hijos kinder rooms size grade level score rank year month grado nivel employees"
NUMBERED = "person record utility patient client customer respondent case firm company user member student employee"
ID_WORDS = frozenset(["id", "identifier", "uuid", *(f"{each}id" for each in NUMBERED.split())])

CODES = """
code codes cod codigo isco isic nace naics cnae sic soc icd nuts fips occupation profession ocupacion beruf
industry branche municipality municipio commune gemeinde county country pais pays land province provincia region
comarca nationality
nacionalidad citizenship language diagnosis diagnostico diagnose psu stratum strata estrato upm conglomerado
"""
CODE_WORDS = frozenset(CODES.split())
WEIGHT_ENDINGS = ("weight", "wght", "wgt", "wt")  # of names such as pspwght, finalweight and perwt
HOUSEHOLD_NUMBER = re.compile(r"(hh|hld|hhold)_?(id|nr|no|num|nbr|number|key|code|serial)")  # names such as hhnum
SHORT_LABEL = 6  # words; longer ones are questions
VAGUE_IN_LABELS = frozenset(["state", "land", "year", "month", "relation", "civil", "sector", "job", "cap", "postal"])
BODY_WORDS = frozenset(["body", "birth", "kg", "kilos", "pounds", "height", "baby", "bodyweight", "birthweight"])

WORDS: dict[str, Role] = {
    word: role
    for role, words in (
        (Role.CONFIDENTIAL, CONFIDENTIAL),
        (Role.KEY, KEYS),
        (Role.IDENTIFIER, IDENTIFIERS),
        (Role.HOUSEHOLD, HOUSEHOLDS),
        (Role.WEIGHT, WEIGHTS),
    )
    for word in words.split()
}
ORDERED_WORDS = frozenset(ORDERED.split())
POSTCODE_WORDS = frozenset(["zip", "zipcode", "postcode", "postal", "plz", "cap"])
AGE_WORDS = frozenset(["age", "edad", "edat", "alter", "eta", "idade"])


def words_of(name: str) -> list[str]:
    """The words in a name, without accents and in lower case.

    >>> words_of("Código_Postal"), words_of("birthDate2")
    (['codigo', 'postal'], ['birth', 'date'])
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", plain)]


def role_by_name(name: str) -> tuple[Role, str] | None:
    """The role that a word in the name suggests, and the word; a weight or household takes precedence."""
    found = [(WORDS[word], word) for word in words_of(name) if word in WORDS]
    found += [(Role.HOUSEHOLD, word) for word in words_of(name) if HOUSEHOLD_NUMBER.fullmatch(word)]
    if not BODY_WORDS & set(words_of(name)):
        found += [(Role.WEIGHT, word) for word in words_of(name) if word.endswith(WEIGHT_ENDINGS)]
    order = (Role.WEIGHT, Role.HOUSEHOLD, Role.IDENTIFIER, Role.KEY, Role.CONFIDENTIAL)
    return min(found, key=lambda each: order.index(each[0]), default=None)


def weight_by_label(label: str) -> str | None:
    """The word by which the label of a variable says that it is a survey weight; None where it says no such thing.

    >>> weight_by_label("Design weight of the household"), weight_by_label("Body weight in kg")
    ('weight', None)
    """
    words = words_of(label)
    if BODY_WORDS & set(words):
        return None
    return next((word for word in words if WORDS.get(word) is Role.WEIGHT or word in ("weighting", "grossing")), None)


def key_by_label(label: str) -> str | None:
    """The word by which a short label says that an intruder may know the variable; None where it does not.

    >>> key_by_label("Age of respondent, calculated"), key_by_label("How old is the state of your health?")
    ('age', None)
    """
    words = words_of(label)
    if len(words) > SHORT_LABEL:
        return None
    return next((word for word in words if WORDS.get(word) is Role.KEY and word not in VAGUE_IN_LABELS), None)
