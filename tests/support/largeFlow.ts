import { registry } from '../../blocks/registry'
import { createCountingIds } from '../../engine/flow/ids'
import { type Block, type Edge, emptyFlow, type Flow } from '../../engine/flow/schema'
import type { Json } from '../../engine/values/json'

/** Number of variables, typical for such a chatbot. */
const VARIABLES = 40
const PHRASES = 20

/**
 * A realistic flow of any size: groups that say a text with a variable, ask and save the answer, or offer three
 * options; some compare or change variables, or call a server; sometimes an intent, or an edge to an earlier group.
 */
export function largeFlow(groups: number): Flow {
  const id = createCountingIds('i')
  const edges: Edge[] = []
  const make = (at: string, kind: string, change: Record<string, unknown> = {}): Block => {
    const definition = registry.get(kind)
    const data = { ...(definition.defaults(id) as object), ...change }
    return { id: at, kind, version: definition.migrations.length, data: JSON.parse(JSON.stringify(data)) }
  }
  const variable = (n: number) => `v${(n + VARIABLES) % VARIABLES}`
  const leads = (blockId: string, portId: string, to: number) =>
    edges.push({ from: { blockId, portId }, to: { groupId: `g${Math.max(0, Math.min(groups - 1, to))}` } })
  const says = (at: string, n: number) =>
    make(at, 'text', {
      content: [
        {
          type: 'paragraph',
          children: [
            { text: `Hello from ${at}, ` },
            { text: '', variable: true, variable_id: variable(n) },
            { text: ', how are you?' },
          ],
        },
      ],
    })
  const blocksOf = (g: number): Block[] => {
    const first = g === 0 ? make('start', 'start') : g % 100 === 50 ? intent(g) : says(`g${g}b0`, g - 1)
    const blocks = [first, says(`g${g}b1`, g), make(`g${g}b2`, 'text-input', { saveTo: variable(g) })]
    if (g % 5 === 0) blocks.push(make(`g${g}b3`, 'set-variable', { variableId: variable(g + 1), mode: 'increment' }))
    if (g % 4 === 1) {
      const branch = { variableId: variable(g), operator: 'is-set', value: { type: 'static', value: '' } }
      const branches = [{ id: 'yes', match: 'all', comparisons: [{ id: 'c', ...branch }] }]
      blocks.push(make(`g${g}b4`, 'condition', { branches }))
      leads(`g${g}b4`, 'yes', g + 1)
      leads(`g${g}b4`, 'else', g + 2)
    } else if (g % 4 === 3) {
      const options = ['yes', 'no', 'later'].map((option) => ({ id: option, label: { type: 'static', value: option } }))
      blocks.push(make(`g${g}b4`, 'buttons', { options, saveTo: variable(g + 2) }))
      leads(`g${g}b4`, 'yes', g + 1)
      leads(`g${g}b4`, 'no', g + 3)
      leads(`g${g}b4`, 'default', g - 20)
    } else {
      blocks.push(make(`g${g}b4`, 'http-request', { url: { type: 'static', value: 'https://example.com/' } }))
      leads(`g${g}b4`, 'success', g + 1)
    }
    return blocks
  }
  const intent = (g: number) =>
    make(`g${g}b0`, 'intent', {
      name: `Intent ${g}`,
      phrases: Array.from({ length: PHRASES }, (_, n) => ({
        id: `p${n}`,
        text: `I would like ${g} of number ${n} please`,
      })),
    })
  return {
    ...emptyFlow(),
    groups: Array.from({ length: groups }, (_, g) => ({
      id: `g${g}`,
      title: `Group ${g}`,
      position: { x: (g % 32) * 400, y: Math.floor(g / 32) * 300 },
      blocks: blocksOf(g),
    })),
    edges,
    variables: Array.from({ length: VARIABLES }, (_, n) => ({
      id: `v${n}`,
      name: `Variable ${n}`,
      value: (n % 4 ? '' : null) as Json,
    })),
  }
}
