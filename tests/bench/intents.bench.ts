import { bench } from 'vitest'
import { createClassifier, MIN_CONFIDENCE } from '../../engine/intents/createClassifier'
import { vectorOf } from '../../engine/intents/features'
import { type IntentModel, scoresOf, softmax, trainIntents } from '../../engine/intents/trainIntents'
import { hasShared, readShared } from '../support/shared'

/**
 * How well intents are recognised, on CLINC150 (150 intents, 4,500 test phrases, 1,000 that fit none): all intents at 10 and 50
 * phrases, and bots of 12 intents at 10. Phrases are drawn evenly from the 100 that the set has for each intent, since those that
 * stand together were written by one person.
 */
type Labelled = [text: string, intent: string]
const FILE = 'data/clinc150/data_full.json'
const data: { train: Labelled[]; test: Labelled[]; oos_test: Labelled[] } = hasShared(FILE)
  ? JSON.parse(readShared(FILE))
  : { train: [], test: [], oos_test: [] }

const phrasesOf = new Map<string, string[]>()
for (const [text, intent] of data.train) phrasesOf.set(intent, [...(phrasesOf.get(intent) ?? []), text])
const intents = [...phrasesOf.keys()]

const examples = (names: string[], count: number, shift = 0) =>
  names.map((blockId) => {
    const all = phrasesOf.get(blockId) ?? []
    const every = Math.floor(all.length / count)
    return { blockId, phrases: all.filter((_, at) => at % every === shift % every).slice(0, count) }
  })

/** The best intent and its chance, rejection aside. */
function best(model: IntentModel, indexes: Map<string, number>, text: string) {
  const chances = scoresOf(
    model,
    vectorOf(text, (key) => indexes.get(key), model.rarity, model.unseen),
  )
  softmax(chances)
  const last = chances.length - 1
  let at = 0
  for (let other = 1; other < last; other++) if ((chances[other] ?? 0) > (chances[at] ?? 0)) at = other
  return { intent: model.classes[at] ?? null, chance: chances[at] ?? 0 }
}

/** The share of pairs in which the phrase that fits has the greater chance. */
function auroc(fits: number[], strangers: number[]): number {
  const sorted = [
    ...fits.map((chance) => ({ chance, fits: true })),
    ...strangers.map((chance) => ({ chance, fits: false })),
  ].sort((a, b) => a.chance - b.chance)
  const ranks = sorted.reduce((sum, { fits }, at) => (fits ? sum + at + 1 : sum), 0)
  return (ranks - (fits.length * (fits.length + 1)) / 2) / (fits.length * strangers.length)
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function wholeSet(count: number, shift: number) {
  const from = performance.now()
  const model = trainIntents(examples(intents, count, shift))
  const trained = performance.now()
  const indexes = new Map(model.vocabulary.map((key, index) => [key, index]))
  const answers = data.test.map(([text, intent]) => ({ intent, ...{ found: best(model, indexes, text) } }))
  const took = (performance.now() - trained) / data.test.length
  const right = answers.filter(({ intent, found }) => found.intent === intent).length / answers.length
  const strangers = data.oos_test.map(([text]) => best(model, indexes, text).chance)
  const accepted = answers.filter(
    ({ intent, found }) => found.intent === intent && found.chance >= MIN_CONFIDENCE,
  ).length
  return {
    right,
    kept: accepted / answers.length,
    strangers: strangers.filter((chance) => chance >= MIN_CONFIDENCE).length / strangers.length,
    auroc: auroc(
      answers.map(({ found }) => found.chance),
      strangers,
    ),
    training: trained - from,
    took,
  }
}

function smallBots(bots: number) {
  const results = Array.from({ length: bots }, (_, bot) => {
    const names = intents.filter((_, at) => (at * 7 + bot * 13) % 150 < 12)
    const from = performance.now()
    const classify = createClassifier(trainIntents(examples(names, 10, bot)))
    const training = performance.now() - from
    const own = data.test.filter(([, intent]) => names.includes(intent))
    const answers = own.map(([text, intent]) => ({ intent, found: classify(text)[0]?.blockId }))
    const model = trainIntents(examples(names, 10, bot))
    const indexes = new Map(model.vocabulary.map((key, index) => [key, index]))
    return {
      best: own.filter(([text, intent]) => best(model, indexes, text).intent === intent).length / own.length,
      right: answers.filter(({ intent, found }) => found === intent).length / own.length,
      wrong: answers.filter(({ intent, found }) => found !== undefined && found !== intent).length / own.length,
      strangers: data.oos_test.filter(([text]) => classify(text).length > 0).length / data.oos_test.length,
      training,
    }
  })
  const of = (key: keyof (typeof results)[number]) => mean(results.map((result) => result[key]))
  console.info(
    `${bots} bots of 12 intents, 10 phrases: best intent right ${percent(of('best'))}; accepted and right ${percent(of('right'))}, accepted and wrong ${percent(of('wrong'))}, ` +
      `strangers accepted ${percent(of('strangers'))}; training ${of('training').toFixed(0)} ms`,
  )
}

bench.skipIf(!hasShared(FILE))(
  'intents of CLINC150',
  () => {
    for (const count of [10, 50]) {
      const runs = (count === 10 ? [0, 3, 7] : [0, 1]).map((shift) => wholeSet(count, shift))
      const of = (key: keyof (typeof runs)[number]) => mean(runs.map((run) => run[key]))
      console.info(
        `150 intents, ${count} phrases (mean of ${runs.length} draws): ${percent(of('right'))} right, AUROC for strangers ${of('auroc').toFixed(3)}; accepted and right ${percent(of('kept'))}, strangers accepted ${percent(of('strangers'))}; ` +
          `training ${(of('training') / 1_000).toFixed(1)} s, ${of('took').toFixed(2)} ms an inference`,
      )
    }
    smallBots(12)
  },
  { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 },
)
