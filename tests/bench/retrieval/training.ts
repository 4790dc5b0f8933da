import { candidatesOf } from '../../../server/knowledge/extractive/signs'
import { signsOf } from '../../../server/knowledge/retrieval/confidence'
import { askedOf } from '../../../server/knowledge/retrieval/question'
import { indexOf, isHeldOut, passagesFor, setOf, squadArticles, XQUAD, xquadArticles } from './sets'

const STEPS = 250
const RATE = 0.08
const RIDGE = 1e-4

/** Prints the weights of both regressions, learnt from the articles that are not held out. */
export async function train(): Promise<void> {
  print('extractive/weights.ts', await sentenceWeights())
  print('retrieval/confidence.ts', await confidenceWeights())
}

const print = (file: string, weights: readonly number[]) =>
  console.info(`${file}: [${weights.map((weight) => Number(weight.toFixed(2))).join(', ')}]`)

/** Of a question's sentences one that holds the answer is to be the likeliest: their chances are 1 together. */
async function sentenceWeights(): Promise<number[]> {
  const squad = squadArticles()
  const english = xquadArticles('en')
  const learnt = english.map(({ title }) => !isHeldOut(title))
  const sets = [
    setOf(
      [...squad, ...english],
      squad.filter(({ title }) => !isHeldOut(title)),
      'en',
    ),
  ]
  for (const language of ['en', 'de', 'ar']) {
    const articles = xquadArticles(language)
    sets.push(
      setOf(
        articles,
        articles.filter((_, at) => learnt[at]),
        language,
      ),
    )
  }
  const groups: { signs: number[][]; right: boolean[] }[] = []
  for (const { texts, questions } of sets) {
    const index = await indexOf(texts)
    for (const { question, answers } of questions) {
      const candidates = candidatesOf(passagesFor(index, texts, question), question)
      const right = candidates.map(({ sentence }) => answers.some((answer) => sentence.text.includes(answer)))
      if (right.includes(true)) groups.push({ signs: candidates.map(({ signs }) => signs), right })
    }
  }
  const size = groups[0]?.signs[0]?.length ?? 0
  return descend(size, (weights, gradient) => {
    for (const { signs, right } of groups) {
      const odds = signs.map((list) => Math.exp(dot(list, weights)))
      const all = odds.reduce((sum, value) => sum + value, 0)
      const good = odds.reduce((sum, value, at) => sum + (right[at] ? value : 0), 0)
      for (const [at, list] of signs.entries()) {
        const odd = odds[at] as number
        const error = (odd / all - (right[at] ? odd / good : 0)) / groups.length
        for (let sign = 0; sign < size; sign++)
          gradient[sign] = (gradient[sign] as number) + error * (list[sign] as number)
      }
    }
  })
}

/** Chatbots of few articles are asked about these, and about others; both count the same. The first weight belongs to no sign. */
async function confidenceWeights(): Promise<number[]> {
  const rows: { signs: number[]; right: boolean }[] = []
  const english = xquadArticles('en')
  const cases = [
    { articles: squadArticles().filter(({ title }) => !isHeldOut(title)), language: 'en', sizes: [1, 4] },
    ...XQUAD.map((language) => ({
      articles: xquadArticles(language).filter((_, at) => !isHeldOut(english[at]?.title ?? '')),
      language,
      sizes: [4, 12],
    })),
  ]
  for (const { articles, language, sizes } of cases)
    for (const size of sizes)
      for (let from = 0; from + size <= articles.length; from += language === 'en' ? size : articles.length) {
        const own = articles.slice(from, from + size)
        const index = await indexOf(setOf(own, own, language).texts)
        for (const [asking, right] of [
          [own, true],
          [articles.filter((one) => !own.includes(one)), false],
        ] as const)
          for (const { question } of setOf(asking, asking, language).questions)
            rows.push({ signs: [1, ...signsOf(index.search(askedOf(question), 8))], right })
      }
  const good = rows.filter(({ right }) => right).length
  const size = rows[0]?.signs.length ?? 0
  return descend(size, (weights, gradient) => {
    for (const { signs, right } of rows) {
      const chance = 1 / (1 + Math.exp(-dot(signs, weights)))
      const error = (chance - (right ? 1 : 0)) / (2 * (right ? good : rows.length - good))
      for (let sign = 0; sign < size; sign++)
        gradient[sign] = (gradient[sign] as number) + error * (signs[sign] as number)
    }
  })
}

const dot = (signs: readonly number[], weights: readonly number[]): number =>
  signs.reduce((sum, sign, at) => sum + sign * (weights[at] as number), 0)

/** Gradient descent with steps of the size that each weight needs (Adam). */
function descend(size: number, add: (weights: number[], gradient: number[]) => void): number[] {
  const weights = Array<number>(size).fill(0)
  const mean = Array<number>(size).fill(0)
  const square = Array<number>(size).fill(0)
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight)
    add(weights, gradient)
    for (let at = 0; at < size; at++) {
      const slope = gradient[at] as number
      mean[at] = 0.9 * (mean[at] as number) + 0.1 * slope
      square[at] = 0.999 * (square[at] as number) + 0.001 * slope ** 2
      const spread = Math.sqrt((square[at] as number) / (1 - 0.999 ** step)) + 1e-8
      weights[at] = (weights[at] as number) - (RATE * (mean[at] as number)) / (1 - 0.9 ** step) / spread
    }
  }
  return weights
}
