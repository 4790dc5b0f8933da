import { rank } from '../../../server/modules/knowledge/extractive/extract'
import { evidenceOf, thresholdOf } from '../../../server/modules/knowledge/retrieval/confidence'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import { unrelatedTo } from '../../../server/modules/knowledge/retrieval/unrelated'
import {
  indexOf,
  isHeldOut,
  lexicon,
  passagesFor,
  type QuestionSet,
  seeded,
  setOf,
  squadArticles,
  withTypos,
  XQUAD,
  xquadArticles,
} from './sets'

export const percent = (share: number): string => (100 * share).toFixed(1)
const shareOf = <Value>(list: readonly Value[], holds: (value: Value) => boolean): number =>
  list.filter(holds).length / Math.max(1, list.length)

/** Finds texts for a question: their places, the best first. */
export type Search = (question: string) => Promise<number[]> | number[]

/** How often the text that answers is the first, and among the first five. */
export async function recall(search: Search, { questions }: QuestionSet): Promise<{ first: number; five: number }> {
  let first = 0
  let five = 0
  for (const { question, text } of questions) {
    const found = await search(question)
    if (found[0] === text) first++
    if (found.slice(0, 5).includes(text)) five++
  }
  return { first: first / questions.length, five: five / questions.length }
}

/** The same questions, typed in haste. */
export function mistyped(set: QuestionSet): QuestionSet {
  const random = seeded(11)
  return { ...set, questions: set.questions.map((one) => ({ ...one, question: withTypos(one.question, random) })) }
}

export async function ours({ texts }: QuestionSet): Promise<Search> {
  const index = await indexOf(texts)
  return (question) => index.search(askedOf(question, lexicon), 5).hits.map(({ id }) => id)
}

/** How often an answer stands in the likeliest one, two and three sentences, for articles that nothing was learnt from. */
export async function sentences({ texts, questions }: QuestionSet) {
  const index = await indexOf(texts)
  const asked = questions.filter(({ article }) => isHeldOut(article))
  const inside = [0, 0, 0]
  let took = 0
  for (const { question, answers } of asked) {
    const passages = passagesFor(index, texts, question)
    const from = process.cpuUsage()
    const ranked = rank(passages, question)
    took += process.cpuUsage(from).user / 1_000
    const at = ranked.findIndex(({ sentence }) => answers.some((answer) => sentence.text.includes(answer)))
    for (let place = Math.max(at, 0); at >= 0 && place < 3; place++) inside[place] = (inside[place] as number) + 1
  }
  return {
    inside: inside.map((count) => percent(count / asked.length)).join(' / '),
    ms: took / asked.length,
    count: asked.length,
  }
}

/** What a chatbot of some articles makes of questions about these, and about others. */
export interface Told {
  name: string
  auroc: number
  /** shares of the questions about other things that are answered, and that get "these may help" */
  wrong: number
  wrongMaybe: number
  /** likewise of those about its own */
  right: number
  rightMaybe: number
}

/** "I don't know" of chatbots that know articles from which nothing was learnt. @param known whether there are questions in the language to calibrate with */
export async function tellApart(known = true): Promise<Told[]> {
  const english = xquadArticles('en')
  const held = squadArticles().filter(({ title }) => isHeldOut(title))
  const cases = [
    ...[1, 4].flatMap((size) =>
      held.map((_, at) => ({ name: `en, ${size} of SQuAD`, all: held, from: at, size, language: 'en' })),
    ),
    ...XQUAD.map((language) => {
      const all = xquadArticles(language).filter((_, at) => isHeldOut(english[at]?.title ?? ''))
      return { name: `${language}, 12 of XQuAD`, all, from: 0, size: 12, language }
    }),
  ].filter(({ all, from, size }) => from % size === 0 && from + size <= all.length)
  const told: Told[] = []
  for (const { name, all, from, size, language } of cases) {
    const own = all.slice(from, from + size)
    const { texts } = setOf(own, own, language)
    const index = await indexOf(texts)
    const evidence = (question: string) => evidenceOf(index.search(askedOf(question, lexicon), 8))
    const bodies = texts.map(({ body }) => body)
    const { questions } = unrelatedTo(language, bodies)
    const { unsure, sure } = thresholdOf(known ? questions.map(evidence) : [])
    const asked = (articles: typeof all) =>
      setOf(articles, articles, language).questions.map((one) => evidence(one.question))
    const fits = asked(own)
    const strangers = asked(all.filter((one) => !own.includes(one)))
    told.push({
      name,
      auroc: auroc(fits, strangers),
      wrong: shareOf(strangers, (value) => value >= sure),
      wrongMaybe: shareOf(strangers, (value) => value >= unsure && value < sure),
      right: shareOf(fits, (value) => value >= sure),
      rightMaybe: shareOf(fits, (value) => value >= unsure && value < sure),
    })
  }
  return told
}

/** The share of pairs in which what fits has the greater evidence. */
function auroc(fits: readonly number[], strangers: readonly number[]): number {
  const sorted = [
    ...fits.map((value) => ({ value, fits: true })),
    ...strangers.map((value) => ({ value, fits: false })),
  ]
  sorted.sort((a, b) => a.value - b.value)
  const ranks = sorted.reduce((sum, one, at) => (one.fits ? sum + at + 1 : sum), 0)
  return (ranks - (fits.length * (fits.length + 1)) / 2) / (fits.length * strangers.length)
}
