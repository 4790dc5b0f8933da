import { registry } from '../../blocks/registry'
import type { BotMessage, InputRequest, Reply } from '../../engine/flow/effects'
import { createCountingIds } from '../../engine/flow/ids'
import type { ImportReport } from '../../engine/interop/importer'
import { importFlow } from '../../engine/interop/importFlow'
import { createProgram } from '../../engine/run/program'
import { converse } from '../../engine/run/recording'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import type { Json } from '../../engine/values/json'

/** What the world does during one run: the same for the source's reader and for ours. */
export interface World {
  /** what models write, and what is found in texts and servers' answers */
  word: string
  /** which of several classes a model names */
  choice: number
  /** models and servers are down */
  down: boolean
  status: number
}

/** One message of a visitor, or one form that is sent, and what persons decide while it is worked on. */
export interface Step {
  text: string
  world: World
  decisions: readonly boolean[]
}

/** What a run visited: the nodes' titles, in order; and what was said, without anything but letters and digits. */
export interface Visited {
  nodes: string[]
  said: string
}

export const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

/** Groups that the import adds: between two runs, and around the rounds of an iteration. */
const BETWEEN = /^(?:Message|End)$|: (?:next item|keep)$/

/** Imports a file and has a conversation with it, run by run. `kept`: the titles of nodes that are placeholders here. */
export function walkOurs(
  source: string,
  steps: readonly Step[],
): { runs: Visited[]; kept: Set<string>; report: ImportReport } {
  const { flow, report } = importFlow(source, registry, createCountingIds('new'))
  const groups = new Map(flow.groups.map((group) => [group.id, group]))
  const isChat = flow.groups.some(({ title }) => title === 'Message')
  let run = -1
  let decided = 0
  /** the run that each turn belongs to */
  const runs = [-1]

  function reply(request: InputRequest): Reply | null {
    const step = steps[run]
    if (request.input === 'choice' && step) {
      const proceeds = step.decisions[decided++ % step.decisions.length] === true
      return { type: 'choice', optionIds: [request.options[proceeds ? 0 : 1]?.id ?? ''] }
    }
    const isForm = request.input === 'form'
    if (!isForm || !isChat) {
      run++
      decided = 0
    }
    const next = steps[Math.max(run, 0)]
    if (!next) return null
    if (!isForm) return { type: 'text', text: next.text }
    const values = request.fields.map(({ id, choices }) => [id, choices[0] ?? next.text])
    return { type: 'form', values: Object.fromEntries(values) }
  }
  const { turns } = converse(
    createProgram(flow, registry),
    (request) => {
      const said = reply(request)
      if (said) runs.push(run)
      return said
    },
    (effect) => answerOf(effect, steps[Math.max(run, 0)]?.world),
    { maxTurns: 500 },
  )
  const visited = steps.map((): Visited => ({ nodes: [], said: '' }))
  for (const [at, { trace, messages, stopped }] of turns.entries()) {
    if (stopped) throw new Error(`It stopped: ${stopped.reason}`)
    const here = visited[runs[at] ?? -1]
    if (!here) continue
    for (const { groupId, blockId, port } of trace) {
      const group = groups.get(groupId)
      if (group && port !== null && group.blocks[0]?.id === blockId && !BETWEEN.test(group.title))
        here.nodes.push(group.title)
    }
    here.said += messages.map((message) => bare(worded(message))).join('')
  }
  const kept = flow.groups.filter(({ blocks }) => blocks[0]?.kind === 'placeholder').map(({ title }) => title)
  return { runs: visited.slice(0, run + 1), kept: new Set(kept), report }
}

/** Says what the world says, to whichever service asks. */
function answerOf(effect: RuntimeEffect, world: World | undefined): Json {
  if (effect.type === 'now') return '2026-11-21T10:00:00.000Z'
  if (effect.type === 'random') return 0.5
  if (!world || world.down) return { ok: false, error: 'down' }
  const { word, status, choice } = world
  switch (effect.service) {
    case 'ai.answer':
      return { ok: true, found: true, text: word, sources: [] }
    case 'ai.extract': {
      const { fields } = effect.request as { fields: { id: string; type: string; choices: string[] }[] }
      const values = fields.map(({ id, type, choices }) => [
        id,
        type === 'choice' ? (choices[choice % choices.length] ?? null) : type === 'yes-no' ? 'yes' : word,
      ])
      return { ok: true, found: true, values: Object.fromEntries(values) }
    }
    default:
      return { ok: status < 400, status, headers: {}, body: { state: word }, error: null, key: '', ms: 0 }
  }
}

const worded = (message: BotMessage): string =>
  'text' in message && Array.isArray(message.text)
    ? message.text.map(({ children }) => children.map(({ text }) => text).join('')).join('\n')
    : ''

/** Steps that differ by their seed, from the words that a flow compares with and some of nobody's. */
export function seededSteps(random: () => number, own: readonly string[], count: number): Step[] {
  const draw = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item
  const words = [...own, 'zebra', '12', 'left and right']
  return Array.from({ length: count }, () => ({
    text: draw(words),
    world: {
      word: draw(words),
      choice: Math.floor(random() * 6),
      down: random() < 0.15,
      status: draw([200, 200, 404, 500]),
    },
    // in the end somebody agrees: a person may refuse for ever, there and here
    decisions: [random() < 0.5, random() < 0.5, true],
  }))
}
