import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { largeFlow } from '../../tests/support/largeFlow'
import { createBoxIndex, grown, touches } from './boxIndex'
import { shapeBlock } from './geometry'
import { faceOf } from './kindFaces'
import { edgeNear } from './overviewHit'
import type { Scene } from './placed'
import { middleOf, routeBox } from './routing/line'
import { createScene } from './scene'
import { FAR, nextWindow, nothingShown, type Window } from './windowing'

const box = fc.record({
  x: fc.integer({ min: -9_000, max: 9_000 }),
  y: fc.integer({ min: -9_000, max: 9_000 }),
  width: fc.integer({ min: 0, max: 40_000 }),
  height: fc.integer({ min: 0, max: 3_000 }),
})

test('the index finds what looking at every box finds, whatever was moved and taken out before', () => {
  const steps = fc.array(fc.record({ id: fc.nat(20), box: fc.option(box, { freq: 4 }) }), { maxLength: 60 })
  fc.assert(
    fc.property(steps, box, (changes, area) => {
      const index = createBoxIndex()
      const all = new Map<string, typeof area>()
      for (const { id, box } of changes) {
        if (box) {
          index.set(`${id}`, box)
          all.set(`${id}`, box)
        } else {
          index.delete(`${id}`)
          all.delete(`${id}`)
        }
      }
      const expected = [...all].filter(([, other]) => touches(other, area)).map(([id]) => id)
      expect(index.within(area).sort()).toEqual(expected.sort())
    }),
    { seed: 20261123 },
  )
})

function start(groups: number) {
  const document = createDocument({ registry })
  document.commands.replaceFlow(largeFlow(groups))
  const shape: Parameters<typeof createScene>[0] = (block, names) => shapeBlock(block, registry, undefined, names)
  const scene = createScene(shape)
  scene.update(document.projection())
  const anew = () => {
    const other = createScene(shape)
    other.update(document.projection())
    return other
  }
  return { document, scene, anew }
}

test('after any edits the scene is the one that is made anew', () => {
  const { document, scene, anew } = start(60)
  const { commands } = document
  const edits: (() => void)[] = [
    () => commands.moveGroups([{ groupId: 'g7', position: { x: -5000, y: 90 } }]),
    () => commands.moveBlock('g3b4', { groupId: 'g9', index: 0 }),
    () => commands.deleteGroups(['g20']),
    () => commands.deleteBlocks(['g5b1']),
    () => commands.setBlockData('g7b4', { ...document.projection().blocks.get('g7b4')?.data, options: [] }),
    () => document.undo.undo(),
    () => commands.connect({ blockId: 'g2b0', portId: 'next' }, { groupId: 'g40' }),
    () => document.undo.undo(),
    () => document.undo.undo(),
  ]
  const everything = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 }
  for (const edit of edits) {
    edit()
    scene.update(document.projection())
    const fresh = anew()
    expect([...scene.groups].sort()).toEqual([...fresh.groups].sort())
    expect([...scene.edges].sort()).toEqual([...fresh.edges].sort())
    expect(scene.edgesIn(everything).sort()).toEqual(fresh.edgesIn(everything).sort())
    expect([...scene.edgesOf('g9')].sort()).toEqual([...fresh.edgesOf('g9')].sort())
    expect(scene.order()).toEqual(fresh.order())
    expect(scene.bounds()).toEqual(fresh.bounds())
    // routes computed before the edit are as good as new ones
    for (const id of scene.edges.keys()) expect(goesOverAGroup(scene, id), id).toBe(goesOverAGroup(fresh, id))
  }
})

/** Groups of this flow overlap: an edge without a way around crosses them. */
function goesOverAGroup(scene: Scene, edgeId: string): boolean {
  const route = scene.routeOf(edgeId) ?? []
  return route.slice(1).some((end, at) => scene.groupsIn(grown(routeBox([route[at] ?? end, end]), -1)).length > 0)
}

test('an edit touches the group it is about and leaves the others the same objects', () => {
  const { document, scene } = start(60)
  const before = new Map(scene.groups)
  document.commands.setRichText('g3b1', 'content', [{ type: 'paragraph', children: [{ text: 'Actions' }] }] as never)
  scene.update(document.projection())
  expect([...scene.groups].filter(([id, placed]) => before.get(id) !== placed).map(([id]) => id)).toEqual(['g3'])
})

