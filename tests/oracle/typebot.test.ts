import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import type { Reply } from '../../engine/flow/effects'
import { createCountingIds } from '../../engine/flow/ids'
import type { ImportReport } from '../../engine/interop/importer'
import { importFlow } from '../../engine/interop/importFlow'
import { driveTurn } from '../../engine/run/drive'
import { createProgram, type Program } from '../../engine/run/program'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import type { Session } from '../../engine/run/session'
import { newSession, turn } from '../../engine/run/turn'
import type { Json } from '../../engine/values/json'
import { printValue } from '../../engine/values/render'
import { shown } from '../support/conversations'
import { seededRandom } from '../support/documents'
import { typebotFiles, typebotSource } from '../support/typebot'
import { addRow } from './table'
import { type Question, RETRY, TypebotProduct } from './typebotProduct'
import { NOW } from './typebotValues'

const WALKS = 40
const TURNS = 30

type Random = () => number
const draw = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)] as T

/** What the products take for different things, said in one walk of four. */
const ODD = ['007', '12', 'ADA@example.com', 'a.example']

const ANSWERS: Record<string, readonly string[]> = {
  text: ['Ada', 'yes', 'Berlin', 'blue', '12', 'Hello there'],
  number: ['1', '7', '007', '19', '30', '65', '500', 'many'],
  email: ['ada@example.com', 'ADA@example.com', 'no address'],
  phone: ['+49 170 1234567', 'none'],
  url: ['https://a.example', 'a.example', 'none at all'],
  date: ['2026-11-21', '2027-02-03'],
  rating: ['1', '2', '3'],
}

/** What the visitor says, in the product's words; null where nothing can be said to both. */
function saysTo({ input, options, multiple }: Question, random: Random, odd: boolean): string | null {
  if (input === 'choice') {
    if (!options || options.length === 0) return null
    if (!multiple) return draw(options, random)
    const chosen = options.filter(() => random() < 0.5)
    return (chosen.length > 0 ? chosen : [draw(options, random)]).join('|')
  }
  const answers = ANSWERS[input]
  return answers
    ? draw(
        answers.filter((answer) => odd || !ODD.includes(answer)),
        random,
      )
    : null
}

/** Our side of a walk: what is said and asked in the same form. */
class Ours {
  readonly said: string[] = []
  session: Session
  values: Record<string, Json> = {}

  constructor(
    private readonly program: Program,
    private readonly chance: number,
  ) {
    this.session = newSession(program)
    this.take({ type: 'start', event: { type: 'start' } })
  }

  get question(): Question | null {
    const { request } = this.session
    if (this.session.status !== 'waiting' || !request) return null
    if (request.input !== 'choice') return { input: request.input }
    return { input: 'choice', options: request.options.map(({ label }) => label), multiple: request.multiple }
  }

  answer(text: string): void {
    this.take({ type: 'reply', reply: this.reply(text) })
  }

  private reply(text: string): Reply {
    const { request } = this.session
    if (request?.input !== 'choice' && request?.input !== 'rating') return { type: 'text', text }
    const labels = request.input === 'choice' ? text.split('|') : [text]
    const options = request.options as readonly { id: string; label: string }[]
    const optionIds = labels.flatMap((label) => options.find((option) => option.label === label)?.id ?? [])
    return { type: 'choice', optionIds }
  }

  private take(input: Parameters<typeof turn>[2]): void {
    const result = driveTurn(turn(this.program, this.session, input), (effect) => this.outside(effect))
    this.session = result.session
    this.values = result.variables
    this.said.push(...result.messages.map((message) => (message.kind === 'carousel' ? '' : shown(message))))
    if (result.session.request?.input === 'wait') this.take({ type: 'reply', reply: { type: 'timeout' } })
  }

  /** Nothing outside answers. */
  private outside(effect: RuntimeEffect): Json {
    return effect.type === 'now' ? NOW : effect.type === 'random' ? this.chance : { ok: false, error: 'down' }
  }
}

