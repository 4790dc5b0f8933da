import type { Passage } from '../knowledge'
import { featuresOf, foldAll, PIECES, WORDS } from '../retrieval/features'
import { wordsOf } from '../retrieval/words'
import { type Sentence, sentencesOf } from './sentences'

/** A sentence that may be an answer. */
export interface Candidate {
  /** the passage's place in what was found */
  passage: number
  sentence: Sentence
  /** what speaks for it, as the weights have it */
  signs: number[]
}

interface Sets {
  words: Set<number>
  pieces: Set<number>
}
interface Said extends Sets {
  /** in words */
  length: number
  /** the share of its pieces that were asked */
  ofAsked: number
}

/** Passages whose sentences are weighed: more of them gain nothing. */
const READ = 4

/** Question words that ask for a number or a time, and for a person or a place, in languages that say so by a word. */
const AMOUNT =
  /\b(how (many|much|long|old|far|often|high|tall|large|big)|when|what (year|date|time|percentage|number)|which year|wie ?viele?|wann|wie (lange|oft|hoch|alt|weit)|cu[aá]nt[oa]s?|cu[aá]ndo|combien|quand|quant[oiae]|quando|hoeveel|wanneer|ile|kiedy|kolik|kdy|kaç|ne zaman|berapa|kapan)\b|сколько|когда|скільки|коли|كم|متى|几|幾|多少|什么时候|何时|哪一年|いくつ|いくら|何[時年月日人個]|いつ|몇|얼마|언제|กี่|เท่าไร|เท่าไหร่|เมื่อใด|เมื่อไหร่|कितन|कब/iu
const NAME =
  /\b(who|whom|whose|where|which|wer|wem|wen|wo|welche[rsnm]?|qui[eé]n(es)?|d[oó]nde|qui|où|quel(le)?s?|chi|dove|quem|onde|wie|waar|kto|gdzie|kdo|kde|kim|nerede)\b|кто|где|кого|какой|хто|من|أين|谁|誰|哪|どこ|だれ|누구|어디|ใคร|ที่ไหน|कौन|कहाँ/iu
/** Words that ask: a sentence that has them says nothing more for it. */
const ASKING =
  /(?<![\p{L}\p{M}])(who|whom|whose|what|which|where|when|why|how|was|wer|wen|wem|wo|wann|warum|wie|welche[rsnm]?|qu[eé]|qui[eé]n(es)?|cu[aá]l(es)?|d[oó]nde|cu[aá]ndo|c[oó]mo|qui|quoi|quel(le)?s?|où|quand|comment|pourquoi|chi|che|quale|dove|quando|come|perch[eé]|quem|onde|qual|kto|co|gdzie|kiedy|jak|кто|что|где|когда|как|какой|какая|какие|какое|почему|сколько|من|ما|ماذا|أين|متى|كيف|كم|لماذا|هل)(?![\p{L}\p{M}])/giu
const DIGITS = /\p{N}/u
const CAPITAL = /(?<=[\p{L}\p{N},;:'"“”’()-]\s+)\p{Lu}\p{L}+/gu

/** Every sentence of the first passages with what speaks for it. */
export function candidatesOf(passages: readonly Passage[], question: string): Candidate[] {
  const asked = setsOf(question.replace(ASKING, ' '))
  const read = passages
    .slice(0, READ)
    .map(({ text }) => sentencesOf(text).map((sentence) => ({ sentence, has: saidOf(sentence.text, asked) })))
  const all = read.flat().map(({ has }) => has)
  const words = rarityOf(
    asked.words,
    all.map(({ words }) => words),
  )
  const pieces = rarityOf(
    asked.pieces,
    all.map(({ pieces }) => pieces),
  )
  const most = Math.max(0, ...all.map((has) => share(pieces, [has.pieces])))
  const amount = AMOUNT.test(question)
  const name = NAME.test(question)
  const known = new Set(wordsOf(question))
  const best = passages[0]?.score || 1
  return read.flatMap((sentences, passage) => {
    const shares = sentences.map(({ has }) => share(pieces, [has.pieces]))
    const whole = share(
      pieces,
      sentences.map(({ has }) => has.pieces),
    )
    return sentences.map(({ sentence, has }, at): Candidate => {
      const said = shares[at] ?? 0
      const signs = [
        share(words, [has.words]),
        said,
        said === most && most > 0 ? 1 : 0,
        has.ofAsked,
        shares[at - 1] ?? 0,
        shares[at + 1] ?? 0,
        whole,
        (passages[passage]?.score ?? 0) / best,
        passage === 0 ? 1 : 0,
        at === 0 ? 1 : 0,
        Math.min(Math.log(1 + has.length), 4) / 4,
        has.length < 4 ? 1 : 0,
        amount ? (DIGITS.test(sentence.text) ? 1 : -1) : 0,
        name ? (names(sentence.text, known) ? 1 : -1) : 0,
      ]
      return { passage, sentence, signs }
    })
  })
}

/** Whether somebody or something is named that the question did not. */
const names = (text: string, known: ReadonlySet<string>): boolean =>
  (text.match(CAPITAL) ?? []).some((word) => !known.has(word.toLowerCase()))

/** Of a sentence what the question asked, and how much else it says. */
function saidOf(text: string, asked: Sets): Said {
  const [words, , pieces] = featuresOf(foldAll(wordsOf(text)))
  const said = pieces.filter((piece) => asked.pieces.has(piece))
  return {
    words: new Set(words.filter((word) => asked.words.has(word))),
    pieces: new Set(said),
    length: words.length,
    ofAsked: said.length / Math.max(1, pieces.length),
  }
}

function setsOf(text: string): Sets {
  const features = featuresOf(foldAll(wordsOf(text)))
  return { words: new Set(features[WORDS]), pieces: new Set(features[PIECES]) }
}

/** How much each feature of the question tells the sentences apart. What none of them says can't be said better by any. */
function rarityOf(asked: ReadonlySet<number>, sentences: readonly ReadonlySet<number>[]): Map<number, number> {
  const weights = new Map<number, number>()
  for (const feature of asked) {
    const count = sentences.filter((has) => has.has(feature)).length
    if (count > 0) weights.set(feature, Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5)))
  }
  return weights
}

/** The share of the weight that sentences say together. */
function share(weights: ReadonlyMap<number, number>, sentences: readonly ReadonlySet<number>[]): number {
  let all = 0
  let said = 0
  for (const [feature, weight] of weights) {
    all += weight
    if (sentences.some((has) => has.has(feature))) said += weight
  }
  return all === 0 ? 0 : said / all
}