test('a rename makes anew the groups that show the name, and nothing else does', () => {
  const { document } = start(60)
  const [variable] = document.projection().variables
  if (!variable) throw new Error('The flow has no variable')
  let shaped = 0
  const scene = createScene((block, names) => {
    shaped += 1
    return shapeBlock(block, registry, faceOf(block.kind), names)
  })
  const chip = { text: '', variable: true, variable_id: variable.id }
  const content = [{ type: 'paragraph', children: [{ text: 'You come from ' }, chip] }]
  document.commands.setRichText('g3b1', 'content', content as never)
  document.commands.updateVariable(variable.id, { name: 'City' })
  scene.update(document.projection())
  const before = new Map(scene.groups)
  const changed = () => [...scene.groups].flatMap(([id, placed]) => (before.get(id) === placed ? [] : id))
  shaped = 0
  document.commands.updateVariable(variable.id, { value: 'a new value' })
  document.commands.setGroupTitle('g5', 'Another title')
  scene.update(document.projection())
  expect([changed(), shaped]).toEqual([['g5'], 0])
  document.commands.updateVariable(variable.id, { name: 'The place where one was born' })
  scene.update(document.projection())
  expect(changed()).toContain('g3')
  expect(scene.groups.get('g3')?.box.height).toBe((before.get('g3')?.box.height ?? 0) + 20)
})

test('what is under a point: the group that stands there, else the edge that passes', () => {
  const { scene } = start(60)
  const at = scene.groups.get('g5')?.box ?? { x: 0, y: 0 }
  expect(scene.groupAt({ x: at.x + 1, y: at.y + 1 })).toBe('g5')
  expect(scene.groupAt({ x: -4000, y: -4000 })).toBeNull()
  const middle = middleOf(scene.routeOf('g1b4/yes') ?? [])
  expect(edgeNear(scene, middle, 4)).toBe('g1b4/yes')
  expect(edgeNear(scene, { x: -4000, y: -4000 }, 4)).toBeNull()
})

const near = { area: { x: 0, y: 0, width: 2000, height: 1400 }, zoom: 0.6 }
const settle = (from: Window, go: (window: Window) => Window) => {
  let window = from
  let steps = 0
  do {
    const next = go(window)
    expect([...next.groups].filter((id) => !window.groups.has(id)).length).toBeLessThanOrEqual(16)
    window = next
    steps += 1
  } while (!window.settled && steps < 500)
  return { window, steps }
}

test('what is in sight comes bit by bit until all of it is there, and goes when one looks elsewhere', () => {
  const { scene } = start(400)
  const here = settle(nothingShown, (window) => nextWindow(window, scene, near, new Set(), false))
  expect(here.steps).toBeGreaterThan(1)
  for (const id of scene.groupsIn(near.area)) expect(here.window.groups).toContain(id)
  for (const id of scene.edgesIn(near.area)) expect(here.window.edges).toContain(id)
  const away = { ...near, area: { ...near.area, x: 9_000 } }
  const there = settle(here.window, (window) => nextWindow(window, scene, away, new Set(['g0']), false))
  expect(there.window.groups).toContain('g0')
  expect(there.window.groups).not.toContain('g1')
  expect(nextWindow(there.window, scene, away, new Set(['g0']), false)).toBe(there.window)
})

test('from afar only what is pinned is left; what a gesture holds on to stays', () => {
  const { scene } = start(400)
  const { window } = settle(nothingShown, (last) => nextWindow(last, scene, near, new Set(), false))
  const far = { ...near, zoom: FAR - 0.01 }
  const after = settle(window, (last) => nextWindow(last, scene, far, new Set(['g3']), false)).window
  expect([after.far, [...after.groups], after.edges.size]).toEqual([true, ['g3'], 0])
  const held = settle(window, (last) => nextWindow(last, scene, far, new Set(), true)).window
  expect(held.groups).toEqual(window.groups)
  // hysteresis: the threshold is not crossed back at once
  expect(nextWindow(after, scene, { ...near, zoom: FAR + 0.01 }, new Set(), false).far).toBe(true)
})
