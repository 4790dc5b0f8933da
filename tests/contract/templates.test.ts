import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { checkFlow } from '../../engine/check/createChecker'
import { describeDiagnostic, namesOf } from '../../engine/check/describe'
import { outlineOf } from '../../engine/check/outline'
import { viewOfFlow } from '../../engine/check/view'
import { createDocument } from '../../engine/document/createDocument'
import { flowFile } from '../../engine/flow/canonical'
import { type Flow, flowFileSchema, type Group } from '../../engine/flow/schema'
import { createProgram } from '../../engine/run/program'
import { replayRecording } from '../../engine/run/recordingReplay'
import { templateCategories } from '../../server/contracts/templates'
import { trainClassifier } from '../../server/modules/conversations/runtime/trainClassifier'
import { vendorsIn, withOwnConnections } from '../../server/modules/templates/ownConnections'
import { readTemplates, type Template } from '../../server/modules/templates/readTemplates'
import { templateFiles } from '../../server/modules/templates/templateFiles'
import { GRID, layoutGroup, metrics, shapeBlock } from '../../src/canvas/geometry'
import { faceOf } from '../../src/canvas/kindFaces'
import { variableNames } from '../../src/canvas/names'

const templates = await readTemplates(registry)
const flowsOf = ({ flows: { main, others } }: Template) => [
  { id: null, title: 'Main flow', flow: main },
  ...others.map(({ id, title, flow }) => ({ id, title, flow })),
]

