import ELK from 'elkjs/lib/elk.bundled.js'
import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { typebotFiles, typebotSource } from '../../tests/support/typebot'
import { createCountingIds } from '../flow/ids'
import type { Flow } from '../flow/schema'
import { importFlow } from '../interop/importFlow'
import { layoutInput, roughShape } from './layoutInput'
import { layoutOutput } from './layoutOutput'

const shapeOf = roughShape(registry)
const arrange = async (flow: Flow): Promise<Flow> =>
  layoutOutput(flow, (await new ELK().layout(layoutInput(flow, registry, shapeOf))).children)
const withoutPlaces = (flow: Flow) => ({ ...flow, groups: flow.groups.map(({ position: _, ...group }) => group) })

/** Pairs of groups that overlap. */
function overlaps({ groups }: Flow): string[] {
  const boxes = groups.map((group) => ({ ...group.position, ...shapeOf(group), id: group.id }))
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => `${a.id} ${b.id}`),
  )
}

test.each(typebotFiles())(
  '%s is arranged from left to right: no group on another, nothing else changed',
  async (name) => {
    const { flow } = importFlow(typebotSource(name), registry, createCountingIds('p'))
    const arranged = await arrange(flow)
    expect(withoutPlaces(arranged)).toEqual(withoutPlaces(flow))
    expect(overlaps(arranged)).toEqual([])
    expect(await arrange(arranged)).toEqual(arranged)
    const x = new Map(arranged.groups.map(({ id, position }) => [id, position.x]))
    const home = new Map(arranged.groups.flatMap(({ id, blocks }) => blocks.map((block) => [block.id, id])))
    const forwards = arranged.edges.filter(
      ({ from, to }) => (x.get(home.get(from.blockId) ?? '') ?? 0) < (x.get(to.groupId) ?? 0),
    )
    // only loops lead back
    expect(forwards.length).toBeGreaterThanOrEqual(arranged.edges.length / 2)
  },
)

test('an edge from or to nothing is left out, and a group that ELK does not know stays', async () => {
  const { flow } = importFlow(typebotSource('lead-generation.json'), registry, createCountingIds('p'))
  const odd: Flow = {
    ...flow,
    edges: [...flow.edges, { from: { blockId: 'gone', portId: 'next' }, to: { groupId: 'gone' } }],
  }
  expect(layoutInput(odd, registry, shapeOf).edges).toHaveLength(flow.edges.length)
  expect(layoutOutput(flow, [])).toEqual(flow)
})
