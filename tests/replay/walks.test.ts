import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { createCountingIds } from '../../engine/flow/ids'
import { importFlow } from '../../engine/interop/importFlow'
import { createProgram, type Program, type ProgramBlock } from '../../engine/run/program'
import { converse } from '../../engine/run/recording'
import type { RuntimeEffect } from '../../engine/run/runBlock'
import type { Json } from '../../engine/values/json'
import { seededRandom } from '../support/documents'
import { typebotFiles, typebotSource } from '../support/typebot'
import { words } from './randomData'
import { randomReply } from './randomFlows'

const WALKS = 100
const TURNS = 60

/** Every text in some data: what a condition compares with is what a visitor should say now and then. */
function textsIn(value: Json): string[] {
  if (typeof value === 'string') return value.trim() === '' || value.length > 200 ? [] : [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}

const fitting: Partial<Record<InputRequest['input'], readonly string[]>> = {
  email: ['ada@example.com'],
  phone: ['+49 170 1234567'],
  url: ['https://a.example'],
  number: ['0', '1', '7', '19', '30', '65', '500'],
}

/** What a visitor says who wants to get on; null where any answer is as good. */
function answerTo(request: InputRequest, random: () => number, own: readonly string[]): Reply | null {
  const draw = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  if (request.input === 'choice' || request.input === 'rating') {
    const open = request.options.filter((candidate) => candidate.url === undefined)
    const chosen =
      'multiple' in request && request.multiple && random() < 0.5 ? open : open.length > 0 ? [draw(open)] : []
    return chosen.length > 0 ? { type: 'choice', optionIds: chosen.flatMap((option) => option?.id ?? []) } : null
  }
  if (request.timeout !== undefined && request.input === 'wait') return { type: 'timeout' }
  if (request.input === 'date') {
    const moment = request.mode === 'time' ? '09:30' : request.mode === 'date' ? '2026-11-21' : '2026-11-21T09:30'
    return { type: 'text', text: request.range ? `${moment}/${moment}` : moment }
  }
  const text = draw(fitting[request.input] ?? (random() < 0.5 ? own : words))
  return text ? { type: 'text', text } : null
}

/** A world that now does what it is asked, and now does not. */
function answerOf({ type }: RuntimeEffect, random: () => number, own: readonly string[]): Json {
  if (type === 'now') return '2026-11-21T10:00:00.000Z'
  if (type === 'random') return random()
  if (random() < 0.5) return { ok: false, error: 'down' }
  const word = own[Math.floor(random() * own.length)] ?? ''
  return { ok: true, status: 200, body: { [word]: word } }
}

/** The groups that some way leads to from the start: along edges, down a group, by jumps. */
function reachable(program: Program): Set<string> {
  const blocks = new Set<ProgramBlock>()
  const visit = (block: ProgramBlock | null | undefined) => {
    if (!block || blocks.has(block)) return
    blocks.add(block)
    const { definition, data, ports } = block.runnable ?? {}
    const jumps = definition?.jumps(data) ?? []
    for (const to of jumps) visit(program.resolve(to)?.first)
    const leaves = ports ? [...ports.values()] : [{ id: 'next', fallback: undefined }]
    for (const { id, fallback } of leaves) {
      const target = block.edges.get(id) ?? (fallback === undefined ? undefined : block.edges.get(fallback))
      visit(target ? program.resolve(target)?.first : block.below)
    }
  }
  visit(program.entry({ type: 'start' }))
  return new Set([...blocks].map(({ groupId }) => groupId))
}

/** Groups that an edge leads to and no visitor gets to, because of what the file holds. */
const unreached: Record<string, { group: string; because: string }[]> = {
  'values.json': [
    { group: 'A part of a tag', because: 'a list contains whole items' },
    { group: 'Four tags', because: 'the list has three' },
    { group: 'Welcome to the VIP area', because: 'one of its comparisons is not finished' },
  ],
  'builder-test__logic__condition.json': [
    { group: 'Group #3', because: 'the branch that leads to it compares no variable, so it never holds' },
    { group: 'Group #4', because: 'the same' },
  ],
  'builder-test__integrations__googleSheetsGet.json': [
    { group: 'Group #3', because: 'it follows a row that is found, and the sheet has no account before one is chosen' },
  ],
  'template__lead-scoring.json': [
    { group: 'Add 10', because: 'after Q2 the team size is compared, but the file names no variable for it' },
  ],
}

test.each(typebotFiles())('%s: a hundred visitors do no harm, and get everywhere', (name) => {
  const { flow } = importFlow(typebotSource(name), registry, createCountingIds('new'))
  const program = createProgram(flow, registry)
  const compared = flow.groups.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'condition'))
  const own = [...new Set(compared.flatMap(({ data }) => textsIn(data)))]
  const visited = new Set<string>()
  for (let walk = 0; walk < WALKS; walk++) {
    const random = seededRandom(walk + 1)
    const { turns } = converse(
      program,
      // one in four is as difficult as they come, the others try to answer
      (request) =>
        walk % 4 === 0
          ? randomReply(request, Math.floor(random() * 1_000))
          : (answerTo(request, random, own) ?? randomReply(request, Math.floor(random() * 1_000))),
      (effect) => answerOf(effect, random, own),
      { maxTurns: TURNS },
    )
    for (const { trace } of turns) for (const { groupId } of trace) visited.add(groupId)
  }
  const title = new Map(flow.groups.map((group) => [group.id, group.title]))
  const missed = [...reachable(program)].filter((id) => !visited.has(id)).map((id) => title.get(id) ?? id)
  expect(missed.sort()).toEqual((unreached[name] ?? []).map(({ group }) => group).sort())
})