const plain = (lines: readonly string[]): string[] =>
  lines
    .map((line) =>
      line
        .replace(/^\[(image|video|audio|embed|redirect)\b.*$/s, '[$1]')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '')

/** Where the two sides differ; null where they agree. `values` only once the conversation is over or the walk ends. */
function difference(
  theirs: TypebotProduct,
  ours: Ours,
  ids: readonly string[],
  from: { theirs: number; ours: number },
): string | null {
  const [a, b] = [plain(theirs.said.slice(from.theirs)), plain(ours.said.slice(from.ours))]
  // words that a block has of its own for a wrong answer differ
  const matched = a.length === b.length && a.every((line, at) => line === b[at] || line === RETRY)
  if (!matched) return `says ${JSON.stringify(b)}, not ${JSON.stringify(a)}`
  const [asked, wanted] = [ours.question, theirs.question]
  if (
    JSON.stringify(asked?.input) !== JSON.stringify(wanted?.input) ||
    JSON.stringify(asked?.options) !== JSON.stringify(wanted?.options)
  )
    return `asks ${JSON.stringify(asked)}, not ${JSON.stringify(wanted)}`
  for (const [at, value] of theirs.values().entries()) {
    const expected = Array.isArray(value) ? value.join(', ') : (value ?? '')
    const kept = printValue(ours.values[ids[at] ?? ''] ?? null)
    if (expected !== 'unpredictable' && kept !== expected)
      return `keeps ${JSON.stringify(kept)}, not ${JSON.stringify(expected)}`
  }
  return null
}

/** What happened in a walk that is otherwise here, and the words of the report that say so. */
const SAID_ONCE: Record<string, RegExp> = {
  'nearly equal': /Equal texts may differ/,
  'list compared': /one item that fits is enough/,
  'length of a text compared': /texts that are none of these were compared by their length/,
  'leading zero': /007 is 7/,
  'several choices': /Several choices were one text/,
  'appended to a text': /a value is appended to a list; to a text/i,
  'capital letters': /keeps its capital letters/,
  'bare url': /An address without https/,
  code: /calculated without code here/,
  'list printed': /Lists print/,
}
/** Notes about looks and words: no reason for a conversation to take another course. */
const HARMLESS =
  /^(The pictures of its options|The descriptions of its options|The button that sends|The placeholder|The model|The temperature|A picture|Its own icon|It played by itself)/

/** Why the report says that a walk may differ that came this far; null where it does not. */
function explanation({ visited, features }: TypebotProduct, { placeholders, notes }: ImportReport): string | null {
  for (const feature of features) {
    const words = SAID_ONCE[feature]
    const remark = words && notes.find(({ place, message }) => place === undefined && words.test(message))
    if (remark) return remark.message
  }
  for (const block of visited) {
    const kept = placeholders.find(({ type, places }) => type === block.type && places.includes(block.group))
    if (kept) return kept.reason
    const note = notes.find(
      ({ place, message }) => place === `${block.group} › ${block.type}` && !HARMLESS.test(message),
    )
    if (note) return note.message
  }
  return null
}

interface Walked {
  equal: number
  explained: Map<string, number>
  unexplained: string[]
}

function walk(name: string): Walked {
  const file = JSON.parse(typebotSource(name))
  const { flow, report } = importFlow(typebotSource(name), registry, createCountingIds('new'))
  const program = createProgram(flow, registry)
  const ids = flow.variables.map(({ id }) => id)
  const result: Walked = { equal: 0, explained: new Map(), unexplained: [] }
  for (let seed = 1; seed <= WALKS; seed++) {
    const random = seededRandom(seed)
    const chance = random()
    const theirs = new TypebotProduct(file, chance)
    const ours = new Ours(program, chance)
    const heard: string[] = []
    let from = { theirs: 0, ours: 0 }
    let found = difference(theirs, ours, ids, from)
    while (!found && theirs.question && heard.length < TURNS) {
      const words = saysTo(theirs.question, random, seed % 4 === 0)
      if (words === null) break
      heard.push(words)
      from = { theirs: theirs.said.length, ours: ours.said.length }
      theirs.answer(words)
      ours.answer(words)
      found = difference(theirs, ours, ids, from)
    }
    const why = found && explanation(theirs, report)
    if (!found) result.equal++
    else if (why) result.explained.set(why, (result.explained.get(why) ?? 0) + 1)
    else result.unexplained.push(`walk ${seed}, after ${JSON.stringify(heard)}: ${found}`)
  }
  return result
}

test.each(typebotFiles())(
  '%s: forty visitors are told what the product would say, or the report says why not',
  (name) => {
    const { equal, explained, unexplained } = walk(name)
    const why = [...explained].map(([reason, count]) => `${count}: ${reason}`)
    addRow('Typebot', name, { equal, walks: WALKS, why: [...why, ...unexplained] })
    expect(unexplained).toEqual([])
  },
)

test.each(['skin-type.json', 'jumps-and-returns.json'])('%s: all of them are told the same', (name) =>
  expect(walk(name)).toEqual({ equal: WALKS, explained: new Map(), unexplained: [] }),
)

test.each(['boat-insurance.json', 'http-lead.json', 'lead-generation.json', 'lead-scoring.json', 'values.json'])(
  '%s: whoever says nothing odd is told the same',
  (name) => expect(walk(name).equal).toBeGreaterThanOrEqual((WALKS * 3) / 4),
)
