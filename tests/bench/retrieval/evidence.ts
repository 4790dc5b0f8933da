import { join } from 'node:path'
import { rewriteByRule } from '../../../server/modules/agents/answering/rewriteQuestion'
import { weighPassages } from '../../../server/modules/knowledge/evidence/signs'
import { WEIGHED } from '../../../server/modules/knowledge/evidence/weigh'
import type { Passage } from '../../../server/modules/knowledge/knowledge'
import type { Lexicon } from '../../../server/modules/knowledge/lexicon/lexicon'
import { loadTaughtVectors } from '../../../server/modules/knowledge/meaning/loadWordVectors'
import { evidenceOf, thresholdOf } from '../../../server/modules/knowledge/retrieval/confidence'
import { languageOf } from '../../../server/modules/knowledge/retrieval/language'
import type { LexicalIndex } from '../../../server/modules/knowledge/retrieval/lexicalIndex'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import { mendSpelling, vocabularyOf } from '../../../server/modules/knowledge/retrieval/spelling'
import { unrelatedTo } from '../../../server/modules/knowledge/retrieval/unrelated'
import { sharedPath } from '../../support/shared'
import { indexSite, type Known } from '../sites/indexSite'
import { type Site, sitesIn } from '../sites/readSites'
import { indexOf, isHeldOut, setOf, squadArticles, stackFaq, lexicon as whole, XQUAD, xquadArticles } from './sets'

/** A question over a chatbot's passages. */
export interface Case {
  /** whose questions are learnt from, or held out, together */
  group: string
  /** a written site's own question, answered or a near miss */
  isWritten: boolean
  /** whether the chatbot has the answer, found or not */
  isAnswered: boolean
  /** of each passage found */
  signs: number[][]
  right: boolean[]
  weight: number
}

const vectors = await loadTaughtVectors()
/** What a question counts beside one of a written site: of a public set, about another article, one that is impossible there. */
const PUBLIC = 0.5
const STRANGE = 0.3
const IMPOSSIBLE = 0.2
/** The same for one of a small chatbot, and for one that is another organisation's or nobody's. */
const SMALL = 0.5
const OTHER = 0.5
/**
 * The lexicon without a third of its concepts, and without another one: each for half of the sites. Who wrote these
 * wrote words of it too, so that it knows them better than others.
 */
const [thinned, otherwise] = [0, 1].map(
  (left): Lexicon => ({ find: (words) => whole.find(words).filter(({ concept }) => concept % 3 !== left) }),
) as [Lexicon, Lexicon]
/** Of so many sites one is cut into small chatbots. */
const CUT = 4
const SIZES = [1, 4, 8] as const

const { contains } = (await import(join(sharedPath('data/sites'), 'match.mjs'))) as {
  contains: (text: string, key: string) => boolean
}

interface Asked {
  typed: string
  /** nobody answers it, unless this says so of a passage */
  right?: (id: number) => boolean
  weight: number
  isWritten?: boolean
}

/** A chatbot that weighs its passages for questions. */
function asker(group: string, index: LexicalIndex, texts: readonly Known[], language: string, lexicon = whole) {
  const { questions, madeUp } = unrelatedTo(
    language,
    texts.map(({ body }) => body),
  )
  const bank = madeUp ? [] : questions
  const { unsure } = thresholdOf(bank.map((question) => evidenceOf(index.search(askedOf(question, lexicon), 8))))
  return ({ typed, right = () => false, weight, isWritten = false }: Asked): Case => {
    const question = mendSpelling(typed, vocabularyOf(index, lexicon, vectors))
    const found = index.search(askedOf(question, lexicon), WEIGHED)
    const passages = found.hits.map(({ id, score }): Passage => {
      const { heading, body, isFaq, page } = texts[id] as Known
      const source = { gid: page, kind: isFaq ? ('faq' as const) : ('text' as const), title: '', url: null }
      return { id: String(id), source, heading, text: body, score: Math.min(1, score / found.full) }
    })
    const weighed = weighPassages(
      passages,
      question,
      { lexicon, vectors },
      { ...found, above: evidenceOf(found) - unsure },
    )
    const signs = weighed.map((one) => one.signs)
    const isAnswered = texts.some((_, id) => right(id))
    return { group, isWritten, isAnswered, signs, right: found.hits.map(({ id }) => right(id)), weight }
  }
}

/** What the evidence is learnt from: the written sites, and public sets beside them. */
export async function evidenceCases(): Promise<Case[]> {
  const sites = sitesIn(join(import.meta.dirname, '../sites/written'))
  return [...(await ofSites(sites)), ...(await ofSmallSites(sites)), ...(await ofArticles()), ...(await ofFaq())]
}

/** Another site, in the same language if there is one. */
function otherThan(site: Site, sites: readonly Site[]): Site {
  const language = site.name.slice(0, 2)
  const others = sites.filter((one) => one !== site)
  const same = others.filter(({ name }) => name.startsWith(language))
  const from = same.length > 0 ? same : others
  return from[sites.indexOf(site) % from.length] ?? site
}

