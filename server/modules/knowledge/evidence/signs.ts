import type { Passage } from '../knowledge'
import { alike as alikeDirections, between, directionOf } from '../meaning/direction'
import { fold } from '../retrieval/fold'
import type { Hits } from '../retrieval/lexicalIndex'
import { tokenize } from '../retrieval/words'
import { daysOf } from './days'
import { type AnswerKind, type Asking, answerKinds, askingOf, hasKind } from './kinds'
import { type ReadPassage, readPassages, type Unit } from './readPassages'
import {
  type Meanings,
  type Question,
  readQuestion,
  type Said,
  sayings,
  shareOf,
  shareOfConcepts,
  together,
} from './saying'

/** A passage with what speaks for its answering a question. */
export interface Weighed {
  read: ReadPassage
  /** in the order of the weights */
  signs: number[]
  /** for each unit, the share of the question that it says under its headings */
  says: number[]
  /** how much it says and means itself, without headings and names of columns */
  alone: number[]
  /** of a question for some days of the week: the units that are about them */
  onDays: number[]
  /** how much its heading, or an entry's question, is the same question: 0 to 1 */
  alike: number
}
/** The search by words. */
export type Searched = Pick<
  Hits,
  'full' | 'whole' | 'rarities' | 'concepts' | 'chunks' | 'words' | 'pieces' | 'meant'
> & {
  /** how far its evidence is above that at which nothing was found */
  above: number
  /** the day of the week where the organisation is, Monday first; absent: it is not known */
  today?: number | null
}

/** What headings say counts less for each unit below them. */
const ABOVE = 0.8
/** The share of the best unit's that others near it say. */
const CLOSE = 0.75
/** The number of passages at which a chatbot is half small. */
const HALFWAY = 20

/**
 * Takes passages apart and measures what speaks for each. @param passages in the order of the search, with its
 * scores
 */
export function weighPassages(
  passages: readonly Passage[],
  question: string,
  meanings: Meanings,
  searched: Searched,
): Weighed[] {
  const asked = readQuestion(question, meanings, searched)
  const asking = askingOf(tokenize(question).slice(0, 48).map(fold))
  const days = daysOf(question, searched.today ?? null)
  const saidBy = sayings(asked, meanings)
  const taken = readPassages(passages).map((read) => ({
    read,
    heading: saidBy(read.headings[0] ?? ''),
    above: [read.title, ...read.headings].map(saidBy),
    units: read.units.map(({ text, row }) => [saidBy(text), ...(row ? [saidBy(row.names.join(' '))] : [])]),
  }))
  const anywhere = together(
    asked,
    taken.flatMap(({ above, units }) => [...above, ...units.flat()].map(meantBy)),
  )
  const scores = passages.map(({ score }) => score)
  const bySource = new Map<string, number>()
  for (const { source, score } of passages) bySource.set(source.gid, (bySource.get(source.gid) ?? 0) + score)
  const ofMeaning = ofMeanings(asked, taken)
  const concepts = ofConcepts(asked, taken)
  const all = scores.reduce((sum, score) => sum + score, 0) || 1
  return taken.map((one, at) => {
    const onDays = unitsOn(days, one.read.units)
    const says = one.units.map((unit) =>
      shareOf(
        asked,
        together(asked, [...unit.map(meantBy), ...one.above.map(({ meant }) => meant.map((value) => value * ABOVE))]),
      ),
    )
    const signs = [
      ...ofWords(asked, one, anywhere, says),
      ...(ofMeaning[at] as number[]),
      ...ofSearch(scores, at, searched),
      (bySource.get(passages[at]?.source.gid ?? '') ?? 0) / all,
      ...ofKinds(asking, one.read, says),
      Math.log(1 + one.read.blocks.join('\n').length) / 7,
      Math.log(1 + asked.telling),
      one.units.length === 0 ? 1 : 0,
      days.size === 0 ? 0 : onDays.length > 0 ? 1 : -1,
      ...(concepts[at] as number[]),
    ]
    const alike = shareOf(asked, one.heading.meant) * one.heading.ofAsked
    const alone = one.units.map(([own]) => (own ? shareOf(asked, own.letters) + shareOf(asked, own.meant) : 0))
    return { read: one.read, signs, says, alone, onDays, alike }
  })
}

