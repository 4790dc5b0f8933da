import type { InputRequest, Reply } from '../../../engine/flow/conversation'
import type { Registry } from '../../../engine/flow/registry'
import type { Flow } from '../../../engine/flow/schema'
import { roughShape } from '../../../engine/graph/layoutInput'
import type { Recording } from '../../../engine/run/recordingFormat'
import { richTextToString } from '../../../engine/values/richText'
import type { InterfaceLanguage } from '../../contracts/languages'
import type { Template as Detailed, ListedTemplate, Sketch } from '../../contracts/templates'
import { countBlocks } from '../flows/flows/readFlowFile'
import { vendorsIn } from './ownConnections'
import { aboutIn, type Template } from './readTemplates'

export function presentListed(template: Template, registry: Registry, language: InterfaceLanguage): ListedTemplate {
  const { slug, flows, tests } = template
  const { title, description, category, tags } = aboutIn(template, language)
  const all = [flows.main, ...flows.others.map(({ flow }) => flow)]
  return {
    slug,
    title,
    description,
    category,
    tags,
    blocks: all.reduce((sum, flow) => sum + countBlocks(flow), 0),
    // those that come along: see ownConnections.ts
    tests: vendorsIn(flows).size > 0 ? 0 : tests.length,
    sketch: sketchOf(flows.main, registry),
  }
}

export const presentTemplate = (template: Template, registry: Registry, language: InterfaceLanguage): Detailed => ({
  ...presentListed(template, registry, language),
  setup: aboutIn(template, language).setup,
  flows: template.flows.others.map(({ title }) => title),
  conversation: template.tests[0] ? conversationOf(template.tests[0]) : [],
})

/** A flow as a sketch with approximate sizes: only the canvas knows how kinds are drawn. */
function sketchOf(flow: Flow, registry: Registry): Sketch {
  const left = Math.min(...flow.groups.map(({ position }) => position.x))
  const top = Math.min(...flow.groups.map(({ position }) => position.y))
  const shapeOf = roughShape(registry)
  const places = new Map(
    flow.groups.map((group) => {
      const shape = shapeOf(group)
      return [group.id, { x: group.position.x - left, y: group.position.y - top, shape }] as const
    }),
  )
  const homes = new Map(flow.groups.flatMap((group) => group.blocks.map(({ id }) => [id, group.id] as const)))
  const groups = flow.groups.flatMap(({ id, title, blocks }) => {
    const place = places.get(id)
    if (!place) return []
    const { x, y, shape } = place
    const bottoms = [...shape.blocks.slice(1).map((next) => next.y - BLOCK / 2 - GAP), shape.height - GAP]
    const drawn = blocks.map((block, index) => {
      const from = (shape.blocks[index]?.y ?? 0) - BLOCK / 2
      const category = registry.find(block.kind)?.category ?? 'other'
      return { id: block.id, kind: block.kind, category, y: from, height: (bottoms[index] ?? from + BLOCK) - from }
    })
    return [{ id, title, x, y, width: shape.width, height: shape.height, blocks: drawn }]
  })
  const edges = flow.edges.flatMap(({ from, to }) => {
    const source = places.get(homes.get(from.blockId) ?? '')
    const target = places.get(to.groupId)
    const block = source?.shape.blocks.find(({ id }) => id === from.blockId)
    const port = block?.ports.find(({ id }) => id === from.portId)
    if (!source || !target || !port) return []
    const entry = target.shape.blocks.find(({ id }) => id === to.blockId)?.y ?? target.shape.entry
    return {
      id: `${from.blockId}/${from.portId}`,
      from: { x: source.x + source.shape.width, y: source.y + port.y },
      to: { x: target.x, y: target.y + entry },
    }
  })
  const width = Math.max(...groups.map((group) => group.x + group.width))
  const height = Math.max(...groups.map((group) => group.y + group.height))
  return { width, height, groups, edges }
}

/** As in `roughShape`: the height of a block without further ports, and the gap between two. */
const BLOCK = 56
const GAP = 4

/** A recorded conversation in words; messages without words are left out. */
function conversationOf({ turns }: Recording): Detailed['conversation'] {
  return turns.flatMap(({ reply, expected }, index) => {
    const answer = reply && replyText(reply, turns[index - 1]?.expected.request ?? null)
    const said = expected.steps
      .flatMap((step) => step.said)
      .flatMap((message) => {
        if (message.kind === 'text' || message.kind === 'answer') return richTextToString(message.text, () => '')
        return message.kind === 'carousel' ? message.items.map(({ title }) => title).join(' · ') : []
      })
    return [
      ...(answer ? [{ from: 'visitor' as const, text: answer }] : []),
      ...said.map((text) => ({ from: 'bot' as const, text })),
    ]
  })
}

function replyText(reply: Reply, request: InputRequest | null): string {
  switch (reply.type) {
    case 'text':
      return reply.text
    case 'choice': {
      const options = request && 'options' in request ? request.options : []
      return reply.optionIds.map((id) => options.find((option) => option.id === id)?.label ?? '').join(', ')
    }
    case 'form':
      return Object.values(reply.values)
        .flat()
        .filter((value) => value !== '')
        .join(', ')
    case 'files':
      return reply.files.map(({ name }) => name).join(', ')
    default:
      return ''
  }
}