test('every folder is a template, and there are at least twelve', () => {
  const folders = readdirSync(join(import.meta.dirname, '../../server/modules/templates'), { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(templates.map(({ slug }) => slug).sort()).toEqual(names.sort())
  expect(templates.length).toBeGreaterThanOrEqual(12)
})

test('no two have one title, and each category has one', () => {
  const titles = templates.map(({ about }) => about.title)
  expect(new Set(titles).size).toBe(titles.length)
  expect(new Set(templates.map(({ about }) => about.category))).toEqual(new Set(templateCategories))
})

/** Kinds that the example does not show, each with its reason. */
const NOT_SHOWN: Record<string, string> = {
  'link-opened': 'is made for messaging apps: nobody writes first on the web',
  document: 'is made for messaging apps: the web shows it as a link',
  location: 'is made for messaging apps: the web shows it as a text, and the example embeds a map',
  'contact-card': 'is made for messaging apps: the web shows it as a text',
  'location-input': 'is made for messaging apps: on the web an address is typed',
  'sheet-row': 'wants an account at Google, and a spreadsheet there: the example can be talked to without any',
  'hubspot-record': 'wants an account at HubSpot',
  'salesforce-record': 'wants an account at Salesforce',
  'zendesk-ticket': 'wants an account at Zendesk',
  'calendly-booking': 'wants an account at Calendly',
  'whatsapp-template': 'wants a number at WhatsApp, and a template that WhatsApp has approved',
  'whatsapp-window': 'tells nothing apart where there is no number at WhatsApp',
  'whatsapp-opt-in': 'notes something of people at WhatsApp alone',
  placeholder: 'stands for what an import could not bring, and is not in the palette',
}

test('the example that the home screen offers has every kind of block in it', () => {
  const example = templates.find(({ slug }) => slug === 'bicycle-workshop')
  if (!example) throw new Error('The example is missing')
  const shown = new Set(
    flowsOf(example).flatMap(({ flow }) => flow.groups.flatMap(({ blocks }) => blocks.map(({ kind }) => kind))),
  )
  const missing = registry.kinds.map(({ kind }) => kind).filter((kind) => !shown.has(kind))
  expect(missing).toEqual(Object.keys(NOT_SHOWN))
})

test('every file that a template shows comes with it', () => {
  const named = templates.flatMap((template) => JSON.stringify(flowFile(template.flows)).match(/\/files\/\w+/g) ?? [])
  expect(named.length).toBeGreaterThanOrEqual(3)
  expect(named.filter((address) => !templateFiles.has(address.slice('/files/'.length)))).toEqual([])
})

test('one that uses a vendor says whose account to connect, and leaves nothing but choices to make', () => {
  const using = templates.filter(({ flows }) => vendorsIn(flows).size > 0)
  expect(using.length).toBeGreaterThanOrEqual(6)
  for (const { slug, about, flows } of using) {
    expect(
      about.setup.filter((step) => step.startsWith('Connect your')),
      slug,
    ).toHaveLength(vendorsIn(flows).size)
    const { main } = withOwnConnections(flows, new Map())
    const names = namesOf(viewOfFlow(main), registry, [])
    const left = checkFlow(main, registry, { mailServer: false }).filter(({ severity }) => severity !== 'info')
    expect(left.length, slug).toBeGreaterThan(0)
    for (const diagnostic of left) expect(describeDiagnostic(diagnostic, names), slug).toContain(': Choose ')
  }
})

describe.each(templates.map((template) => [template.slug, template] as const))('%s', (_, template) => {
  test('is written in the present format, with complete data in every block', () => {
    expect(flowFileSchema.safeParse(flowFile(template.flows)).error).toBeUndefined()
    for (const { flow } of flowsOf(template))
      for (const block of flow.groups.flatMap(({ blocks }) => blocks)) {
        const definition = registry.find(block.kind)
        expect(definition?.schema.safeParse(block.data).error, block.id).toBeUndefined()
        expect(block.version, block.id).toBe(definition?.migrations.length)
      }
  })

  test('a document that holds it gives it back as it is', () => {
    for (const { flow } of flowsOf(template)) {
      const document = createDocument({ registry })
      document.commands.replaceFlow(flow)
      expect(document.toFlow()).toEqual(flow)
      document.destroy()
    }
  })

  test('the checker finds neither error nor warning', () => {
    const outlines = flowsOf(template).map(({ id, title, flow }) => outlineOf(id, title, flow, registry))
    const found = flowsOf(template).flatMap(({ id: flowId, flow }) => {
      const names = namesOf(viewOfFlow(flow), registry, outlines)
      // as a new installation has it, without a mail server
      const options = { flowId, others: outlines.filter(({ id }) => id !== flowId), mailServer: false }
      return checkFlow(flow, registry, options)
        .filter(({ severity }) => severity !== 'info')
        .map((diagnostic) => describeDiagnostic(diagnostic, names))
    })
    expect(found).toEqual([])
  })

  test('its tests pass, and go through every block', async () => {
    const { main, others } = template.flows
    const flows = Object.fromEntries(others.map(({ id, flow }) => [id, flow]))
    const classify = await trainClassifier([main, ...others.map(({ flow }) => flow)], registry)
    const program = createProgram(main, registry, { flows, classify })
    const reached = new Set<string>()
    expect(template.tests.length).toBeGreaterThan(0)
    for (const recording of template.tests) {
      const { differences, present } = replayRecording(program, recording)
      expect(differences.filter(Boolean), recording.name).toEqual([])
      // each comes to its end, or to people who answer: no visitor is left standing
      const last = present.turns.at(-1)?.expected
      const isWithPeople = last?.request?.input === 'text' && last.request.toTeam !== undefined
      expect(isWithPeople || last?.ended || last?.stopped, recording.name).toBe(true)
      for (const { expected } of present.turns) for (const { blockId } of expected.steps) reached.add(blockId)
    }
    const blocks = flowsOf(template).flatMap(({ flow }) => flow.groups.flatMap((group) => group.blocks))
    expect(blocks.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual([])
  })

  test('its groups stand on the grid, apart from each other, the start at the left', () => {
    for (const { flow } of flowsOf(template)) {
      const boxes = flow.groups.map((group) => ({ group, ...group.position, ...sizeOf(group, flow) }))
      for (const [index, box] of boxes.entries()) {
        expect([box.x % GRID, box.y % GRID].map(Math.abs), box.group.title).toEqual([0, 0])
        const covered = boxes
          .slice(index + 1)
          .filter(
            (other) =>
              box.x < other.x + other.width &&
              other.x < box.x + box.width &&
              box.y < other.y + other.height &&
              other.y < box.y + box.height,
          )
        expect(
          covered.map(({ group }) => group.title),
          box.group.title,
        ).toEqual([])
      }
      const first = flow.groups.find(({ blocks }) => blocks[0]?.kind === 'start')
      expect(first?.position.x).toBe(Math.min(...flow.groups.map(({ position }) => position.x)))
    }
  })

  test('every flow has a title on each group and every variable is used', () => {
    for (const { flow } of flowsOf(template)) {
      expect(flow.groups.filter(({ title }) => title.trim() === '')).toEqual([])
      const used = new Set(
        flow.groups.flatMap(({ blocks }) =>
          blocks.flatMap((block) => {
            const definition = registry.find(block.kind)
            return definition ? [...definition.reads(block.data), ...definition.writes(block.data)] : []
          }),
        ),
      )
      expect(flow.variables.map(({ id }) => id).filter((id) => !used.has(id) && !isPassed(template, id))).toEqual([])
    }
  })
})

function sizeOf(group: Group, { variables }: Flow) {
  const names = { variable: variableNames(variables), group: () => null, text: (key: string) => key }
  const blocks = group.blocks.map((block) => ({ ...block, groupId: group.id }))
  const { height } = layoutGroup(blocks, (block) => shapeBlock(block, registry, faceOf(block.kind), names))
  return { width: metrics.width, height }
}

/** A sub-flow's variable may be there for the flow that enters it alone. */
const isPassed = (template: Template, variableId: string): boolean =>
  flowsOf(template).some(({ flow }) =>
    flow.groups.some(({ blocks }) =>
      blocks.some((block) => {
        const calls = registry.find(block.kind)?.calls(block.data) ?? []
        return calls.some(({ gives, takes }) => [...gives, ...takes].includes(variableId))
      }),
    ),
  )