/** The units that name all of some days. */
function unitsOn(days: ReadonlySet<number>, units: readonly Unit[]): number[] {
  if (days.size === 0) return []
  return units.flatMap(({ text }, at) => {
    const named = daysOf(text)
    return [...days].every((day) => named.has(day)) ? [at] : []
  })
}

const meantBy = ({ meant }: Said) => meant
const nearBy = ({ near }: Said) => near
const lettersOf = ({ letters }: Said) => letters

interface Taken {
  read: ReadPassage
  heading: Said
  above: Said[]
  units: Said[][]
}

/** How much of the question the passage says, where, and what it lacks. */
function ofWords(
  asked: Question,
  { read, heading, above, units }: Taken,
  anywhere: readonly number[],
  says: readonly number[],
): number[] {
  const share = (said: readonly Said[], of = meantBy) => shareOf(asked, together(asked, said.map(of)))
  const flat = units.flat()
  const meant = together(asked, [...above, ...flat].map(meantBy))
  const unit = Math.max(0, ...units.map((one) => share(one)))
  const pair = Math.max(
    0,
    ...units.map((one, at) => share([...(units[at - 1] ?? []), ...one, ...(units[at + 1] ?? [])])),
  )
  const head = share([heading])
  const heaviest = Math.max(1e-6, ...asked.words.map(({ weight }) => weight))
  return [
    share([...above, ...flat], lettersOf),
    shareOf(asked, meant),
    shareOf(asked, meant) ** 2,
    Math.max(0, ...units.map((one) => share(one, lettersOf))),
    unit,
    pair,
    Math.max(0, ...says),
    head,
    heading.ofAsked,
    head * heading.ofAsked,
    head * unit,
    share(above.slice(0, 1)),
    read.isFaq ? 1 : 0,
    read.isFaq ? head * heading.ofAsked : 0,
    // the weightiest word that it lacks; what others have and it lacks; what none has
    Math.max(0, ...asked.words.map(({ weight }, at) => weight * (1 - (meant[at] ?? 0)))) / heaviest,
    shareOf(
      asked,
      meant.map((value, at) => Math.max(0, (anywhere[at] ?? 0) - value)),
    ),
    shareOf(
      asked,
      anywhere.map((value) => 1 - value),
    ),
  ]
}

/** How near the passage is by the words that its words stand beside elsewhere, and beside the nearest passage. */
function ofMeanings(asked: Question, taken: readonly Taken[]): number[][] {
  const heaviest = Math.max(1e-6, ...asked.words.map(({ weight }) => weight))
  const own = taken.map(({ heading, above, units }) => {
    const share = (said: readonly Said[]) => shareOf(asked, together(asked, said.map(nearBy)))
    const flat = units.flat()
    const towards = (said: readonly Said[]) => alikeDirections(asked.direction, directionBetween(said))
    const near = together(asked, [...above, ...flat].map(nearBy))
    const head = share([heading])
    return [
      shareOf(asked, near),
      Math.max(0, ...units.map(share)),
      head,
      towards([heading]),
      Math.max(0, ...units.map(towards)),
      towards([...above, ...flat]),
      head * heading.ofNear,
      1 - Math.max(0, ...asked.words.map(({ weight }, at) => weight * (1 - (near[at] ?? 0)))) / heaviest,
    ]
  })
  const most = own[0]?.map((_, sign) => Math.max(...own.map((signs) => signs[sign] as number))) ?? []
  const ways = ofWays(asked, taken)
  return own.map((signs, at) => [
    ...signs,
    ...signs.map((value, sign) => value - (most[sign] as number)),
    ...(ways[at] as number[]),
  ])
}

/** How near the passage points to where the question does, by its heading, its nearest unit and as a whole. */
const HEADING = 0.5
/** A word of the question of which a passage has less is lacking. */
const LACKING = 0.5

/**
 * Where the passage stands by directions alone: beside the nearest and the next one, and its place among all; and what
 * of the question its words do not say, by how far these point elsewhere.
 */
