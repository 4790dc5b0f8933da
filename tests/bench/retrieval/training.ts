import { candidatesOf } from '../../../server/modules/knowledge/extractive/signs'
import { reachOf, signsOf } from '../../../server/modules/knowledge/retrieval/confidence'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import { unrelatedTo } from '../../../server/modules/knowledge/retrieval/unrelated'
import { learnEvidence } from './learnEvidence'
import { dot, logistic } from './logistic'
import { indexOf, isHeldOut, lexicon, passagesFor, setOf, squadArticles, XQUAD, xquadArticles } from './sets'

const STEPS = 600
const RATE = 0.1
const RIDGE = 1e-5

/** Prints the weights of the regressions, learnt from the articles that are not held out. @param only one of them */
export async function train(only?: string): Promise<void> {
  const { weights: passages, helps } = await learnEvidence()
  print('evidence/weights.ts, WEIGHTS', passages)
  print('evidence/weights.ts, HELPS', helps)
  if (only === 'evidence') return
  print('extractive/weights.ts', await sentenceWeights())
  const known = await chatbots()
  const weights = confidenceWeights(known)
  print('retrieval/confidence.ts', weights)
  console.info('what calibrates reaches', usualReach(known, weights))
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
  for (const language of XQUAD) {
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

/** A chatbot that is asked about its own articles, and about others. */
interface Chatbot {
  own: number[][]
  others: number[][]
  /** what its language's unrelated questions show */
  unrelated: number[][]
}

/** Chatbots from a single paragraph to twelve articles, none of which is held out. */
async function chatbots(): Promise<Chatbot[]> {
  const english = xquadArticles('en')
  const sets = [
    {
      articles: squadArticles().filter(({ title }) => !isHeldOut(title)),
      language: 'en',
      sizes: [1],
      steps: {} as Readonly<Record<number, number>>,
    },
    ...XQUAD.map((language) => ({
      articles: xquadArticles(language).filter((_, at) => !isHeldOut(english[at]?.title ?? '')),
      language,
      sizes: [0, 1, 4, 12],
      // of those that are small there would be many
      steps: { 0: 6, 1: 3 } as Readonly<Record<number, number>>,
    })),
  ]
  const made: Chatbot[] = []
  for (const { articles, language, sizes, steps } of sets)
    for (const size of sizes)
      for (let from = 0; from + size <= articles.length; from += steps[size] ?? size) {
        const known = articles.slice(from, from + Math.max(size, 1))
        const own = size > 0 ? known : known.map((one) => ({ ...one, paragraphs: one.paragraphs.slice(0, 1) }))
        const { texts, questions } = setOf(own, own, language)
        const index = await indexOf(texts)
        const signs = (question: string) => [1, ...signsOf(index.search(askedOf(question, lexicon), 8))]
        const others = articles.filter((one) => !known.includes(one))
        const unrelated = unrelatedTo(
          language,
          texts.map(({ body }) => body),
        )
        made.push({
          own: questions.map(({ question }) => signs(question)),
          others: setOf(others, others, language).questions.map(({ question }) => signs(question)),
          unrelated: unrelated.questions.map(signs),
        })
      }
  return made
}

/**
 * Each chatbot counts the same, and of its questions those about its own articles as much as the others. The first
 * weight belongs to no sign.
 */
const confidenceWeights = (known: readonly Chatbot[]): number[] =>
  logistic(
    known.flatMap(({ own, others }) => [
      ...own.map((signs) => ({ signs, right: 1, share: 0.5 / own.length / known.length })),
      ...others.map((signs) => ({ signs, right: 0, share: 0.5 / others.length / known.length })),
    ]),
    RIDGE,
  )

/** What the questions that calibrate reach with chatbots, on average. */
const usualReach = (known: readonly Chatbot[], weights: readonly number[]): number =>
  known.reduce((sum, { unrelated }) => sum + (reachOf(unrelated.map((signs) => dot(signs, weights))) ?? 0), 0) /
  known.length

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
