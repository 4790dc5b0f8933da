import { bench } from 'vitest'
import { createClassifier, MIN_CONFIDENCE } from '../../engine/intents/createClassifier'
import { confidenceOf } from '../../engine/intents/judge'
import { type IntentExamples, trainIntents } from '../../engine/intents/trainIntents'
import { loadFindMeaning } from '../../server/modules/knowledge/meaning/findMeaning'
import { hasShared, readShared } from '../support/shared'
import { type Bot, botsOf, evenly, halves, type Judged, judged, learnWeights } from './intentBots'

/**
 * How well intents are recognised, on CLINC150 (150 intents, 4,500 test phrases, 1,000 that fit none): all intents
 * at 10 and 50
 * phrases, and bots of 12 intents at 10. Phrases are drawn evenly from the 100 that the set has for each intent,
 * since those that
 * stand together were written by one person.
 */
type Labelled = [text: string, intent: string]
const FILE = 'data/clinc150/data_full.json'
type Name = 'train' | 'val' | 'test' | 'oos_val' | 'oos_test'
const data: Record<Name, Labelled[]> = hasShared(FILE)
  ? JSON.parse(readShared(FILE))
  : { train: [], val: [], test: [], oos_val: [], oos_test: [] }
const find = await loadFindMeaning()

function byIntent(labelled: readonly Labelled[]): Map<string, string[]> {
  const phrases = new Map<string, string[]>()
  for (const [text, intent] of labelled) phrases.set(intent, [...(phrases.get(intent) ?? []), text])
  return phrases
}

const phrasesOf = byIntent(data.train)
const intents = [...phrasesOf.keys()]

const examples = (names: string[], count: number, shift = 0) =>
  names.map((blockId) => ({ blockId, phrases: evenly(phrasesOf.get(blockId) ?? [], count, shift) }))

/** The best intent and its confidence. */
function bestOf(intentsOfBot: IntentExamples[]) {
  const classify = createClassifier(trainIntents(intentsOfBot, find), find)
  return (text: string) => {
    const [first] = classify(text, 0)
    return { intent: first?.blockId ?? null, chance: first?.confidence ?? 0 }
  }
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
  const best = bestOf(examples(intents, count, shift))
  const trained = performance.now()
  const answers = data.test.map(([text, intent]) => ({ intent, found: best(text) }))
  const took = (performance.now() - trained) / data.test.length
  const right = answers.filter(({ intent, found }) => found.intent === intent).length / answers.length
  const strangers = data.oos_test.map(([text]) => best(text).chance)
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
    const best = bestOf(examples(names, 10, bot))
    const training = performance.now() - from
    const own = data.test.filter(([, intent]) => names.includes(intent))
    const answers = own.map(([text, intent]) => ({ intent, ...{ found: best(text) } }))
    const accepted = answers.filter(({ found }) => found.chance >= MIN_CONFIDENCE)
    return {
      best: answers.filter(({ intent, found }) => found.intent === intent).length / own.length,
      right: accepted.filter(({ intent, found }) => found.intent === intent).length / own.length,
      wrong: accepted.filter(({ intent, found }) => found.intent !== intent).length / own.length,
      strangers: data.oos_test.filter(([text]) => best(text).chance >= MIN_CONFIDENCE).length / data.oos_test.length,
      training,
    }
  })
  const of = (key: keyof (typeof results)[number]) => mean(results.map((result) => result[key]))
  console.info(
    `${bots} bots of 12 intents, 10 phrases: best intent right ${percent(of('best'))}; accepted and right ${percent(of('right'))}, accepted and wrong ${percent(of('wrong'))}, ` +
      `strangers accepted ${percent(of('strangers'))}; training ${of('training').toFixed(0)} ms`,
  )
}

/** How bots tell their own questions from others of the same domain, which they have no intent for. */
function nearStrangers(name: string, bots: Bot[]) {
  const all = judged(bots, find)
  const of = (kind: Judged['kind']) => all.filter((one) => one.kind === kind)
  const accepted = (ones: Judged[]) => ones.filter(({ signs }) => signs && confidenceOf(signs) >= MIN_CONFIDENCE).length
  const own = of('right').length + of('wrong').length
  const [near, far] = [of('near'), of('far')]
  console.info(
    `${name}: best intent right ${percent(of('right').length / own)}; accepted and right ${percent(accepted(of('right')) / own)}, accepted and wrong ${percent(accepted(of('wrong')) / own)}; ` +
      `of the same domain accepted ${percent(accepted(near) / near.length)}, of others ${percent(accepted(far) / far.length)}`,
  )
}

/** 50 intents of half the domains, and as strangers the other 25. */
function wideBot(domains: readonly string[][], asked: ReadonlyMap<string, readonly string[]>): Bot {
  const names = domains.flat()
  const known = names.filter((_, at) => (at * 7 + 1) % 3 !== 0)
  return {
    intents: examples(known, 10, 1),
    own: known.flatMap((name) => (asked.get(name) ?? []).map((text): [string, string] => [text, name])),
    near: names.filter((name) => !known.includes(name)).flatMap((name) => asked.get(name) ?? []),
    far: data.oos_test.map(([text]) => text),
  }
}

/** BANKING77 as its authors publish it (data/banking77/train.csv and test.csv), if it lies in the shared folder. */
function banking() {
  const [train, test] = ['train', 'test'].map((name) => {
    const rows = readShared(`data/banking77/${name}.csv`).matchAll(/("(?:[^"]|"")*"|[^,\r\n]*),([^\r\n]*)/g)
    return [...rows].slice(1).map(([, said = '', intent = '']): Labelled => [said.replaceAll('"', ''), intent.trim()])
  })
  const phrases = byIntent(train ?? [])
  const best = bestOf([...phrases].map(([blockId, all]) => ({ blockId, phrases: evenly(all, 10, 0) })))
  const right = (test ?? []).filter(([text, intent]) => best(text).intent === intent).length
  console.info(`BANKING77, 10 phrases: ${percent(right / (test ?? []).length)} right`)
}

bench.skipIf(!hasShared(FILE))(
  'intents of CLINC150',
  () => {
    for (const count of [10, 50]) {
      const runs = (count === 10 ? [0, 3] : [0]).map((shift) => wholeSet(count, shift))
      const of = (key: keyof (typeof runs)[number]) => mean(runs.map((run) => run[key]))
      console.info(
        `150 intents, ${count} phrases (mean of ${runs.length} draws): ${percent(of('right'))} right, AUROC for strangers ${of('auroc').toFixed(3)}; accepted and right ${percent(of('kept'))}, strangers accepted ${percent(of('strangers'))}; ` +
          `training ${(of('training') / 1_000).toFixed(1)} s, ${of('took').toFixed(2)} ms an inference`,
      )
    }
    smallBots(12)
    const asked = byIntent(data.test)
    const source = { train: phrasesOf, asked, far: data.oos_test.map(([text]) => text) }
    nearStrangers('bots of the domains that weights were learnt on', botsOf(halves.learnt, source))
    nearStrangers('bots of the other domains', botsOf(halves.heldOut, source))
    nearStrangers('50 intents, 10 phrases, of the former', [wideBot(halves.learnt, asked)])
    nearStrangers('50 intents, 10 phrases, of the latter', [wideBot(halves.heldOut, asked)])
    if (hasShared('data/banking77/train.csv')) banking()
    if (!process.env.PARLEY_LEARN) return
    const learning = { train: phrasesOf, asked: byIntent(data.val), far: data.oos_val.map(([text]) => text) }
    console.info('weights', learnWeights(judged(botsOf(halves.learnt, learning), find)))
  },
  { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 },
)
