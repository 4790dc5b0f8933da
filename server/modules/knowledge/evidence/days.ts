import { fold } from '../retrieval/fold'
import { tokenize } from '../retrieval/words'

/** Days of the week, Monday first, by the words for them in the lexicon's languages, without marks. */
const DAYS: readonly ReadonlySet<string>[] = [
  'monday mondays mon montag montags lunes lundi lundis lunedi maandag maandags poniedzialek poniedzialki poniedzialku segunda segundas mo lun pon',
  'tuesday tuesdays tue tues dienstag dienstags martes mardi mardis martedi dinsdag dinsdags wtorek wtorki wtorku terca tercas di',
  'wednesday wednesdays wed mittwoch mittwochs miercoles mercredi mercredis mercoledi woensdag woensdags sroda srody srode quarta quartas mi mer',
  'thursday thursdays thu thur thurs donnerstag donnerstags jueves jeudi jeudis giovedi donderdag donderdags czwartek czwartki czwartku quinta quintas do jeu',
  'friday fridays fri freitag freitags viernes vendredi vendredis venerdi vrijdag vrijdags piatek piatki piatku sexta sextas fr ven',
  'saturday saturdays sat samstag samstags sonnabend sonnabends sabado sabados samedi samedis sabato zaterdag zaterdags sobota soboty sobote sa sam',
  'sunday sundays sun sonntag sonntags domingo domingos dimanche dimanches domenica zondag zondags niedziela niedziele niedzieli so dim',
].map((words) => new Set(words.split(' ')))
/** Abbreviations that are words of their own: they are days only between others. */
const SHORT = new Set('mo di mi do fr sa so mon sun sat wed lun mer ven sam dim pon jeu'.split(' '))
const TO = new Set('to until through thru till bis a al hasta au tot t do'.split(' '))
/** Weekdays, weekends and every day. */
const RUNS: readonly [ReadonlySet<string>, readonly number[]][] = [
  [new Set('weekday weekdays werktags wochentags entresemana weekdagen'.split(' ')), [0, 1, 2, 3, 4]],
  [new Set('weekend weekends wochenende wochenenden finde'.split(' ')), [5, 6]],
  [
    new Set('daily everyday taglich diario diariamente quotidien dagelijks codziennie'.split(' ')),
    [0, 1, 2, 3, 4, 5, 6],
  ],
]

/** Today and tomorrow; words that also mean the morning count where nothing beside them says so. */
const COMING: readonly [ReadonlySet<string>, number][] = [
  [new Set('today tonight heute hoy aujourd oggi stasera vandaag vanavond dzis dzisiaj hoje'.split(' ')), 0],
  [new Set('tomorrow morgen manana demain domani jutro amanha'.split(' ')), 1],
]
/** Before “morgen” and “mañana” these make them the morning. */
const MORNING = new Set('heute hoy la jeden elke am vandaag guten buenas esta'.split(' '))

const DASH = /[–—-]/g

const dayOf = (word: string): number => DAYS.findIndex((names) => names.has(word))

/** Whether another day stands beside a word, or behind “to”: not only another word that is also short for one. */
function isAmong(words: readonly string[], at: number): boolean {
  const beside = [words[at - 1], words[at + 1], TO.has(words[at + 1] ?? '') ? words[at + 2] : undefined]
  if (TO.has(words[at - 1] ?? '')) beside.push(words[at - 2])
  return beside.some((other = '') => dayOf(other) >= 0 && !TO.has(other))
}

/** Whether a question asks about today or tomorrow, so that the day has to be known. */
export const asksOfComing = (question: string): boolean => {
  const words = tokenize(question).map(fold)
  return words.some((_, at) => comingAt(words, at) !== null)
}

/** 0: today, 1: tomorrow; null: neither */
function comingAt(words: readonly string[], at: number): number | null {
  const later = COMING.find(([names]) => names.has(words[at] ?? ''))?.[1] ?? null
  return later === 1 && MORNING.has(words[at - 1] ?? '') ? null : later
}

/**
 * The days that a text names, with those between: “Monday to Friday”, “Mo–Fr”.
 * @param today Monday is 0; null: not known, and “today” and “tomorrow” are no days
 */
export function daysOf(text: string, today: number | null = null): ReadonlySet<number> {
  const words = tokenize(text.replaceAll(DASH, ' to ')).map(fold)
  const days = new Set<number>()
  for (const [at, word] of words.entries()) {
    const day = dayOf(word)
    const [before = '', next = ''] = [words[at - 1], words[at + 1]]
    const later = today === null ? null : comingAt(words, at)
    if (today !== null && later !== null) days.add((today + later) % 7)
    for (const [names, run] of RUNS) if (names.has(word)) for (const one of run) days.add(one)
    if (day < 0) continue
    if (SHORT.has(word) && !isAmong(words, at)) continue
    // “do” is Thursday in German, and “to” in Polish: “Do–So”, but not “so do I”
    if (TO.has(word) && !TO.has(before) && !TO.has(next)) continue
    days.add(day)
    const last = TO.has(next) ? dayOf(words[at + 2] ?? '') : -1
    for (let between = day; last >= 0 && between !== last; between = (between + 1) % 7) days.add(between)
    if (last >= 0) days.add(last)
  }
  return days
}
