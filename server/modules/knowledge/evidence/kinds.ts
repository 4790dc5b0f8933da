/** Kinds of answers that a question may want. */
export const answerKinds = ['price', 'time', 'number', 'person', 'place', 'contact'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** How a question asks, apart from a kind of answer. */
export interface Asking {
  /** the kinds that its words want; mostly one */
  wants: ReadonlySet<AnswerKind>
  /** begins like one that is answered with yes or no */
  yesNo: boolean
  /** asks for a way or a reason */
  open: boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
/** Words that want a kind, without marks, of eight languages. */
const WANTING: Readonly<Record<AnswerKind, ReadonlySet<string>>> = {
  price:
    words(`price prices cost costs fee fees charge charges pricing rate rates expensive cheap deposit salary wage pay paid fine
    kostet kosten preis preise gebuhr gebuhren teuer beitrag lohnt gehalt zuschlag kostenpunkt
    precio precios cuesta cuestan costo coste tarifa tasa caro sueldo sale cobran cobrais vale
    prix tarif tarifs coute coutent cout cher salaire frais
    prezzo prezzi costa costano tariffa quota prijs prijzen kost tarief cena ceny kosztuje oplata preco precos custa custam taxa`),
  time: words(`when hours opening closing opens closes open closed until deadline date day days
    wann uhrzeit offnungszeiten geoffnet offen termin datum tag tage uhr beginnt anmeldeschluss
    cuando hora horas horario horarios abre abren abris abierto cerrais cierra fecha fechas dia dias plazo
    quand heure heures horaire horaires ouvert ouverts ouvre fermez ferme jour jours date
    orari orario aperto quando wanneer openingstijden kiedy godziny otwarcia horario aberto`),
  number: words(
    'many long old far often big large tall wide heavy much weight size percent viele lange alt weit oft hoch gross breit schwer viel wieviel wieviele cuantos cuantas cuanto cuanta combien quanti quante quanto quanta hoeveel ile quantos quantas',
  ),
  person: words('who whom whose wer wem wen wessen quien quienes qui chi wie kto kogo quem'),
  place: words(
    'where address wo wohin woher adresse anschrift donde direccion adonde ou adresse dove indirizzo waar adres gdzie adres onde endereco',
  ),
  contact: words(
    'phone telephone email mail e-mail contact call ring reach write number telefon telefonnummer mail erreiche erreichen anrufen schreiben nummer kontakt telefono correo contactar llamar escribir telephone joindre appeler courriel numero contatto telefoon bellen telefonu zadzwonic telefone ligar',
  ),
}
const YES_NO = words(`do does did is are was were can could may might will would shall should have has had am any
  kann kannst konnen konnt darf durfen gibt gibts habt haben hat ist sind muss mussen soll macht machen bietet nehmt verkauft findet geht wird braucht brauche bin
  puedo puede pueden podemos podeis hay es esta estan tiene teneis tienen dais hace haceis se tengo aceptais admiten sois caduca
  peut puis peux pouvez avez est sont faites proposez acceptez faut dois y
  posso si avete e ce kunnen kan heeft hebben is zijn czy mozna posso pode tem aceitam ha`)
const OPEN = words(
  'why how warum wieso weshalb wie como porque pourquoi comment perche come waarom hoe dlaczego jak por',
)

/** What a question wants, by its words. */
export function askingOf(question: readonly string[]): Asking {
  const wants = new Set(answerKinds.filter((kind) => question.some((word) => WANTING[kind].has(word))))
  return { wants, yesNo: YES_NO.has(question[0] ?? ''), open: OPEN.has(question[0] ?? '') }
}

/** Names of days and months in these languages. */
const NAMES =
  words(`january february march april may june july august september october november december jan feb apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat weekday weekdays weekend
    januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag okt dez
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo
    janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedi martedi mercoledi giovedi venerdi sabato domenica
    januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien poniedzialek wtorek sroda czwartek piatek sobota niedziela
    janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro segunda terca quarta quinta sexta`)

const MONEY = /\p{Sc}|\b(?:eur|euros?|pounds?|dollars?|free|kostenlos|gratis|gratuit|chf)\b|\d\s?%/iu
const CLOCK = /\d{1,2}(?::| ?h ?|\.)\d{2}|\d ?(?:am|pm|uhr|h)\b/iu
const DIGIT = /\p{N}/u
const NAME = /\p{Lu}\p{Ll}+ \p{Lu}\p{L}+/u
const STREET = /\d{1,4},? [\p{L}]|[\p{L}.] \d{1,4}(?:,|\b)|\b[A-Z]{1,2}\d{1,2} \d[A-Z]{2}\b|\b\d{4,5} \p{Lu}/u
const REACH = /@|\d{3,}[ /-]?\d{3,}/u

/** Whether a text has an answer of a kind. @param said its words, without marks */
export function hasKind(kind: AnswerKind, text: string, said: readonly string[]): boolean {
  switch (kind) {
    case 'price':
      return MONEY.test(text)
    case 'time':
      return CLOCK.test(text) || said.some((word) => NAMES.has(word))
    case 'number':
      return DIGIT.test(text)
    case 'person':
      return NAME.test(text)
    case 'place':
      return STREET.test(text)
    case 'contact':
      return REACH.test(text)
  }
}