function ofWays(asked: Question, taken: readonly Taken[]): number[][] {
  const ways = taken.map(({ heading, above, units }) => {
    const whole = directionBetween([...above, ...units.flat()])
    const nearest = Math.max(0, ...units.map((unit) => alikeDirections(asked.direction, directionBetween(unit))))
    const towards = HEADING * alikeDirections(asked.direction, heading.direction) + nearest
    return { whole, near: towards + alikeDirections(asked.direction, whole) }
  })
  const nears = ways.map(({ near }) => near)
  return taken.map(({ above, units }, at) => {
    const { whole, near } = ways[at] as (typeof ways)[number]
    const others = nears.filter((_, other) => other !== at)
    const meant = together(asked, [...above, ...units.flat()].map(meantBy))
    const lacking = asked.words.filter((_, word) => (meant[word] ?? 0) < LACKING)
    const share = lacking.reduce((sum, { weight }) => sum + weight, 0)
    const direction = directionOf(lacking.map(({ vector }) => vector))
    return [
      near - Math.max(...nears),
      others.length === 0 ? 0 : near - Math.max(...others),
      1 / (1 + others.filter((other) => other > near).length),
      share * (1 - alikeDirections(direction, whole)),
      direction === null ? 0 : alikeDirections(direction, whole),
    ]
  })
}

const directionBetween = (said: readonly Said[]) => between(said.map(({ direction }) => direction))

/**
 * What the passage has of the question's concepts, beside the passage that has most; and how much it says of a question
 * that says little or much, in words as rare as these are here.
 */
function ofConcepts(asked: Question, taken: readonly Taken[]): number[][] {
  const share = (said: readonly Said[]) => shareOfConcepts(asked, (one) => said.some(({ named }) => named.has(one)))
  const known = shareOfConcepts(asked, (one) => (asked.concepts.get(one)?.count ?? 0) > 0)
  const own = taken.map(({ heading, above, units }) => {
    const flat = [...above, ...units.flat()]
    const meant = shareOf(asked, together(asked, flat.map(meantBy)))
    const near = shareOf(asked, together(asked, flat.map(nearBy)))
    const unit = Math.max(0, ...units.map((one) => shareOf(asked, together(asked, one.map(meantBy)))))
    return [share(flat), Math.max(0, ...units.map(share)), share([heading]), meant, unit, near]
  })
  const most = own[0]?.map((_, sign) => Math.max(...own.map((signs) => signs[sign] as number))) ?? []
  return own.map((signs) => {
    const [whole = 0, unit = 0, head = 0, meant = 0, , near = 0] = signs
    return [
      whole,
      unit,
      head,
      known,
      asked.concepts.size === 0 ? 0 : 1,
      ...signs.map((value, sign) => value - (most[sign] as number)).slice(0, 5),
      Math.log(1 + asked.rarity * meant),
      Math.log(1 + asked.rarity * (1 - meant)),
      Math.log(1 + asked.rarity * (1 - near)),
    ]
  })
}

/** Where the search puts the passage, and what it makes of the question. */
function ofSearch(
  scores: readonly number[],
  at: number,
  { full, whole, chunks, words, pieces, meant, above }: Searched,
): number[] {
  const score = scores[at] ?? 0
  const best = Math.max(1e-6, ...scores)
  const next = Math.max(0, ...scores.filter((_, other) => other !== at))
  const small = HALFWAY / (chunks + HALFWAY)
  const ofWhole = whole === 0 ? 0 : (score * full) / whole
  return [
    score / best,
    score,
    ofWhole,
    ofWhole ** 2,
    1 / (1 + at),
    (score - next) / best,
    above,
    words.covered,
    words.unknown,
    pieces.covered,
    pieces.unknown,
    meant,
    1 - small,
    // in few passages the best is much better than the next whatever is asked
    small * above,
    small * ofWhole,
    small * words.covered,
  ]
}

/** Whether the passage has the kinds of answer that are wanted, and whether the units near the question have them. */
function ofKinds({ wants, yesNo, open }: Asking, { blocks, units }: ReadPassage, says: readonly number[]): number[] {
  const sign = (kind: AnswerKind, has: boolean) => (wants.has(kind) ? (has ? 1 : -1) : 0)
  const text = blocks.join('\n')
  const words = tokenize(text).map(fold)
  const best = Math.max(0, ...says)
  const near = units.filter((_, at) => (says[at] ?? 0) >= best * CLOSE)
  const has = (kind: AnswerKind) => near.some((unit: Unit) => hasKind(kind, unit.text, tokenize(unit.text).map(fold)))
  const wanted = [...wants]
  return [
    ...answerKinds.map((kind) => sign(kind, wants.has(kind) && hasKind(kind, text, words))),
    wanted.length === 0 ? 0 : (2 * wanted.filter(has).length) / wanted.length - 1,
    yesNo ? 1 : 0,
    open ? 1 : 0,
  ]
}
