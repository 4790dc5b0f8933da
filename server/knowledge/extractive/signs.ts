import type { Passage } from '../knowledge'
import { featuresOf, foldAll, PAIRS, PIECES, WORDS } from '../retrieval/features'
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

type Features = [words: Set<number>, pairs: Set<number>, pieces: Set<number>]

/** Question words that ask for a number or a time, and for a person or a place, in languages that say so by a word. */
const AMOUNT =
  /\b(how (many|much|long|old|far|often|high|tall|large|big)|when|what (year|date|time|percentage|number)|which year|wie ?viele?|wann|wie (lange|oft|hoch|alt|weit)|cu[aá]nt[oa]s?|cu[aá]ndo|combien|quand|quant[oiae]|quando|hoeveel|wanneer|ile|kiedy|kolik|kdy|kaç|ne zaman|berapa|kapan)\b|сколько|когда|скільки|коли|كم|متى|几|幾|多少|什么时候|何时|哪一年|いくつ|いくら|何[時年月日人個]|いつ|몇|얼마|언제|กี่|เท่าไร|เท่าไหร่|เมื่อใด|เมื่อไหร่|कितन|कब/iu
const NAME =
  /\b(who|whom|whose|where|which|wer|wem|wen|wo|welche[rsnm]?|qui[eé]n(es)?|d[oó]nde|qui|où|quel(le)?s?|chi|dove|quem|onde|wie|waar|kto|gdzie|kdo|kde|kim|nerede)\b|кто|где|кого|какой|хто|من|أين|谁|誰|哪|どこ|だれ|누구|어디|ใคร|ที่ไหน|कौन|कहाँ/iu
const DIGITS = /\p{N}/u
const CAPITAL = /(?<=[\p{L}\p{N},;:'"“”’()-]\s+)\p{Lu}\p{L}+/gu

/** Every sentence of the passages with what speaks for it. */
export function candidatesOf(passages: readonly Passage[], question: string): Candidate[] {
  const asked = setsOf(question)
  const all = passages.map(({ text }) =>
    sentencesOf(text).map((sentence) => ({ sentence, has: setsOf(sentence.text) })),
  )
  const weights = rarityOf(
    asked,
    all.flat().map(({ has }) => has),
  )
  const amount = AMOUNT.test(question)
  const name = NAME.test(question)
  const best = passages[0]?.score || 1
  const known = new Set(wordsOf(question))
  return all.flatMap((sentences, passage) => {
    const shares = sentences.map(({ has }) => weights.map((weight) => share(weight, has)))
    return sentences.map(({ sentence, has }, at): Candidate => {
      const [words = 0, pairs = 0, pieces = 0] = shares[at] ?? []
      const near = (place: number) => shares[place]?.[WORDS] ?? 0
      const length = has[WORDS].size
      const names = (sentence.text.match(CAPITAL) ?? []).some((word) => !known.has(word.toLowerCase()))
      const signs = [
        words,
        pairs,
        pieces,
        near(at - 1),
        near(at + 1),
        (passages[passage]?.score ?? 0) / best,
        passage === 0 ? 1 : 0,
        1 / (at + 1),
        Math.min(Math.log(1 + length), 4) / 4,
        length < 4 ? 1 : 0,
        amount ? (DIGITS.test(sentence.text) ? 1 : -1) : 0,
        name ? (names ? 1 : -1) : 0,
      ]
      return { passage, sentence, signs }
    })
  })
}

function setsOf(text: string): Features {
  const features = featuresOf(foldAll(wordsOf(text)))
  return features.map((list) => new Set(list)) as Features
}

/** How much each feature of the question tells the sentences apart, by kind. */
function rarityOf(asked: Features, sentences: readonly Features[]): Map<number, number>[] {
  return [WORDS, PAIRS, PIECES].map((kind) => {
    const features = asked[kind] as Set<number>
    return new Map(
      [...features].map((feature) => {
        const count = sentences.filter((has) => has[kind]?.has(feature)).length
        return [feature, Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5))]
      }),
    )
  })
}

/** The share of a kind's weight that a sentence says; what no sentence says can't be said better by any. */
function share(weights: Map<number, number>, has: Features): number {
  let all = 0
  let said = 0
  for (const [feature, weight] of weights) {
    all += weight
    if (has.some((set) => set.has(feature))) said += weight
  }
  return all === 0 ? 0 : said / all
}
