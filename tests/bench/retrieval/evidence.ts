import { rewriteByRule } from '../../../server/modules/agents/answering/rewriteQuestion'
import { weighPassages } from '../../../server/modules/knowledge/evidence/signs'
import type { Passage } from '../../../server/modules/knowledge/knowledge'
import { loadWordVectors } from '../../../server/modules/knowledge/meaning/loadWordVectors'
import { evidenceOf, thresholdOf } from '../../../server/modules/knowledge/retrieval/confidence'
import { languageOf } from '../../../server/modules/knowledge/retrieval/language'
import type { LexicalIndex } from '../../../server/modules/knowledge/retrieval/lexicalIndex'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import { mendSpelling, vocabularyOf } from '../../../server/modules/knowledge/retrieval/spelling'
import { unrelatedTo } from '../../../server/modules/knowledge/retrieval/unrelated'
import { sharedPath } from '../../support/shared'
import { indexSite, type Known, TUNED } from '../sites/indexSite'
import { readSites } from '../sites/readSites'
import { indexOf, isHeldOut, lexicon, setOf, squadArticles, stackFaq, XQUAD, xquadArticles } from './sets'

/** A question over a chatbot's passages. */
interface Case {
  /** of each passage found */
  signs: number[][]
  right: boolean[]
  weight: number
}

const vectors = await loadWordVectors()
/** Passages that are weighed, as many as `find` weighs. */
const DEPTH = 12
/** What a question of a public set counts, beside one of a site. */
const PUBLIC = 0.1
/** The same for one of a small chatbot. */
const SMALL = 0.5
const SIZES = [1, 4, 8] as const

/** A chatbot that weighs its passages for questions. */
function asker(index: LexicalIndex, texts: readonly Known[], language: string) {
  const { questions, madeUp } = unrelatedTo(
    language,
    texts.map(({ body }) => body),
  )
  const bank = madeUp ? [] : questions
  const { unsure } = thresholdOf(bank.map((question) => evidenceOf(index.search(askedOf(question, lexicon), 8))))
  /** @param without passages that are taken out, so that nothing answers */
  return (typed: string, right: (id: number) => boolean, weight: number, without = false): Case => {
    const question = mendSpelling(typed, vocabularyOf(index, lexicon, vectors))
    const found = index.search(askedOf(question, lexicon), 2 * DEPTH)
    const hits = found.hits.filter(({ id }) => !without || !right(id)).slice(0, DEPTH)
    const passages = hits.map(({ id, score }): Passage => {
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
    return { signs: weighed.map(({ signs }) => signs), right: hits.map(({ id }) => !without && right(id)), weight }
  }
}

/**
 * What the evidence is learnt from. Each question that is answered is asked once more without the passages that
 * answer it: a near
 * miss, as there are many.
 */
export async function evidenceCases(): Promise<Case[]> {
  return [...(await ofSites()), ...(await ofSmallSites()), ...(await ofArticles()), ...(await ofFaq())]
}

async function ofSites(): Promise<Case[]> {
  const folder = sharedPath('data/sites')
  const read = await readSites(folder)
  const { contains } = (await import(`${folder}/match.mjs`)) as { contains: (text: string, key: string) => boolean }
  const cases: Case[] = []
  for (const site of read?.sites.filter(({ name }) => TUNED.includes(name)) ?? []) {
    const { index, texts, language } = await indexSite(site)
    const ask = asker(index, texts, language)
    for (const { q, kind, answer, page, after } of site.questions) {
      if (kind === 'smalltalk' || kind === 'injection') continue
      const before = after === undefined ? [] : [{ by: 'visitor' as const, text: after }]
      const joined = rewriteByRule(q, before, await languageOf([after ?? '', q].join('\n')))
      // a short key such as a price stands in other places too
      const answers = (id: number) =>
        (answer ?? []).some(
          (key) => contains(texts[id]?.body ?? '', key) && (texts[id]?.page === page || key.length > 8),
        )
      const question = joined?.question ?? q
      cases.push(ask(question, answers, 1))
      if (answer) cases.push(ask(question, answers, 1, true))
    }
  }
  return cases
}

/** Chatbots of one page or three entries, asked about these, about another site, and about nothing that any has. */
async function ofSmallSites(): Promise<Case[]> {
  const folder = sharedPath('data/sites')
  const sites = (await readSites(folder))?.sites.filter(({ name }) => TUNED.includes(name)) ?? []
  const { contains } = (await import(`${folder}/match.mjs`)) as { contains: (text: string, key: string) => boolean }
  const cases: Case[] = []
  for (const [number, site] of sites.entries()) {
    const small = [
      ...site.pages.map((page) => ({ ...site, pages: [page], faq: [] })),
      ...site.faq.flatMap((_, at) => (at % 3 === 0 ? { ...site, pages: [], faq: site.faq.slice(at, at + 3) } : [])),
      ...site.faq.slice(0, 4).map((entry) => ({ ...site, pages: [], faq: [entry] })),
    ]
    for (const [at, one] of small.entries()) {
      const { index, texts, language } = await indexSite(one)
      const ask = asker(index, texts, language)
      for (const { q, answer, page, after } of site.questions) {
        if (after || !texts.some((text) => text.page === page)) continue
        const answers = (id: number) => (answer ?? []).some((key) => contains(texts[id]?.body ?? '', key))
        cases.push(ask(q, answers, SMALL))
      }
      const others = sites[(number + 1 + (at % (sites.length - 1))) % sites.length]?.questions ?? []
      const bodies = texts.map(({ body }) => body)
      for (const { q } of some(others.slice(at), 8)) cases.push(ask(q, () => false, SMALL))
      for (const question of some(unrelatedTo(language, bodies).questions.slice(at), 8))
        cases.push(ask(question, () => false, SMALL))
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
      const ask = asker(await indexOf(texts), known, language)
      for (const { question, text } of some(questions, 30))
        for (const without of [false, true]) cases.push(ask(question, (id) => id === text, PUBLIC, without))
      for (const { question } of some(setOf(others, others, language).questions, 25))
        cases.push(ask(question, () => false, PUBLIC))
      const impossible = own.flatMap(({ paragraphs }) =>
        paragraphs.flatMap(({ qas }) => qas.filter(({ is_impossible }) => is_impossible)),
      )
      for (const { question } of some(impossible, 40)) cases.push(ask(question, () => false, PUBLIC))
    }
  }
  return cases
}

async function ofFaq(): Promise<Case[]> {
  const { texts, questions } = stackFaq(0)
  const known = texts.map((text, at) => ({ ...text, page: String(at) }))
  const ask = asker(await indexOf(texts), known, 'en')
  return questions
    .filter(({ text }, at) => text % 2 === 0 && at % 2 === 0)
    .flatMap(({ question, text }) =>
      [false, true].map((without) => ask(question, (id) => id === text, PUBLIC, without)),
    )
}

/** At most so many of a list, evenly. */
const some = <Value>(list: readonly Value[], most: number): Value[] =>
  list.filter((_, at) => at % Math.ceil(list.length / most) === 0)
