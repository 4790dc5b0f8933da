import type { Passage } from '../../../server/modules/knowledge/knowledge'
import { loadLexicon } from '../../../server/modules/knowledge/lexicon/loadLexicon'
import { averagesOf } from '../../../server/modules/knowledge/retrieval/impacts'
import { buildIndex, type LexicalIndex } from '../../../server/modules/knowledge/retrieval/lexicalIndex'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import { tokensOf } from '../../../server/modules/knowledge/retrieval/tokens'
import { hasShared, readShared } from '../../support/shared'

/** Public sets of questions, read where they lie: nothing of them is in the project. */
export const hasSets = hasShared('data/squad')

interface Article {
  title: string
  paragraphs: { context: string; qas: { question: string; is_impossible?: boolean; answers: { text: string }[] }[] }[]
}
interface Faq {
  question: string
  answer: string | string[]
  rephr: (string | null)[]
}
export interface Text {
  heading: string
  body: string
  isFaq: boolean
  language: string
}
/** A question with the place of the text that answers it, and the words of the answer. */
export interface Question {
  question: string
  text: number
  answers: string[]
  article: string
}
export interface QuestionSet {
  texts: Text[]
  questions: Question[]
}

export const XQUAD = ['en', 'de', 'es', 'ar', 'ru', 'zh', 'th'] as const
const read = <Value>(file: string): Value => JSON.parse(readShared(`data/${file}`))
export const squadArticles = () => read<{ data: Article[] }>('squad/dev-v2.0-half-a.json').data
export const xquadArticles = (language: string) => read<{ data: Article[] }>(`xquad/xquad.${language}.json`).data

/** Questions of some articles over the texts of some, which have to hold them. */
export function setOf(texts: Article[], asking: Article[], language: string): QuestionSet {
  const contexts = [...new Set(texts.flatMap(({ paragraphs }) => paragraphs.map(({ context }) => context)))]
  const places = new Map(contexts.map((context, place) => [context, place]))
  return {
    texts: contexts.map((body) => ({ heading: '', body, isFaq: false, language })),
    questions: asking.flatMap(({ title, paragraphs }) =>
      paragraphs.flatMap(({ context, qas }) =>
        qas
          .filter(({ is_impossible }) => !is_impossible)
          .map(({ question, answers }) => ({
            question,
            text: places.get(context) as number,
            answers: [...new Set(answers.map(({ text }) => text))],
            article: title,
          })),
      ),
    ),
  }
}

/** SQuAD's questions over its own paragraphs and XQuAD's. */
export const squad = () => setOf([...squadArticles(), ...xquadArticles('en')], squadArticles(), 'en')
export const xquad = (language: string) => setOf(xquadArticles(language), xquadArticles(language), language)

/** Paraphrases of FAQ entries. @param given how many of an entry's are its phrasings; the others are asked */
export function stackFaq(given: number): QuestionSet {
  const entries = read<{ root: { qapair: Faq[] } }>('stackfaq/stackExchange-FAQ.json').root.qapair
  const phrasings = entries.map(({ rephr }) => rephr.filter((text): text is string => text !== null && text !== '*'))
  return {
    texts: entries.map(({ question, answer }, at) => ({
      heading: [question, ...(phrasings[at] ?? []).slice(0, given)].join('\n'),
      body: [answer].flat().join(' '),
      isFaq: true,
      language: 'en',
    })),
    questions: phrasings.flatMap((all, text) =>
      all.slice(given).map((question) => ({ question, text, answers: [], article: String(text) })),
    ),
  }
}

/** Which half an article is in: what is measured on one is trained on the other, in all languages alike. */
export const isHeldOut = (title: string): boolean =>
  [...title].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % 2 === 1

/** Texts are indexed with it, and questions asked. */
export const lexicon = await loadLexicon()

export function indexOf(texts: readonly Text[]): Promise<LexicalIndex> {
  const records = texts.map((text, id) => ({ id, tokens: tokensOf(text, lexicon) }))
  return buildIndex(records, averagesOf(records.map(({ tokens }) => tokens)))
}

/** What `find` gives, without a database. */
export function passagesFor(index: LexicalIndex, texts: readonly Text[], question: string, limit = 8): Passage[] {
  const { hits, full } = index.search(askedOf(question, lexicon), limit)
  return hits.map(({ id, score }) => ({
    id: String(id),
    source: { gid: '', kind: texts[id]?.isFaq ? 'faq' : 'text', title: '', url: null },
    heading: texts[id]?.heading ?? '',
    text: texts[id]?.body ?? '',
    score: Math.min(1, score / full),
  }))
}

/** Numbers that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One letter wrong in about every third word of four letters or more: left out, doubled with its neighbour's place, or another. */
export function withTypos(question: string, random: () => number): string {
  return question.replace(/\p{L}{4,}/gu, (word) => {
    if (random() > 0.35) return word
    const at = 1 + Math.floor(random() * (word.length - 2))
    const way = Math.floor(random() * 3)
    if (way === 0) return word.slice(0, at) + word.slice(at + 1)
    if (way === 1) return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
    return word.slice(0, at) + String.fromCharCode(97 + Math.floor(random() * 26)) + word.slice(at + 1)
  })
}
