import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { indexOf, lexicon } from '../../../../tests/bench/retrieval/sets'
import { calibrationOf, judge } from './calibration'
import { evidenceOf, thresholdOf } from './confidence'
import { askedOf } from './question'
import { unrelatedTo } from './unrelated'

/** A chatbot with six sentences of knowledge; questions about them, and about topics outside any list. */
interface SmallChatbot {
  texts: string[]
  own: string[]
  other: string[]
}
const chatbots: Record<string, SmallChatbot> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/smallChatbots.json'), 'utf8'),
)

test('a small chatbot answers in its language, and says that it does not know what it was not told', async () => {
  const zones = { own: [] as string[], other: [] as string[] }
  for (const [language, { texts, own, other }] of Object.entries(chatbots)) {
    const index = await indexOf(texts.map((body) => ({ heading: '', body, isFaq: false, language })))
    const evidence = (question: string) => evidenceOf(index.search(askedOf(question, lexicon), 8))
    const words = thresholdOf(unrelatedTo(language, texts).questions.map(evidence))
    const zoneOf = (question: string) =>
      `${language} ${judge({ words: evidence(question), cosine: null }, { ...calibrationOf(null), words }).zone}: ${question}`
    zones.own.push(...own.map(zoneOf))
    zones.other.push(...other.map(zoneOf))
  }
  const of = (list: string[], zone: string) => list.filter((each) => each.includes(` ${zone}: `))
  expect(of(zones.own, 'unknown').length / zones.own.length, of(zones.own, 'unknown').join('\n')).toBeLessThan(0.1)
  expect(of(zones.other, 'confident')).toEqual([])
  expect(of(zones.other, 'unsure').length / zones.other.length).toBeLessThan(0.15)
})
