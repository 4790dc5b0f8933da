import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import type { AnyBlock, Port } from '../../engine/flow/defineBlock'
import { createCountingIds } from '../../engine/flow/ids'
import { idSchema } from '../../engine/flow/schema'
import { driveTurn } from '../../engine/run/drive'
import { createProgram } from '../../engine/run/program'
import { newSession, type TurnInput, turn } from '../../engine/run/turn'
import { tooLong } from '../../engine/values/caps'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'
import { randomDataOf } from '../replay/randomData'
import { randomReply } from '../replay/randomFlows'
import { flowAround, stillRuntime } from '../support/conversations'

const BLOCKS = join(import.meta.dirname, '../../blocks')
const SEED = 20261121
const NEW_ID = () => createCountingIds('i')

test('a folder a kind, a kind a folder', () => {
  const folders = readdirSync(BLOCKS, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual(registry.kinds.map(({ kind }) => kind).sort())
})

/** SPEC.md 5 and 9: the caps of texts by the name that fields have in every kind, or in one. A field of another name has some cap. */
const textCaps: Record<string, number> = {
  content: 20_000,
  prompt: 20_000,
  retryText: 20_000,
  url: 2_048,
  link: 2_048,
  label: 75,
  placeholder: 30,
  value: 3_000,
  'form.fields.label': 100,
}

/** Texts of people that no visitor reads, and addresses: all others are to be translated. A new field belongs in one of the two. */
const notForVisitors: Record<string, readonly string[]> = {
  image: ['link', 'url'],
  video: ['url'],
  audio: ['url'],
  document: ['url'],
  carousel: ['items.*.image', 'items.*.imageLink'],
  embed: ['url'],
  location: ['latitude', 'longitude'],
  'contact-card': ['email', 'phone', 'url'],
  'date-input': ['max', 'min'],
  condition: ['branches.*.comparisons.*.value'],
  'set-variable': ['value'],
  'go-to': ['inputs.*.value'],
  redirect: ['url'],
  'ai-answer': ['instructions', 'question'],
  'ai-extract': ['text'],
  'http-request': [
    'auth.name',
    'auth.password',
    'auth.token',
    'auth.username',
    'auth.value',
    'body',
    'fields.*.name',
    'fields.*.value',
    'headers.*.name',
    'headers.*.value',
    'query.*.name',
    'query.*.value',
    'url',
  ],
  'send-email': ['bcc.*.address', 'cc.*.address', 'fromName', 'replyTo.*.address', 'to.*.address'],
  contact: ['fields.*.name', 'fields.*.value', 'keyValue', 'outputs.*.name'],
  'calendly-booking': ['email', 'name', 'phone', 'timeZone'],
  'hubspot-record': ['companyId', 'contactId', 'fields.*.value', 'findValue'],
  'salesforce-record': ['companyId', 'contactId', 'fields.*.value', 'findValue'],
  'sheet-row': ['cells.*.value', 'matchValue', 'row'],
  'whatsapp-template': ['values.*.value'],
  'whatsapp-opt-in': ['question'],
  'zendesk-ticket': ['body', 'fields.*.value', 'requesterEmail', 'requesterName', 'subject', 'tags', 'ticketId'],
  'hand-off': ['note', 'team', 'to.*.address'],
}

describe.each(registry.kinds.map((definition) => [definition.kind, definition] as const))('%s', (kind, definition) => {
  const defaults = definition.defaults(NEW_ID())

  test.each(['schema.ts', 'block.ts', 'block.test.ts', 'face.tsx', 'editor.tsx', 'en.json'])('has its %s', (file) => {
    expect(existsSync(join(BLOCKS, kind, file))).toBe(true)
  })

  test('has its words', () => {
    for (const words of [definition.title, definition.help]) expect(words).not.toBe('')
    expect(Object.keys(JSON.parse(readFileSync(join(BLOCKS, kind, 'en.json'), 'utf8')))).not.toHaveLength(0)
  })

  test('its defaults are valid, plain JSON, and have ids of their own each time', () => {
    expect(definition.schema.safeParse(defaults).error?.issues).toBeUndefined()
    expect(JSON.parse(JSON.stringify(defaults))).toEqual(defaults)
    const ids = [...JSON.stringify(defaults).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('refuses fields that it does not have', () => {
    expect(definition.schema.safeParse({ ...defaults, surplus: 1 }).success).toBe(false)
  })

  test('names exactly those fields as rich texts that are', () => {
    const richTexts = Object.entries(defaults).filter(([, value]) => isRichText(value))
    expect([...definition.richTexts].sort()).toEqual(richTexts.map(([field]) => field).sort())
  })

  test('of each of its texts it is said whether visitors read it', () => {
    const samples = fc.sample(randomDataOf(definition.schema), { seed: SEED, numRuns: 100 }).map(jsonOf)
    const read = new Set(definition.visitorTexts)
    const known = new Set([...read, ...(notForVisitors[kind] ?? [])])
    const found = new Set([defaults, ...samples].flatMap((data) => textPatterns(data)))
    expect([...found].filter((path) => !known.has(path)).sort()).toEqual([])
    expect([...known].filter((path) => !found.has(path)).sort()).toEqual([])
  })

  test('every text is taken at its cap and refused one character above', () => {
    for (const path of textPaths(defaults)) {
      const told = (length: number, shape: Shape) =>
        definition.schema.safeParse(withText(defaults, path, length, shape)).error?.issues.map(({ message }) => message)
      const shape = shapes.find((each) => !told(20, each)) ?? shapes[0]
      const messages = (length: number) => told(length, shape)
      const named = messages(100_000)?.flatMap((message) => /^Must not exceed (\d+) /.exec(message)?.[1] ?? []) ?? []
      const fields = path.filter((step) => !/^\d+$/.test(step))
      const cap = textCaps[[kind, ...fields].join('.')] ?? textCaps[fields.at(-1) ?? ''] ?? Number(named[0])
      expect(cap, `${path.join('.')} has no cap`).toBeGreaterThan(0)
      expect(messages(cap) ?? []).not.toContain(tooLong(cap))
      expect(messages(cap + 1)).toContain(tooLong(cap))
    }
  })

  test('every migration has a fixture, and brings it to what the fixture says', () => {
    for (const migration of definition.migrations) {
      const fixture = join(BLOCKS, kind, 'fixtures', `${migration.name}.json`)
      const { before, after } = JSON.parse(readFileSync(fixture, 'utf8'))
      expect(migration.up(before)).toEqual(after)
    }
  })

  test('over many runs: ports are well made, every one is reached, none but they; what is written is declared', () => {
    const declared = new Set<string>()
    const reached = new Set<string>()
    const samples = fc.sample(randomDataOf(definition.schema), { seed: SEED, numRuns: 600 })
    const valid = samples.map(jsonOf).filter((data) => definition.schema.safeParse(data).success)
    expect(valid.length).toBeGreaterThan(0)
    for (const [index, data] of valid.entries()) {
      const ports: Port[] = definition.ports(data)
      checkPorts(ports)
      for (const { id } of ports) declared.add(id)
      for (const visitor of [index, index + 5, index + 9])
        for (const port of leave(definition, data, visitor)) reached.add(port)
    }
    expect([...reached].sort()).toEqual([...declared].sort())
  })

  test('the flows that it enters can all be given new ids, and nothing else changes', () => {
    for (const sample of fc.sample(randomDataOf(definition.schema), { seed: SEED, numRuns: 200 })) {
      const { success, data } = definition.schema.safeParse(jsonOf(sample))
      if (!success) continue
      const entered = definition.enters(data)
      const moved = definition.remapFlows(data, (id) => `${id}-2`)
      expect(definition.enters(moved)).toEqual(entered.map((id) => `${id}-2`))
      expect(definition.remapFlows(moved, (id) => id.replace(/-2$/, ''))).toEqual(data)
    }
  })
})

/** Where rich texts and values of text and variables stand, as kinds name them: `options.*.label`. */
function textPatterns(value: unknown, at: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (isRichText(value) || isTextValue(value)) return [at.join('.')]
  if (Array.isArray(value)) return value.flatMap((item) => textPatterns(item, [...at, '*']))
  return Object.entries(value).flatMap(([key, part]) => textPatterns(part, [...at, key]))
}

const isTextValue = (value: object): boolean =>
  'type' in value && ((value.type === 'static' && 'value' in value) || (value.type === 'dynamic' && 'parts' in value))

const jsonOf = (data: unknown): Record<string, never> => JSON.parse(JSON.stringify(data))

function checkPorts(ports: Port[]): void {
  const ids = ports.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id, fallback } of ports) {
    expect(idSchema.safeParse(id).success).toBe(true)
    if (fallback !== undefined) expect(ids).toContain(fallback)
  }
}

/** What services answer, each to ten visitors in turn, who reply differently: success, and failures that blocks know. */
const outcomes: Json[] = [
  {
    ok: true,
    found: true,
    text: 'An answer.',
    sources: [],
    values: {},
    times: [{ start: '2026-11-30T09:00:00Z', label: 'Monday' }],
    booking: { start: '2026-11-30T09:00:00Z', label: 'Monday', cancelUrl: '', rescheduleUrl: '' },
  },
  { ok: false, error: 'It failed.' },
  { ok: false, error: 'duplicate' },
  { ok: false, error: 'not-found' },
  { ok: false, error: 'nobody-available' },
  { ok: false, error: 'outside-window' },
  'no answer of ours',
]

/** Runs the block with a visitor of that number; the ports it left by, what it wrote checked against what it declares. */
function leave(definition: AnyBlock, data: Record<string, never>, visitor: number): string[] {
  const flow = flowAround(definition.kind, data, { v0: 'yes', v1: 7, v2: ['a', 'b'] })
  const program = createProgram(flow, registry)
  const ports: string[] = []
  let session = newSession(program)
  let input: TurnInput = { type: 'start', event: { type: 'start' } }
  for (let n = 0; n < 12; n++) {
    const result = driveTurn(turn(program, session, input), (effect) =>
      effect.type === 'call' ? (outcomes[Math.floor(visitor / 10) % outcomes.length] ?? null) : stillRuntime(effect),
    )
    for (const step of result.trace.filter(({ blockId }) => blockId === 'subject')) {
      for (const id of Object.keys(step.writes)) expect(definition.writes(data)).toContain(id)
      if (step.port !== null) ports.push(step.port)
    }
    session = result.session
    if (!session.request) break
    input = { type: 'reply', reply: randomReply(session.request, visitor + n * 31) }
  }
  return ports
}

const isRichText = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => item?.type === 'paragraph' && Array.isArray(item.children))

const isDynamic = (value: unknown): value is { type: 'static' } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'static'

function textPaths(value: unknown, path: string[] = []): string[][] {
  if (isRichText(value) || isDynamic(value)) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => textPaths(item, [...path, key]))
}

/** Texts of a length; a field takes the first, unless it has a format of its own. */
const shapes = [
  (length: number) => `https://${'x'.repeat(length)}`.slice(0, length),
  (length: number) => `${'x'.repeat(length - 5)}@b.co`,
] as const
type Shape = (typeof shapes)[number]

/** The data with a text of that length at the path. */
function withText(data: unknown, path: string[], length: number, shape: Shape): unknown {
  const copy = structuredClone(data) as Record<string, unknown>
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy)
  const last = path.at(-1) ?? ''
  const text = shape(length)
  holder[last] = isRichText(holder[last]) ? plainRichText(text) : { type: 'static', value: text }
  return copy
}