/** Each site's own questions, some of another site's, and some that no organisation is asked. */
async function ofSites(sites: readonly Site[]): Promise<Case[]> {
  const cases: Case[] = []
  for (const [at, site] of sites.entries()) {
    const lexicon = at % 2 === 0 ? thinned : otherwise
    const { index, texts, language } = await indexSite(site)
    const ask = asker(site.name, index, texts, language, lexicon)
    for (const { q, answer, page, after } of site.questions) {
      const before = after === undefined ? [] : [{ by: 'visitor' as const, text: after }]
      const joined = rewriteByRule(q, before, await languageOf([after ?? '', q].join('\n')))
      // a short key such as a price stands in other places too
      const right = (id: number) =>
        (answer ?? []).some(
          (key) => contains(texts[id]?.body ?? '', key) && (texts[id]?.page === page || key.length > 8),
        )
      cases.push(ask({ typed: joined?.question ?? q, right, weight: 1, isWritten: true }))
    }
    const strange = otherThan(site, sites).questions.filter(({ after }) => after === undefined)
    for (const { q } of some(strange, 10)) cases.push(ask({ typed: q, weight: OTHER }))
    const bodies = texts.map(({ body }) => body)
    for (const typed of some(unrelatedTo(language, bodies).questions, 8)) cases.push(ask({ typed, weight: OTHER }))
  }
  return cases
}

/** Chatbots of one page, three entries or one, asked about these, about another site, and about nothing that any has. */
async function ofSmallSites(sites: readonly Site[]): Promise<Case[]> {
  const cases: Case[] = []
  for (const site of sites.filter((_, at) => at % CUT === 0)) {
    const small = [
      ...site.pages.map((page) => ({ ...site, pages: [page], faq: [] })),
      ...site.faq.flatMap((_, at) => (at % 3 === 0 ? { ...site, pages: [], faq: site.faq.slice(at, at + 3) } : [])),
      ...site.faq.slice(0, 3).map((entry) => ({ ...site, pages: [], faq: [entry] })),
    ]
    for (const [at, one] of small.entries()) {
      const { index, texts, language } = await indexSite(one)
      const ask = asker(site.name, index, texts, language)
      for (const { q, answer, page, after } of site.questions) {
        if (after || !texts.some((text) => text.page === page)) continue
        const right = (id: number) => (answer ?? []).some((key) => contains(texts[id]?.body ?? '', key))
        cases.push(ask({ typed: q, right, weight: SMALL }))
      }
      const bodies = texts.map(({ body }) => body)
      const strange = [
        ...some(otherThan(site, sites).questions.slice(at), 5).map(({ q }) => q),
        ...some(unrelatedTo(language, bodies).questions.slice(at), 5),
      ]
      for (const typed of strange) cases.push(ask({ typed, weight: SMALL }))
    }
  }
  return cases
}

/** Chatbots of some articles, asked about these and others; with SQuAD's questions that nothing answers. */
async function ofArticles(): Promise<Case[]> {
  const cases: Case[] = []
  const english = xquadArticles('en')
  for (const name of ['squad', ...XQUAD]) {
    const language = name === 'squad' ? 'en' : name
    const all = name === 'squad' ? squadArticles() : xquadArticles(name)
    const titles = name === 'squad' ? all : english
    const articles = all.filter((_, at) => !isHeldOut(titles[at]?.title ?? ''))
    let from = 0
    for (const size of SIZES) {
      const own = articles.slice(from, from + size)
      const others = [...articles.slice(0, from), ...articles.slice(from + size)]
      from += size
      const { texts, questions } = setOf(own, own, language)
      if (texts.length === 0) continue
      const known = texts.map((text, at) => ({ ...text, page: String(at) }))
      const ask = asker(name, await indexOf(texts), known, language)
      for (const { question: typed, text } of some(questions, 15))
        cases.push(ask({ typed, right: (id) => id === text, weight: PUBLIC }))
      for (const { question: typed } of some(setOf(others, others, language).questions, 12))
        cases.push(ask({ typed, weight: STRANGE }))
      const impossible = own.flatMap(({ paragraphs }) =>
        paragraphs.flatMap(({ qas }) => qas.filter(({ is_impossible }) => is_impossible)),
      )
      for (const { question: typed } of some(impossible, 20)) cases.push(ask({ typed, weight: IMPOSSIBLE }))
    }
  }
  return cases
}

async function ofFaq(): Promise<Case[]> {
  const { texts, questions } = stackFaq(0)
  const known = texts.map((text, at) => ({ ...text, page: String(at) }))
  const ask = asker('faq', await indexOf(texts), known, 'en')
  return questions
    .filter(({ text }, at) => text % 2 === 0 && at % 2 === 0)
    .map(({ question: typed, text }) => ask({ typed, right: (id) => id === text, weight: PUBLIC }))
}

/** At most so many of a list, evenly. */
const some = <Value>(list: readonly Value[], most: number): Value[] =>
  list.filter((_, at) => at % Math.ceil(list.length / most) === 0)
